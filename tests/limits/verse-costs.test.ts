import { useStarted } from '@lectern/testing';
import { startEmbeddedLectern } from '../support/embedded-lectern';
import { costOf, createLimitChecks, repeat } from '../support/query-limit-checks';

const lectern = useStarted(startEmbeddedLectern);
const { errorsOf, passes } = createLimitChecks(() => lectern.client);

const passage = (reference: string, selection = 'verses { id text }') =>
  `passage(reference: "${reference}") { ${selection} }`;

test.each([
  ['one verse', 'John 3:16', 4],
  ['a chapter of 36 verses', 'John 3', 4],
  ['a chapter of 176 verses', 'Psalm 119', 4 + 5],
  ['a book of 2,461 verses', 'Psalms 1-150', 4 + 96],
  ['a range that is longer than its chapter', 'Psalm 119:1-999999', 4 + 5],
  ['books in reverse order, which are two books', 'Rev-Gen', 4 + 75],
  ['verses that are named twice', 'Ps 119; 119:1-176', 4 + 5],
  ['a range of 31,102 verses, of which a passage has 2,500 at most', 'Gen-Rev', 4 + 98],
  ['a book that no Bible has', 'Nonexistent 1:1', 4],
  ['a chapter that no Bible has', 'John 99', 4],
  ['a text of 201 characters, of which 200 count', 'Psalms;'.repeat(29).slice(0, 201), 4 + 10],
  ['an empty text', '', 4],
])(
  'the cost of the field passage depends on the number of verses that its reference names: %s',
  async (_, reference, cost) => {
    expect(await costOf(lectern, `{ ${passage(reference)} }`)).toBe(cost);
  },
);

test('the field text of a passage costs as much as one field of each of its verses', async () => {
  expect(await costOf(lectern, `{ ${passage('Psalms', 'text')} }`)).toBe(1 + 49);
  expect(await costOf(lectern, `{ ${passage('Psalms', 'text reference verses { id }')} }`)).toBe(1 + 2 + 98);
});

test('the gateway rejects a query for all words of the Psalms before it executes the query, with an error that states the cost', async () => {
  const words = 'verses { id words { text strongs { number lemma definition } } }';
  expect(await errorsOf(`{ ${passage('Psalms 1-150', words)} }`)).toEqual([
    'QUERY_TOO_COMPLEX: Query has complexity of 1773, which exceeds max complexity of 300',
  ]);
  await passes(`{ passage(reference: "Psalm 119", translation: "eng-kjv") { ${words} } }`);
});

test('passage has one cost for a literal, a variable or a default reference, even in a fragment or under @skip', async () => {
  const expected = ['QUERY_TOO_COMPLEX: Query has complexity of 459, which exceeds max complexity of 300'];
  const fields = 'verses { id bookId bookName chapter verse text reference words { text } }';
  const book = 'John';
  const document = `query Q($reference: String = "${book}")`;
  expect(await errorsOf(`{ ${passage(book, fields)} }`)).toEqual(expected);
  const inVariable = `${document} { passage(reference: $reference) { ${fields} } }`;
  expect(await errorsOf(inVariable)).toEqual(expected);
  expect(await errorsOf(inVariable, { reference: book })).toEqual(expected);
  await passes(inVariable, { reference: 'John 3:16' });
  expect(
    await errorsOf(
      `{ ...F } fragment F on Query { ${passage(book, '...P')} } fragment P on Passage { other: ${fields} }`,
    ),
  ).toEqual(expected);
  expect(
    await errorsOf(
      `query Q($reference: String = "${book}", $yes: Boolean = true) { passage(reference: $reference) @skip(if: $yes) { ... on Passage { ${fields} } } }`,
    ),
  ).toEqual(expected);
});

test('the gateway rejects a value of another type than String in a variable for the argument reference with BAD_USER_INPUT', async () => {
  const document = 'query Q($reference: String!) { passage(reference: $reference) { verses { id } } }';
  for (const reference of [null, 1.5, { toString: 1 }, ['John'], true])
    expect(await errorsOf(document, { reference })).toEqual([expect.stringMatching(/^BAD_USER_INPUT: Variable/)]);
});

test('one fragment on the type Passage costs more in a passage of a whole book than in the verse of the day', async () => {
  const fragment = 'fragment P on Passage { verses { id text } }';
  expect(await costOf(lectern, `{ verseOfTheDay { ...P } } ${fragment}`)).toBe(4);
  expect(await costOf(lectern, `{ verseOfTheDay { ...P } ${passage('Psalms', '...P')} } ${fragment}`)).toBe(4 + 100);
});

test('the cost of the fields chapter, readingChapter and verses grows with the number of their verses', async () => {
  expect(await costOf(lectern, '{ chapter(book: "PSA", chapter: 119) { id text } }')).toBe(3 + 5);
  expect(await costOf(lectern, '{ chapter(book: "Salmos", chapter: 23) { id text } }')).toBe(3);
  expect(await costOf(lectern, '{ readingChapter(book: "PSA", chapter: 119) { number verses { id text } } }')).toBe(
    5 + 5,
  );
  expect(await costOf(lectern, `{ verses(ids: [${repeat(150, () => '"x"')}]) { id text } }`)).toBe(3 + 13);
});

test('beyond 2,000 characters of references in a request, each further one counts as the longest passage', async () => {
  const verses = (count: number) =>
    `{ ${repeat(count, (index) => `p${index}: passage(reference: "Colossians 3:${1 + index}") { verses { id } }`)} }`;
  expect(await costOf(lectern, verses(80))).toBe(240);
  const long = (index: number) =>
    `p${index}: ${passage(`${'John 3:16; '.repeat(17)}John 1:${index + 1}`, 'verses { id }')}`;
  expect(await costOf(lectern, `{ ${repeat(10, long)} }`)).toBe(10 * (3 + 9));
  expect(await costOf(lectern, `{ ${repeat(12, long)} }`)).toBe(12 * (3 + 9) + 2 * 49);
});

test('the cost of the field translations grows with its argument first, and is that of one selection without the argument', async () => {
  const cost = (args: string, fields = 'identifier name') => costOf(lectern, `{ translations${args} { ${fields} } }`);
  expect(await cost('')).toBe(3);
  expect(await cost('(language: "eng", after: "eng-k")')).toBe(3);
  expect(await cost('(first: null)')).toBe(3);
  expect(await cost('(first: 1)')).toBe(1);
  expect(await cost('(first: 50)')).toBe(10);
  expect(await cost('(first: 1000)')).toBe(20);
  const tree = 'identifier books { name chapters { number verseCount } }';
  expect(await cost('', tree)).toBe(7);
  expect(await cost('(first: 20)', tree)).toBe(2 + 20 * 5);
});

test('the books of a translation cost as much at each verse of a list, so that no list of verses repeats them often', async () => {
  const books = 'translation { books { name chapters { number verseCount } } }';
  expect(await costOf(lectern, '{ translation(identifier: "eng-web") { books { name } } }')).toBe(3);
  expect(await errorsOf(`{ chapter(book: "PSA", chapter: 119) { ${books} } }`)).toEqual([
    'QUERY_TOO_COMPLEX: Query has complexity of 884, which exceeds max complexity of 300',
  ]);
  expect(await errorsOf(`{ search(query: "love", limit: 100) { ${books} } }`)).toEqual([
    'QUERY_TOO_COMPLEX: Query has complexity of 505, which exceeds max complexity of 300',
  ]);
  expect(await costOf(lectern, '{ chapter(book: "PSA", chapter: 119) { translation { identifier } } }')).toBe(3 + 5);
});
