import { graphqlHeaders, send, useStarted } from '@lectern/testing';
import { getIntrospectionQuery } from 'graphql';
import { startEmbeddedLectern } from '../support/embedded-lectern';
import { costOf, createLimitChecks, repeat } from '../support/query-limit-checks';

const lectern = useStarted(startEmbeddedLectern);

const { errorsOf, passes } = createLimitChecks(() => lectern.client);

/**
 * A service with a high cost limit (MAX_COMPLEXITY). The default limit rejects operations before
 * they reach the limits on values.
 */
const withHighCost = useStarted(() =>
  startEmbeddedLectern({ limits: { tokens: 5_000, depth: 15, complexity: 100_000 } }),
);
const highCost = createLimitChecks(() => withHighCost.client);

describe('tokens', () => {
  test('the gateway accepts a query of 5,000 tokens and rejects a query of 5,001 tokens with QUERY_TOO_LONG', async () => {
    // 5,000 tokens: 2 braces and a name, 2 for each of 2,495 spreads, and 7 for the fragment.
    const spreads = (extra: string) =>
      `{ __typename ${extra} ${repeat(2_495, () => '...F')} } fragment F on Query { __typename }`;
    await passes(spreads(''));
    expect(await errorsOf(spreads('__typename'))).toEqual(['QUERY_TOO_LONG: Query has more than 5000 tokens']);
  });

  test('the limit on the tokens of a query does not count comments and commas, and counts a long string as one token', async () => {
    await passes(`{ books { name } } ${'#\n'.repeat(20_000)}${','.repeat(20_000)}`);
    expect(await errorsOf(`{ passage(reference: "${'x'.repeat(90_000)}") { text } }`)).toEqual([
      'BAD_USER_INPUT: reference must be 200 characters or fewer',
    ]);
  });
});

test('the gateway rejects a query with an operation name or an alias of more than 100 characters', async () => {
  const named = (characters: number) =>
    `query ${'N'.repeat(characters)} { bibleIndex { chapters { ...F } } } fragment F on Chapter { ${'n'.repeat(characters)}: number }`;
  await passes(named(100));
  expect(await errorsOf(named(101))).toEqual(['QUERY_TOO_LONG: Query has a name of more than 100 characters']);
});

test("an error message quotes at most 300 characters of a variable's value", async () => {
  const quoting = `query ($x: String!) { ${repeat(100, (index) => `a${index}: translation(identifier: $x) { id }`)} }`;
  const [first, ...others] = await errorsOf(quoting, { x: 'x'.repeat(90_000) });
  expect(first).toBe(`NOT_FOUND: Translation '${'x'.repeat(300)}…' not found`);
  expect(others).toHaveLength(99);
});

test('the gateway returns BAD_USER_INPUT if the words in a response have more than 150,000 field values together', async () => {
  const words = (reference: string, names: number) =>
    `{ passage(reference: "${reference}", translation: "eng-kjv") { verses { words { ...W strongs { number } } } } } fragment W on Word { ${repeat(names, (index) => `w${index}: text`)} }`;
  await highCost.passes(words('John', 3));
  await highCost.passes(words('John 3', 100));
  const errors = await highCost.errorsOf(words('John', 280));
  expect(new Set(errors)).toEqual(
    new Set([
      'BAD_USER_INPUT: One request gives at most 150000 values of verses, chapters and words; ask for fewer fields, or less at once',
    ]),
  );
});

test('the gateway returns only one error, BAD_USER_INPUT, for a query with more than 1,000 failing fields', async () => {
  const failing = (names: number) =>
    `passage(reference: "Psalms") { verses { ${repeat(names, (index) => `a${index}: inTranslation(identifier: "nope") { id }`)} } }`;
  const tooMany = [
    'BAD_USER_INPUT: More than 1000 fields of one request fail; ask for less at once, and for what there is',
  ];
  expect(await errorsOf(`{ ${failing(2)} }`)).toEqual(tooMany);
  const conditions = ['a', 'b', 'c', 'd', 'e', 'f'];
  expect(
    await errorsOf(
      `query (${conditions.map((name) => `$${name}: Boolean = false`).join(' ')}) { ${conditions.map((name) => `${name}: languages @skip(if: $${name}) { code }`).join(' ')} ${failing(2)} }`,
    ),
  ).toEqual(tooMany);
  expect(await errorsOf(`{ ${failing(2)} search(query: "love") { words { text } } }`)).toEqual(tooMany);
});

describe('depth', () => {
  const verses = (levels: number): string =>
    `{ verse(book: "JHN", chapter: 1, verse: 1) { ${'inTranslation(identifier: "eng-kjv") { '.repeat(levels - 2)}text${' }'.repeat(levels - 2)} } }`;

  test('the gateway accepts a query of 15 levels, the maximum', async () => {
    await passes(verses(15));
  });

  test('the gateway accepts the standard introspection query', async () => {
    await passes(getIntrospectionQuery());
  });

  const chain = repeat(
    20,
    (index) => `fragment F${index} on Verse { inTranslation(identifier: "eng-kjv") { ...F${index + 1} } }`,
  );

  test.each([
    ['a query of 16 levels', verses(16), 16],
    [
      'a query of 22 levels, most of them in fragments',
      `{ verse(book: "JHN", chapter: 1, verse: 1) { ...F0 } } ${chain} fragment F20 on Verse { text }`,
      22,
    ],
    ['a query of 1,600 levels', `{${'books{'.repeat(1_599)}name${'}'.repeat(1_599)}}`, 1_600],
    ['201 nested lists', `{ passage(reference: ${'['.repeat(201)}${']'.repeat(201)}) { text } }`, 203],
    ['1,000 nested inline fragments', `{ ${'... { '.repeat(1_000)}__typename${' }'.repeat(1_000)} }`, 1_001],
  ])('the gateway rejects %s with QUERY_TOO_DEEP, and names the depth', async (_, query, depth) => {
    expect(await errorsOf(query)).toEqual([
      `QUERY_TOO_DEEP: Query has depth of ${depth}, which exceeds max depth of 15`,
    ]);
  });
});

describe('complexity', () => {
  const passage =
    'passage(reference: "John 3:16") { reference text translationId translationName translationNote verses { bookId bookName chapter verse text } }';

  test('many passage fields below the cost limit of 300 are accepted, and a query above it gets QUERY_TOO_COMPLEX', async () => {
    await passes(`{ ${repeat(22, (index) => `p${index}: ${passage}`)} }`);
    expect(await costOf(lectern, `{ ${repeat(22, (index) => `p${index}: ${passage}`)} }`)).toBe(264);
    expect(await errorsOf(`{ ${repeat(26, (index) => `p${index}: ${passage}`)} }`)).toEqual([
      'QUERY_TOO_COMPLEX: Query has complexity of 312, which exceeds max complexity of 300',
    ]);
  });

  test('the text of a whole translation costs too much, and its table of contents does not', async () => {
    expect(await errorsOf('{ bibleIndex { chapters { verses { text } } } }')).toEqual([
      'QUERY_TOO_COMPLEX: Query has complexity of 303, which exceeds max complexity of 300',
    ]);
    await passes('{ bibleIndex { bookId name testament position chapterCount chapters { number verseCount } } }');
  });

  const occurrences = (
    rest: string,
  ) => `concordance(translation: "spa-rv1909", word: "amor"${rest}) { totalCount entry { lemma surfaceForms totalOccurrences verseCount occurrencesByTestament { old new } }
    edges { cursor node { verse { bookId bookName chapter verse text reference } context matches { start length } strongs { number } } } pageInfo { hasNextPage endCursor } }`;

  test('the cost of a page of topics grows with `first` of the topics and with `first` of their verses', async () => {
    const page = (first: number, verses: number) =>
      `{ topics(first: ${first}) { edges { node { name sections { entries { references { verses(first: ${verses}) { id } } } } } } } }`;
    const costs = [page(20, 3), page(100, 3), page(20, 50)].map((query) => costOf(lectern, query));
    expect(await Promise.all(costs)).toEqual([102, 512, 282]);
    await passes(page(20, 3));
    expect(await errorsOf(page(100, 50))).toEqual([
      'QUERY_TOO_COMPLEX: Query has complexity of 1412, which exceeds max complexity of 300',
    ]);
  });

  test('the cost of a concordance page grows with `first`: 25 verses are accepted, and 100 are rejected', async () => {
    await passes(`{ ${occurrences('')} }`);
    expect(await errorsOf(`{ ${occurrences(', first: 100')} }`)).toEqual([
      'QUERY_TOO_COMPLEX: Query has complexity of 560, which exceeds max complexity of 300',
    ]);
    expect(await errorsOf(`{ ${occurrences(', first: 2147483647')} }`)).toEqual([
      'QUERY_TOO_COMPLEX: Query has complexity of 560, which exceeds max complexity of 300',
    ]);
    await passes(`{ ${occurrences(', first: null')} }`);
  });

  test('the cost of a document depends on the variables of each request, so the value decides what is accepted', async () => {
    const document = `query Q($first: Int = 100) { ${occurrences(', first: $first')} }`;
    await passes(document, { first: 25 });
    expect(await errorsOf(document, { first: 100 })).toEqual([
      'QUERY_TOO_COMPLEX: Query has complexity of 560, which exceeds max complexity of 300',
    ]);
    await passes(document, { first: 1 });
    expect(await errorsOf(document)).toEqual([
      'QUERY_TOO_COMPLEX: Query has complexity of 560, which exceeds max complexity of 300',
    ]);
    // Null stands for the default of the argument, which is 25.
    await passes(document, { first: null });
    await passes(document, { first: -5 });
  });

  test('exponential fragments get QUERY_TOO_COMPLEX, even if the cost of their field depends on a variable', async () => {
    const levels = 40;
    const bomb = repeat(levels, (index) => `fragment F${index} on Query { ...F${index + 1} ...F${index + 1} }`);
    expect(
      await errorsOf(
        `query Q($n: Int) { ...F0 } ${bomb} fragment F${levels} on Query { search(query: "x", limit: $n) { text } }`,
        { n: 100 },
      ),
    ).toEqual([expect.stringMatching(/^QUERY_TOO_COMPLEX/)]);
  });

  test('the gateway rejects a query with 100 searches with QUERY_TOO_COMPLEX', async () => {
    expect(await errorsOf(`{ ${repeat(100, (index) => `s${index}: search(query: "love") { text }`)} }`)).toEqual([
      'QUERY_TOO_COMPLEX: Query has complexity of 3100, which exceeds max complexity of 300',
    ]);
  });

  test('an alias of __typename costs 1, __typename alone costs 0, and @skip(if: true) does not lower the cost of a field', async () => {
    await passes(`{ ${repeat(300, (index) => `t${index}: __typename`)} __typename }`);
    expect(await errorsOf(`{ ${repeat(301, (index) => `t${index}: __typename`)} }`)).toEqual([
      'QUERY_TOO_COMPLEX: Query has complexity of 301, which exceeds max complexity of 300',
    ]);
    for (const condition of ['', '@skip(if: true)'])
      expect(await errorsOf(`{ ${repeat(151, (index) => `b${index}: books ${condition} { name }`)} }`)).toEqual([
        'QUERY_TOO_COMPLEX: Query has complexity of 302, which exceeds max complexity of 300',
      ]);
  });

  test('the gateway computes the full cost of fragments that expand exponentially, and names this cost in the error', async () => {
    const levels = 22;
    const bomb = repeat(levels, (index) => `fragment F${index} on Query { ...F${index + 1} ...F${index + 1} }`);
    expect(await errorsOf(`{ ...F0 } ${bomb} fragment F${levels} on Query { a: __typename }`)).toEqual([
      `QUERY_TOO_COMPLEX: Query has complexity of ${2 ** levels}, which exceeds max complexity of 300`,
    ]);
  });

  test('the gateway rejects fragments that expand exponentially under @include and @skip, even if they select only __typename', async () => {
    const bomb = (levels: number) =>
      `query Q($s: Boolean!) { ...F0 } ${repeat(levels, (index) => `fragment F${index} on Query { ...@include(if: $s) { ...F${index + 1} } ...@skip(if: $s) { ...F${index + 1} } }`)} fragment F${levels} on Query { __typename }`;
    expect(await errorsOf(bomb(22), { s: true })).toEqual([
      'QUERY_TOO_COMPLEX: Query has complexity of 8388606, which exceeds max complexity of 300',
    ]);
    expect(await errorsOf(bomb(8), { s: true })).toEqual([
      'QUERY_TOO_COMPLEX: Query has complexity of 510, which exceeds max complexity of 300',
    ]);
    expect(await lectern.client(bomb(7), { s: true })).toEqual({ data: { __typename: 'Query' } });
  });

  const references = (characters: number, name = 'a') =>
    `${name}: references(text: "${'John 3:16, '.repeat(1_000).slice(0, characters)}") { start }`;

  test('the cost of the field references grows with the length of its text, and a text of the maximum length is accepted', async () => {
    const costs = [9, 900, 1_120, 10_000].map((characters) => costOf(lectern, `{ ${references(characters)} }`));
    expect(await Promise.all(costs)).toEqual([2 + 2, 2 + 225, 2 + 280, 2 + 280]);
    expect(await errorsOf(`{ ${references(10_000)} ${references(1_000, 'b')} }`)).toEqual([
      'QUERY_TOO_COMPLEX: Query has complexity of 534, which exceeds max complexity of 300',
    ]);
    const long = 'Q'.repeat(90_000);
    expect(await errorsOf('query ($text: String!) { references(text: $text) { start } }', { text: long })).toEqual([
      'BAD_USER_INPUT: text must be 10000 characters or fewer',
    ]);
  });

  test('mode: MEANING or BEST costs more than WORDS, whether it is a literal, a variable or a default', async () => {
    const search = (mode: string) => `searchVerses(query: "light", mode: ${mode}) { totalCount }`;
    const modes = ['null', 'WORDS', 'MEANING', 'BEST', 'HYBRID'];
    const costs = await Promise.all(modes.map((mode) => costOf(lectern, `{ ${search(mode)} }`)));
    expect(costs).toEqual([41, 41, 141, 231, 231]);
    const two = 'QUERY_TOO_COMPLEX: Query has complexity of 462, which exceeds max complexity of 300';
    const document = (byDefault: string) =>
      `query ($mode: SearchMode${byDefault}) { a: ${search('$mode')} b: ${search('$mode')} }`;
    expect(await errorsOf(document(' = BEST'))).toEqual([two]);
    expect(await errorsOf(document(''), { mode: 'BEST' })).toEqual([two]);
    await passes(document(' = BEST'), { mode: 'WORDS' });
    for (const mode of ['constructor', 'best', 1, ['BEST'], { BEST: 1 }])
      expect(await errorsOf(document(''), { mode })).toEqual([
        expect.stringMatching(/^BAD_USER_INPUT: Variable "\$mode"/),
      ]);
  });

  test('a field of the study subgraph costs as much for each verse of a list as for a single verse', async () => {
    const notes = 'commentary(first: 20) { heading }';
    const inList = (field: string) => `{ chapter(book: "JHN", chapter: 3) { id ${field} } }`;
    expect(await costOf(lectern, `{ verse(book: "JHN", chapter: 3, verse: 16) { id ${notes} } }`)).toBe(2 + 2);
    expect(await costOf(lectern, inList(notes))).toBe(2 + 36 * 2);
    expect(await costOf(lectern, inList(`notes { references { start } } ${notes}`))).toBe(2 + 12 + 36 * 2);
    expect(await costOf(lectern, `{ search(query: "love", limit: 50) { id ${notes} } }`)).toBe(2 + 50 * 2 + 1);
  });

  test.each([
    ['semantic searches', (index: number) => `a${index}: semanticSearch(query: "${index}") { similarity }`],
    [
      'searches for topics by meaning',
      (index: number) => `a${index}: semanticTopics(query: "${index}") { similarity }`,
    ],
    [
      'texts in which Bible references are found',
      (index: number) => `a${index}: references(text: "See John 3:${index}, Psalm 23") { start }`,
    ],
    [
      'random verses from a list of books',
      (index: number) => `a${index}: randomVerse(books: "Jn ${index}, Jn. ${index}, 1ra Jn") { id }`,
    ],
    [
      'collocates (words near a word)',
      (index: number) => `a${index}: collocates(translation: "eng-kjv", word: "${index}") { lemma }`,
    ],
  ])('the gateway rejects 100 aliases of expensive fields because of their cost: %s', async (_, field) => {
    expect(await errorsOf(`{ ${repeat(100, field)} }`)).toEqual([expect.stringMatching(/^QUERY_TOO_COMPLEX/)]);
  });

  test('the cost limit counts only the selected operation of a document', async () => {
    const document = `query Small { books { name } } query Large { ${repeat(200, (index) => `b${index}: books { name }`)} }`;
    await passes(document, undefined, 'Small');
    expect(await errorsOf(document, undefined, 'Large')).toEqual([
      'QUERY_TOO_COMPLEX: Query has complexity of 400, which exceeds max complexity of 300',
    ]);
  });

  test('thousands of __typename in one selection set get GRAPHQL_VALIDATION_FAILED, although they cost 0', async () => {
    expect(await errorsOf(`{ ${repeat(4_900, () => '__typename')} }`)).toEqual([
      expect.stringMatching(/^GRAPHQL_VALIDATION_FAILED: The document/),
    ]);
  });

  test('the gateway rejects a cycle of fragments with GRAPHQL_VALIDATION_FAILED', async () => {
    expect(await errorsOf('{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }')).toEqual([
      expect.stringMatching(/^GRAPHQL_VALIDATION_FAILED: .*itself/),
    ]);
  });
});

describe('validation errors', () => {
  const isValidationError = expect.stringMatching(/^GRAPHQL_VALIDATION_FAILED: Cannot query field/);
  const unknownFields = (count: number) => repeat(count, (index) => `unknown${index}`);
  const knownFields = repeat(400, (index) => `b${index}: __typename`);

  test.each([
    ['101 unknown fields', unknownFields(101), 100, 'unknown99'],
    ['301 unknown fields, whose cost is above the limit', unknownFields(301), 100, 'unknown99'],
    ['4,997 unknown fields', unknownFields(4_997), 100, 'unknown99'],
    ['4,997 unknown fields of one name', repeat(4_997, () => 'unknown'), 100, 'unknown'],
    ['1,600 unknown fields of one response name', repeat(1_600, (index) => `a: unknown${index}`), 100, 'unknown99'],
    ['100 unknown fields beside 400 fields of the schema', `${knownFields} ${unknownFields(100)}`, 100, 'unknown99'],
    ['one unknown field beside 400 fields of the schema', `${knownFields} unknown`, 1, 'unknown'],
    ['17 levels below an unknown field', `${'books { '.repeat(16)}unknown${' }'.repeat(16)}`, 1, 'books'],
  ])(
    'the gateway reports the first 100 validation errors and no other error for %s',
    async (_, selections, count, last) => {
      const errors = await errorsOf(`{ ${selections} }`);
      expect(errors).toEqual(Array.from({ length: count }, () => isValidationError));
      expect(errors.at(-1)).toContain(`"${last}"`);
    },
  );

  test('for a mutation with an unknown field and too many fields, the gateway reports only the validation error', async () => {
    expect(await errorsOf(`mutation { ${repeat(101, (index) => `m${index}: __typename`)} unknown }`)).toEqual([
      isValidationError,
    ]);
  });
});

test('the gateway rejects a variable whose value is nested more than 200 levels deep with BAD_USER_INPUT', async () => {
  const query = 'query ($date: ISO8601Date) { verseOfTheDay(date: $date) { reference } }';
  const nested = (levels: number) => ({ date: JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as unknown });
  expect(await errorsOf(query, nested(200))).toEqual([
    'BAD_USER_INPUT: date must be a day that exists, written YYYY-MM-DD',
  ]);
  expect(await errorsOf(query, nested(201))).toEqual([
    'BAD_USER_INPUT: Variable "$date" is nested more than 200 deep.',
  ]);
  const { status, json } = await send(lectern.url, {
    headers: graphqlHeaders(lectern.token),
    body: `{"query":${JSON.stringify(query)},"variables":{"date":${'['.repeat(45_000)}${']'.repeat(45_000)}}}`,
  });
  expect([status, json()]).toMatchObject([200, { errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] }]);
});

test('a field whose verses have more than 50,000 values gets BAD_USER_INPUT, and other fields their data', async () => {
  const { data, errors } = await withHighCost.client(
    `{ passage(reference: "Psalms") { verses { ${repeat(290, (index) => `a${index}: text`)} } } languages { code } }`,
  );
  expect(data).toMatchObject({ passage: null, languages: expect.arrayContaining([{ code: 'eng' }, { code: 'spa' }]) });
  expect(errors).toMatchObject([
    {
      message:
        'One request gives at most 50000 values of verses, chapters and words; ask for fewer fields, or less at once',
      extensions: { code: 'BAD_USER_INPUT' },
    },
  ]);
});

describe('null for a variable with a default in a non-null position', () => {
  test.each([
    ['query ($x: Boolean = true) { ... @include(if: $x) { translations { abbrev } } }'],
    ['query ($x: Boolean = true) { books { position } languages @skip(if: $x) { code } }'],
    ['query ($x: Boolean = true) { ...F } fragment F on Query { languages { code @include(if: $x) } }'],
    ['query ($x: Int = 3) { verse(book: "JHN", chapter: $x, verse: 16) { text } }'],
    [
      'query ($x: String = "eng-kjv") { verse(book: "JHN", chapter: 3, verse: 16) { inTranslation(identifier: $x) { text } } }',
    ],
  ])(
    'the gateway rejects null for the variable $x, which stands in a non-null position, even if it has a default: %s',
    async (query) => {
      for (let time = 0; time < 2; time += 1) {
        expect(await errorsOf(query, { x: null })).toEqual([
          'BAD_USER_INPUT: Variable "$x" must not be null: leave it out for its default.',
        ]);
        await passes(query);
      }
    },
  );
});

test('the gateway accepts aliases such as constructor that are property names of Object.prototype', async () => {
  expect(
    await lectern.client(
      '{ __proto__: __typename constructor: books { bookId } toString: __typename hasOwnProperty: translation(identifier: "eng-web") { abbrev } }',
    ),
  ).toMatchObject({ data: { constructor: expect.any(Array), toString: 'Query', hasOwnProperty: { abbrev: 'WEB' } } });
});
