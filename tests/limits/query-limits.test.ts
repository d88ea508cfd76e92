import { graphqlHeaders, send } from '@lectern/testing';
import { getIntrospectionQuery } from 'graphql';
import type { EmbeddedLectern } from '../support/embedded-lectern';
import { startEmbeddedLectern } from '../support/embedded-lectern';

let lectern: EmbeddedLectern;
beforeAll(async () => {
  lectern = await startEmbeddedLectern();
});
afterAll(() => lectern.close());

const fault = async (query: string, variables?: Record<string, unknown>, operationName?: string) => {
  const { errors = [] } = await lectern.client(query, variables, operationName);
  return errors.map(({ message, extensions }) => `${String(extensions?.['code'])}: ${message}`);
};
const passes = async (query: string, variables?: Record<string, unknown>, operationName?: string) =>
  expect(await fault(query, variables, operationName)).toEqual([]);
const repeat = (times: number, make: (index: number) => string) =>
  Array.from({ length: times }, (_, index) => make(index)).join(' ');

describe('tokens', () => {
  test('5,000 pass and 5,001 do not', async () => {
    // 2 brackets and a name, 2 for each spread, 7 for the fragment.
    const spreads = (extra: string) =>
      `{ __typename ${extra} ${repeat(2_495, () => '...F')} } fragment F on Query { __typename }`;
    await passes(spreads(''));
    expect(await fault(spreads('__typename'))).toEqual(['QUERY_TOO_LONG: Query has more than 5000 tokens']);
  });

  test('comments, commas and a long string are not many tokens', async () => {
    await passes(`{ books { name } } ${'#\n'.repeat(20_000)}${','.repeat(20_000)}`);
    expect(await fault(`{ passage(reference: "${'x'.repeat(90_000)}") { text } }`)).toEqual([
      'BAD_USER_INPUT: reference must be 200 characters or fewer',
    ]);
  });
});

test('an answer is not long because a word of the request is: a name has at most 100 characters, and errors quote 300', async () => {
  const named = (characters: number) =>
    `query ${'N'.repeat(characters)} { bibleIndex { chapters { ...F } } } fragment F on Chapter { ${'n'.repeat(characters)}: number }`;
  await passes(named(100));
  expect(await fault(named(101))).toEqual(['QUERY_TOO_LONG: Query has a name of more than 100 characters']);
  const quoting = `query ($x: String!) { ${repeat(100, (index) => `a${index}: translation(identifier: $x) { id }`)} }`;
  const [first, ...others] = await fault(quoting, { x: 'x'.repeat(90_000) });
  expect(first).toBe(`NOT_FOUND: Translation '${'x'.repeat(300)}…' not found`);
  expect(others).toHaveLength(99);
});

test('nor because a field is asked of every word of a book, under many names', async () => {
  const words = (reference: string, names: number) =>
    `{ passage(reference: "${reference}", translation: "eng-kjv") { verses { words { ...W strongs { number } } } } } fragment W on Word { ${repeat(names, (index) => `w${index}: text`)} }`;
  await passes(words('John', 3));
  await passes(words('John 3', 100));
  const faults = await fault(words('John', 280));
  expect(new Set(faults)).toEqual(
    new Set([
      'BAD_USER_INPUT: One request gives at most 150000 values of verses, chapters and words; ask for fewer fields, or less at once',
    ]),
  );
});

test('nor because a field fails at every verse of a book, whatever else the operation has', async () => {
  const failing = (names: number) =>
    `passage(reference: "Psalms") { verses { ${repeat(names, (index) => `a${index}: inTranslation(identifier: "nope") { id }`)} } }`;
  const tooMany = [
    'BAD_USER_INPUT: More than 1000 fields of one request fail; ask for less at once, and for what there is',
  ];
  expect(await fault(`{ ${failing(20)} }`)).toEqual(tooMany);
  const conditions = ['a', 'b', 'c', 'd', 'e', 'f'];
  expect(
    await fault(
      `query (${conditions.map((name) => `$${name}: Boolean = false`).join(' ')}) { ${conditions.map((name) => `${name}: languages @skip(if: $${name}) { code }`).join(' ')} ${failing(20)} }`,
    ),
  ).toEqual(tooMany);
  expect(await fault(`{ ${failing(20)} search(query: "love") { words { text } } }`)).toEqual(tooMany);
});

describe('depth', () => {
  const verses = (levels: number): string =>
    `{ verse(book: "JHN", chapter: 1, verse: 1) { ${'inTranslation(identifier: "eng-kjv") { '.repeat(levels - 2)}text${' }'.repeat(levels - 2)} } }`;

  test('15 levels pass, 16 do not', async () => {
    await passes(verses(15));
    expect(await fault(verses(16))).toEqual(['QUERY_TOO_DEEP: Query has depth of 16, which exceeds max depth of 15']);
  });

  test('fragments do not get round it', async () => {
    const chain = repeat(
      20,
      (index) => `fragment F${index} on Verse { inTranslation(identifier: "eng-kjv") { ...F${index + 1} } }`,
    );
    expect(
      await fault(`{ verse(book: "JHN", chapter: 1, verse: 1) { ...F0 } } ${chain} fragment F20 on Verse { text }`),
    ).toEqual(['QUERY_TOO_DEEP: Query has depth of 22, which exceeds max depth of 15']);
  });

  test('the standard introspection query passes', async () => {
    await passes(getIntrospectionQuery());
  });

  test('1,600 fields in each other are the depth error, and so is anything nested beyond what a parser should see', async () => {
    expect(await fault(`{${'books{'.repeat(1_599)}name${'}'.repeat(1_599)}}`)).toEqual([
      'QUERY_TOO_DEEP: Query has depth of 1600, which exceeds max depth of 15',
    ]);
  });

  test.each([
    ['201 lists in each other', `{ passage(reference: ${'['.repeat(201)}${']'.repeat(201)}) { text } }`],
    ['1,000 inline fragments in each other', `{ ${'... { '.repeat(1_000)}__typename${' }'.repeat(1_000)} }`],
  ])('%s are the depth error, not a crash', async (_, query) => {
    expect(await fault(query)).toEqual([
      expect.stringMatching(/^QUERY_TOO_DEEP: Query has depth of \d+, which exceeds max depth of 15$/),
    ]);
  });
});

describe('complexity', () => {
  const passage =
    'passage(reference: "John 3:16") { reference text translationId translationName translationNote verses { bookId bookName chapter verse text } }';

  test('22 passages with everything cost 264 and pass; 26 cost 312 and do not', async () => {
    await passes(`{ ${repeat(22, (index) => `p${index}: ${passage}`)} }`);
    expect(await fault(`{ ${repeat(26, (index) => `p${index}: ${passage}`)} }`)).toEqual([
      'QUERY_TOO_COMPLEX: Query has complexity of 312, which exceeds max complexity of 300',
    ]);
  });

  test('the text of a whole translation is above the price of a query, its table of contents is cheap', async () => {
    expect(await fault('{ bibleIndex { chapters { verses { text } } } }')).toEqual([
      'QUERY_TOO_COMPLEX: Query has complexity of 303, which exceeds max complexity of 300',
    ]);
    await passes('{ bibleIndex { bookId name testament position chapterCount chapters { number verseCount } } }');
  });

  const occurrences = (
    rest: string,
  ) => `concordance(translation: "spa-rv1909", word: "amor"${rest}) { totalCount entry { lemma surfaceForms totalOccurrences verseCount occurrencesByTestament { old new } }
    edges { cursor node { verse { bookId bookName chapter verse text reference } context matches { start length } strongs { number } } } pageInfo { hasNextPage endCursor } }`;

  test('a page of the concordance costs in proportion to its length: 25 of 28 fields pass, 100 do not', async () => {
    await passes(`{ ${occurrences('')} }`);
    expect(await fault(`{ ${occurrences(', first: 100')} }`)).toEqual([
      'QUERY_TOO_COMPLEX: Query has complexity of 560, which exceeds max complexity of 300',
    ]);
    expect(await fault(`{ ${occurrences(', first: 2147483647')} }`)).toEqual([
      'QUERY_TOO_COMPLEX: Query has complexity of 560, which exceeds max complexity of 300',
    ]);
    await passes(`{ ${occurrences(', first: null')} }`);
  });

  test('the same document costs what its variables make it cost, at every call', async () => {
    const document = `query Q($first: Int = 100) { ${occurrences(', first: $first')} }`;
    await passes(document, { first: 25 });
    expect(await fault(document, { first: 100 })).toEqual([
      'QUERY_TOO_COMPLEX: Query has complexity of 560, which exceeds max complexity of 300',
    ]);
    await passes(document, { first: 1 });
    expect(await fault(document)).toEqual([
      'QUERY_TOO_COMPLEX: Query has complexity of 560, which exceeds max complexity of 300',
    ]);
    // Null stands for the default of the argument, which is 25.
    await passes(document, { first: null });
    await passes(document, { first: -5 });
  });

  test('a bomb of fragments whose cost hangs on a variable is measured once a fragment', async () => {
    const levels = 40;
    const bomb = repeat(levels, (index) => `fragment F${index} on Query { ...F${index + 1} ...F${index + 1} }`);
    expect(
      await fault(
        `query Q($n: Int) { ...F0 } ${bomb} fragment F${levels} on Query { search(query: "x", limit: $n) { text } }`,
        { n: 100 },
      ),
    ).toEqual([expect.stringMatching(/^QUERY_TOO_COMPLEX/)]);
  });

  test('a hundred searches in one query are too many', async () => {
    expect(await fault(`{ ${repeat(100, (index) => `s${index}: search(query: "love") { text }`)} }`)).toEqual([
      'QUERY_TOO_COMPLEX: Query has complexity of 1000, which exceeds max complexity of 300',
    ]);
  });

  test('aliases count each, also of __typename; a plain __typename is free; what is skipped counts', async () => {
    await passes(`{ ${repeat(300, (index) => `t${index}: __typename`)} __typename }`);
    expect(await fault(`{ ${repeat(301, (index) => `t${index}: __typename`)} }`)).toEqual([
      'QUERY_TOO_COMPLEX: Query has complexity of 301, which exceeds max complexity of 300',
    ]);
    expect(await fault(`{ ${repeat(151, (index) => `b${index}: books @skip(if: true) { name }`)} }`)).toEqual([
      'QUERY_TOO_COMPLEX: Query has complexity of 302, which exceeds max complexity of 300',
    ]);
  });

  test('a bomb of fragments is measured, not unfolded', async () => {
    const levels = 22;
    const bomb = repeat(levels, (index) => `fragment F${index} on Query { ...F${index + 1} ...F${index + 1} }`);
    expect(await fault(`{ ...F0 } ${bomb} fragment F${levels} on Query { a: __typename }`)).toEqual([
      `QUERY_TOO_COMPLEX: Query has complexity of ${2 ** levels}, which exceeds max complexity of 300`,
    ]);
  });

  test('fields that a divided price makes cheap never reach the planner by the thousand', async () => {
    const cheap = (levels: number) =>
      `{ search(query: "love", limit: 1) { ...F0 } } ${repeat(levels, (index) => `fragment F${index} on Verse { ${repeat(5, (name) => `f${name}: similar(limit: 1) { verse { ...F${index + 1} } }`)} }`)} fragment F${levels} on Verse { ${repeat(40, (name) => `f${name}: id`)} }`;
    // The last costs 10 as well: five neighbours at the price of two, again and again.
    await passes(cheap(2));
    expect(await fault(cheap(3))).toEqual([
      'QUERY_TOO_COMPLEX: Query has complexity of 5311, which exceeds max complexity of 300',
    ]);
    expect(await fault(cheap(6))).toEqual([expect.stringMatching(/^QUERY_TOO_COMPLEX/)]);
  });

  test('a bomb of conditions on fields that cost nothing never reaches the planner', async () => {
    const bomb = (levels: number) =>
      `query Q($s: Boolean!) { ...F0 } ${repeat(levels, (index) => `fragment F${index} on Query { ...@include(if: $s) { ...F${index + 1} } ...@skip(if: $s) { ...F${index + 1} } }`)} fragment F${levels} on Query { __typename }`;
    expect(await fault(bomb(22), { s: true })).toEqual([
      'QUERY_TOO_COMPLEX: Query has complexity of 8388606, which exceeds max complexity of 300',
    ]);
    expect(await fault(bomb(8), { s: true })).toEqual([
      'QUERY_TOO_COMPLEX: Query has complexity of 510, which exceeds max complexity of 300',
    ]);
    expect(await lectern.client(bomb(7), { s: true })).toEqual({ data: { __typename: 'Query' } });
  });

  test('finding references in long texts is dear: two of them pass', async () => {
    await passes('{ a: references(text: "John 3:16") { start } b: references(text: "John 3:16") { start } }');
    expect(
      await fault(
        '{ a: references(text: "x") { start } b: references(text: "x") { start } c: references(text: "x") { start } }',
      ),
    ).toEqual(['QUERY_TOO_COMPLEX: Query has complexity of 303, which exceeds max complexity of 300']);
  });

  test('only the operation that is asked for counts', async () => {
    const document = `query Small { books { name } } query Large { ${repeat(200, (index) => `b${index}: books { name }`)} }`;
    await passes(document, undefined, 'Small');
    expect(await fault(document, undefined, 'Large')).toEqual([
      'QUERY_TOO_COMPLEX: Query has complexity of 400, which exceeds max complexity of 300',
    ]);
  });

  test('4,900 repeats of one field cost nothing and are refused', async () => {
    expect(await fault(`{ ${repeat(4_900, () => '__typename')} }`)).toEqual([
      expect.stringMatching(/^GRAPHQL_VALIDATION_FAILED: The document/),
    ]);
  });

  test('a circle of fragments is a validation error', async () => {
    expect(await fault('{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }')).toEqual([
      expect.stringMatching(/^GRAPHQL_VALIDATION_FAILED: .*itself/),
    ]);
  });
});

test('a variable nested beyond what can be written as JSON is refused, whatever its type', async () => {
  const query = 'query ($date: ISO8601Date) { verseOfTheDay(date: $date) { reference } }';
  const nested = (levels: number) => ({ date: JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as unknown });
  expect(await fault(query, nested(200))).toEqual([
    'BAD_USER_INPUT: date must be a day that exists, written YYYY-MM-DD',
  ]);
  expect(await fault(query, nested(201))).toEqual(['BAD_USER_INPUT: Variable "$date" is nested more than 200 deep.']);
  const { status } = await send(lectern.url, {
    headers: graphqlHeaders(lectern.token),
    body: `{"query":${JSON.stringify(query)},"variables":{"date":${'['.repeat(45_000)}${']'.repeat(45_000)}}}`,
  });
  expect(status).toBe(200);
});

test('aliases do not multiply a book beyond what one request gives', async () => {
  const { data, errors } = await lectern.client(
    `{ passage(reference: "Psalms") { verses { ${repeat(290, (index) => `a${index}: text`)} } } languages { code } }`,
  );
  expect(data).toMatchObject({ passage: null, languages: [{}, {}] });
  expect(errors).toMatchObject([
    {
      message:
        'One request gives at most 50000 values of verses, chapters and words; ask for fewer fields, or less at once',
      extensions: { code: 'BAD_USER_INPUT' },
    },
  ]);
});

describe('a null in a variable that stands where none may, which GraphQL finds out too late, is refused beforehand', () => {
  test.each([
    ['query ($x: Boolean = true) { ... @include(if: $x) { translations { abbrev } } }'],
    ['query ($x: Boolean = true) { books { position } languages @skip(if: $x) { code } }'],
    ['query ($x: Boolean = true) { ...F } fragment F on Query { languages { code @include(if: $x) } }'],
    ['query ($x: Int = 3) { verse(book: "JHN", chapter: $x, verse: 16) { text } }'],
    [
      'query ($x: String = "eng-kjv") { verse(book: "JHN", chapter: 3, verse: 16) { inTranslation(identifier: $x) { text } } }',
    ],
  ])('%s', async (query) => {
    for (let time = 0; time < 2; time += 1) {
      expect(await fault(query, { x: null })).toEqual([
        'BAD_USER_INPUT: Variable "$x" must not be null: leave it out for its default.',
      ]);
      await passes(query);
    }
  });
});

test('aliases named like the insides of an object are only aliases', async () => {
  expect(
    await lectern.client(
      '{ __proto__: __typename constructor: books { bookId } toString: __typename hasOwnProperty: translation(identifier: "eng-web") { abbrev } }',
    ),
  ).toMatchObject({ data: { constructor: expect.any(Array), toString: 'Query', hasOwnProperty: { abbrev: 'WEB' } } });
});
