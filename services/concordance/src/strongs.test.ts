import { verseId, verseWordId } from '@lectern/canon';
import { openCorpus } from '@lectern/corpus';
import { dataDir, useStarted } from '@lectern/testing';
import { tokenize } from '@lectern/words';
import { openConcordanceClient } from '../test-support/concordance-client';
import { describeWithDictionaries } from '../test-support/find-strongs-dictionaries';

const client = useStarted(openConcordanceClient);

const connection = `totalCount entry { lemma surfaceForms totalOccurrences verseCount occurrencesByTestament { old new } }
  edges { cursor node { context matches { start length } verse { reference text } strongs { number } } } pageInfo { hasNextPage endCursor }`;
const document = `query S($translation: String!, $number: String!, $book: String, $testament: Testament, $first: Int, $after: String) {
  strongsConcordance(translation: $translation, number: $number, book: $book, testament: $testament, first: $first, after: $after) { ${connection} }
}`;

interface Connection {
  totalCount: number;
  entry: {
    lemma: string;
    surfaceForms: string[];
    totalOccurrences: number;
    verseCount: number;
    occurrencesByTestament: { old: number; new: number };
  };
  edges: {
    node: {
      context: string;
      matches: { start: number; length: number }[];
      verse: { reference: string; text: string };
      strongs: { number: string } | null;
    };
  }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

async function strongsConcordance(variables: Record<string, unknown>): Promise<Connection> {
  const { data, errors } = await client.execute(document, variables);
  expect(errors).toBeUndefined();
  return data?.['strongsConcordance'] as Connection;
}

async function strongs(number: string): Promise<unknown> {
  const { data, errors } = await client.execute(
    'query N($number: String!) { strongs(number: $number) { number language } }',
    { number },
  );
  return errors ? { message: errors[0]?.message, code: errors[0]?.extensions?.['code'] } : data?.['strongs'];
}

test("_entities of concordance returns a StrongsEntry by its number, and null for a text that is no Strong's number", async () => {
  const { data, errors } = await client.execute(
    `query ($numbers: [_Any!]!) { entries: _entities(representations: $numbers) { ... on StrongsEntry { number language } } }`,
    { numbers: ['G26', 'H99999', 'G', ''].map((number) => ({ __typename: 'StrongsEntry', number })) },
  );
  expect(errors).toBeUndefined();
  expect(data?.['entries']).toEqual([
    { number: 'G26', language: 'grc' },
    { number: 'H99999', language: 'hbo' },
    null,
    null,
  ]);
});

test('the field StrongsEntry.renderings lists the commonest forms in a translation, with the same counts as strongsConcordance', async () => {
  const { data, errors } = await client.execute(
    `{ strongs(number: "G26") { three: renderings(translation: "eng-kjv", first: 3) { form occurrences verses } one: renderings(translation: "eng-kjv", first: 0) { form } all: renderings(translation: "eng-kjv", first: 1000) { form occurrences verses } }
       strongsConcordance(translation: "eng-kjv", number: "G26") { entry { formCounts { form occurrences verses } } } }`,
  );
  expect(errors).toBeUndefined();
  const { strongs, strongsConcordance } = data as {
    strongs: Record<'three' | 'one' | 'all', { form: string }[]>;
    strongsConcordance: { entry: { formCounts: unknown[] } };
  };
  const { three, one, all } = strongs;
  expect(all).toEqual(strongsConcordance.entry.formCounts);
  expect([three, one]).toEqual([all.slice(0, 3), [{ form: all[0]?.form }]]);
  expect(three.map(({ form }) => form)).toEqual(['love', 'charity', 'the love']);
});

test("StrongsEntry.renderings is empty for a translation without Strong's numbers, and fails for an unknown translation", async () => {
  const { data } = await client.execute('{ strongs(number: "G26") { renderings(translation: "eng-web") { form } } }');
  expect(data?.['strongs']).toEqual({ renderings: [] });
  const { errors } = await client.execute('{ strongs(number: "G26") { renderings(translation: "none") { form } } }');
  expect([errors?.[0]?.message, errors?.[0]?.extensions?.['code']]).toEqual([
    "Translation 'none' not found",
    'NOT_FOUND',
  ]);
});

test.each([
  ['H0430', 'H430', 'hbo'],
  ['H430', 'H430', 'hbo'],
  ['h430', 'H430', 'hbo'],
  [' g0026 ', 'G26', 'grc'],
  ['H00000000000000000000430', 'H430', 'hbo'],
])("the field strongs accepts %p as the Strong's number %s of the language %s", async (text, number, language) => {
  expect(await strongs(text)).toEqual({ number, language });
});

test.each([
  'H99999',
  'G5625',
  'H8675',
  'G0',
  'X12',
  '430',
  '',
  'H',
  'H-1',
  'H430 H431',
  "H430'; DROP TABLE lexicon",
  '\0',
  '😀',
  'G2717',
  'H430\0',
])("the field strongs rejects %j, which is not a known Strong's number, with NOT_FOUND", async (number) => {
  expect(await strongs(number)).toEqual({ message: `Strong's number '${number}' not found`, code: 'NOT_FOUND' });
});

describeWithDictionaries('with dictionaries', () => {
  test("the field strongs returns the lemma, the transliteration and the definition of a Strong's number", async () => {
    const fields = 'number lemma transliteration definition language';
    const { data } = await client.execute(
      `{ love: strongs(number: "G26") { ${fields} } kindness: strongs(number: "H2617") { ${fields} } father: strongs(number: "H2") { ${fields} } }`,
    );
    expect(data).toEqual({
      love: {
        number: 'G26',
        lemma: 'ἀγάπη',
        transliteration: 'agápē',
        language: 'grc',
        definition: expect.stringMatching(/^from G25; love, i\.e\. affection or benevolence;.*:--/),
      },
      kindness: {
        number: 'H2617',
        lemma: 'חסד',
        transliteration: 'chêsêd',
        language: 'hbo',
        definition: expect.stringMatching(/^From H2616; kindness; by implication \(towards God\) piety;/),
      },
      father: {
        number: 'H2',
        lemma: 'אב',
        transliteration: "'ab",
        language: 'hbo',
        definition: '(Chaldee); corresponding to H1: - father.',
      },
    });
  });
});

test.each([
  // In one verse each, a function word is a part of a phrase.
  ['eng-kjv', 'G26', 1],
  ['eng-kjv', 'H2617', 0],
  ['spa-rv1909', 'H430', 1],
  ['spa-rv1909', 'G5547', 0],
])(
  'the field strongsConcordance in %s returns the same verses and matches for %s as a scan of every verse',
  async (translation, number, phraseParts) => {
    const corpus = openCorpus(dataDir);
    const spans: { start: number; length: number }[][] = [];
    const forms = new Map<string, number>();
    for (const { text, words } of corpus.eachVerse(translation)) {
      const matches = words.filter((word) => word.strongs.includes(number));
      if (matches.length > 0) spans.push(matches.map(({ start, length }) => ({ start, length })));
      for (const { start, length } of matches) {
        const form = text.slice(start, start + length).toLowerCase();
        forms.set(form, (forms.get(form) ?? 0) + 1);
      }
    }
    corpus.close();
    const allMatches: typeof spans = [];
    let after: string | null = null;
    let page: Connection;
    do {
      page = await strongsConcordance({ translation, number, first: 100, after });
      allMatches.push(...page.edges.map(({ node }) => node.matches));
      for (const { node } of page.edges) expect(node.strongs).toEqual({ number });
      after = page.pageInfo.endCursor;
    } while (page.pageInfo.hasNextPage);
    expect(allMatches).toEqual(spans);
    expect(page).toMatchObject({
      totalCount: spans.length,
      entry: { lemma: number, verseCount: spans.length, totalOccurrences: spans.flat().length - phraseParts },
    });
    const counts = page.entry.surfaceForms.map((form) => forms.get(form.toLowerCase()) ?? 0);
    expect(counts).toHaveLength(Math.min(10, forms.size - phraseParts));
    expect(counts).toEqual([...forms.values()].sort((a, b) => b - a).slice(0, counts.length));
  },
);

test('the field strongsConcordance filters by book and testament, and marks the match in the field context', async () => {
  const page = await strongsConcordance({ translation: 'eng-kjv', number: 'g0026', book: '1 John', first: 1 });
  expect(page).toMatchObject({
    pageInfo: { hasNextPage: true },
    edges: [{ node: { verse: { reference: '1 John 2:5' }, context: expect.stringContaining('<mark>love</mark>') } }],
  });
  expect(page.entry.verseCount).toBeGreaterThan(page.totalCount);
  expect(
    await strongsConcordance({ translation: 'eng-kjv', number: 'G26', book: 'GEN', testament: 'NEW' }),
  ).toMatchObject({
    totalCount: 0,
    edges: [],
    entry: { occurrencesByTestament: { old: 0, new: page.entry.verseCount } },
  });
  const { errors } = await client.execute(document, { translation: 'eng-kjv', number: 'G26', after: 'x' });
  expect(errors?.[0]).toMatchObject({ message: 'Invalid cursor', extensions: { code: 'BAD_USER_INPUT' } });
});

test("the field strongsConcordance is empty in a translation without Strong's numbers, and rejects an unknown Strong's number", async () => {
  expect(await strongsConcordance({ translation: 'eng-web', number: 'G26' })).toMatchObject({
    totalCount: 0,
    edges: [],
    entry: { lemma: 'G26', surfaceForms: [], totalOccurrences: 0 },
  });
  const { errors } = await client.execute(document, { translation: 'eng-web', number: 'G9999' });
  expect(errors?.[0]).toMatchObject({
    message: "Strong's number 'G9999' not found",
    extensions: { code: 'NOT_FOUND' },
  });
});

test("the field strongs of a concordance occurrence is the Strong's number of its first match", async () => {
  const field = (translation: string): string =>
    `concordance(translation: "${translation}", word: "mercy", book: "PSA", first: 3) { edges { node { strongs { number } } } }`;
  const { data } = await client.execute(`{ kjv: ${field('eng-kjv')} web: ${field('eng-web')} }`);
  expect(data).toMatchObject({
    kjv: {
      edges: [
        { node: { strongs: { number: 'H2603' } } },
        { node: { strongs: { number: 'H2617' } } },
        { node: { strongs: { number: 'H2603' } } },
      ],
    },
  });
  expect(data).toMatchObject({
    web: { edges: [{ node: { strongs: null } }, { node: { strongs: null } }, { node: { strongs: null } }] },
  });
});

describe('Verse.words', () => {
  const wordsDocument =
    'query W($of: [_Any!]!) { _entities(representations: $of) { ... on Verse { reference text words { text start length strongs { number lemma } } } } }';
  const verseReference = (translation: string, chapter: number, number: number) => ({
    __typename: 'Verse',
    id: verseId({ translation, book: 'PSA', chapter, verse: number }),
  });

  interface WordsOfVerse {
    reference: string;
    text: string;
    words: { text: string; start: number; length: number; strongs: { number: string }[] }[];
  }

  test("the field Verse.words returns the words of a verse with their Strong's numbers", async () => {
    const { data } = await client.execute(wordsDocument, { of: [verseReference('eng-kjv', 23, 1)] });
    const [found] = (data?.['_entities'] ?? []) as WordsOfVerse[];
    expect(found?.words.map(({ text, start, length }) => ({ text, start, length }))).toEqual(
      tokenize(found?.text ?? '').map(({ text, start, length }) => ({ text, start, length })),
    );
    expect(found?.words.find(({ text }) => text === 'LORD')?.strongs).toMatchObject([{ number: 'H3068' }]);
    expect(found?.words.find(({ text }) => text === 'shepherd')?.strongs).toMatchObject([{ number: 'H7462' }]);
    expect(found?.words.find(({ text }) => text === 'my')?.strongs).toEqual([]);
  });

  test("the field Verse.words is empty in a translation without Strong's numbers, and _entities returns null for a missing verse", async () => {
    const { data, errors } = await client.execute(wordsDocument, {
      of: [
        verseReference('eng-web', 23, 1),
        verseReference('eng-web', 151, 1),
        { __typename: 'Verse', id: 'not-an-id' },
        verseReference('eng-none', 1, 1),
      ],
    });
    expect(errors).toBeUndefined();
    expect(data?.['_entities']).toMatchObject([{ reference: 'Psalms 23:1', words: [] }, null, null, null]);
  });

  test('the field Verse.words of 100 verses is read with one SQL statement', async () => {
    const of = Array.from({ length: 100 }, (_, index) => verseReference('spa-rv1909', 119, index + 1));
    client.statements.length = 0;
    const { data } = await client.execute(wordsDocument, { of });
    const verses = data?.['_entities'] as WordsOfVerse[];
    expect(verses.map(({ reference }) => reference)).toEqual(of.map((_, index) => `Salmos 119:${index + 1}`));
    expect(verses.flatMap(({ words }) => words.flatMap(({ strongs }) => strongs)).length).toBeGreaterThan(500);
    expect(client.statements).toHaveLength(1);
  });

  test('the field Verse.words of a concordance page of 100 verses is read with one SQL statement', async () => {
    client.statements.length = 0;
    const { data } = await client.execute(
      '{ concordance(translation: "eng-kjv", word: "LORD", first: 100) { edges { node { context strongs { lemma } verse { words { text strongs { lemma } } } } } } }',
    );
    const page = data?.['concordance'] as Connection;
    expect(page.edges).toHaveLength(100);
    expect(client.statements.filter((statement) => statement.includes('FROM json_each'))).toHaveLength(1);
    expect(client.statements.length).toBeLessThanOrEqual(3);
  });
});

test('_entities of the concordance subgraph returns a Word by its id, and null for an id that names no word', async () => {
  const verse = { translation: 'eng-kjv', book: 'PSA', chapter: 23, verse: 1 } as const;
  const read = async (fields: string, ids: readonly { __typename: string; id: string }[]) =>
    (await client.execute(`query W($of: [_Any!]!) { _entities(representations: $of) { ${fields} } }`, { of: ids }))
      .data?.['_entities'];
  const word = '... on Word { id text start strongs { number } }';
  const [{ words }] = (await read(`... on Verse { words { id text start strongs { number } } }`, [
    { __typename: 'Verse', id: verseId(verse) },
  ])) as [{ words: { id: string; text: string }[] }];
  expect(words.map(({ text }) => text).slice(0, 2)).toEqual(['The', 'LORD']);
  expect(
    await read(
      word,
      words.map(({ id }) => ({ __typename: 'Word', id })),
    ),
  ).toEqual(words);
  const wrong = [verseWordId(verse, 1), verseWordId({ ...verse, translation: 'gone' }, 0), verseId(verse), 'x'];
  expect(
    await read(
      word,
      wrong.map((id) => ({ __typename: 'Word', id })),
    ),
  ).toEqual([null, null, null, null]);
});

test('concordanceIndexedAt is a UTC timestamp, and _entities of concordance returns null for an unknown translation', async () => {
  const { data } = await client.execute(
    'query T($of: [_Any!]!) { _entities(representations: $of) { ... on Translation { identifier concordanceIndexedAt } } }',
    {
      of: [
        { __typename: 'Translation', identifier: 'eng-web' },
        { __typename: 'Translation', identifier: 'eng-none' },
      ],
    },
  );
  expect(data?.['_entities']).toEqual([
    { identifier: 'eng-web', concordanceIndexedAt: expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) },
    null,
  ]);
});

test('strongsConcordance counts separated words for one Greek word once, so G907 occurs 80 times in Mark', async () => {
  const { entry, edges } = await strongsConcordance({ translation: 'eng-kjv', number: 'G907', book: 'Mark' });
  expect(entry.totalOccurrences).toBe(80);
  expect(edges.map(({ node }) => node.context)).toContainEqual(
    expect.stringContaining('<mark>were</mark> all <mark>baptized</mark>'),
  );
});

interface Rendered {
  totalCount: number;
  entry: { totalOccurrences: number; formCounts: { form: string; verses: number }[] };
  edges: { node: { verse: { reference: string; text: string }; matches: { start: number; length: number }[] } }[];
}

test('the argument rendering of strongsConcordance keeps the verses in which a translation has these words for a number', async () => {
  const { data, errors } = await client.execute(
    `query ($order: ConcordanceOrder) {
      charity: strongsConcordance(translation: "eng-kjv", number: "G26", rendering: "Charity", first: 100, order: $order) { ...R }
      love: strongsConcordance(translation: "eng-kjv", number: "G26", rendering: "love", first: 100) { ...R }
      mercy: strongsConcordance(translation: "eng-kjv", number: "H2617", rendering: "mercy", book: "PSA", first: 100) { ...R }
      none: strongsConcordance(translation: "eng-kjv", number: "G26", rendering: "hate") { ...R } }
    fragment R on ConcordanceConnection { totalCount entry { totalOccurrences formCounts { form verses } }
      edges { node { verse { reference text } matches { start length } } } }`,
    { order: 'WORD_BEFORE' },
  );
  expect(errors).toBeUndefined();
  const { charity, love, mercy, none } = data as unknown as Record<string, Rendered>;
  expect([charity?.totalCount, charity?.entry.totalOccurrences, none?.totalCount]).toEqual([24, 28, 0]);
  expect(love?.totalCount).toBeGreaterThan(70);
  expect(mercy?.totalCount).toBeGreaterThan(80);
  for (const [word, found] of Object.entries({ charity, love, mercy }))
    for (const { node } of found?.edges ?? [])
      for (const { start, length } of node.matches)
        expect(node.verse.text.slice(start, start + length).toLowerCase()).toContain(word);
});

test.each([
  ['   ', 'rendering must not be blank'],
  ['a'.repeat(101), 'rendering must be 100 characters or fewer'],
])('the argument rendering of strongsConcordance rejects %j', async (rendering, message) => {
  const { errors } = await client.execute(
    `query ($r: String) { strongsConcordance(translation: "eng-kjv", number: "G26", rendering: $r) { totalCount } }`,
    { r: rendering },
  );
  expect(errors?.[0]?.message).toBe(message);
});

test.each([
  ['spa-rv1909', 'G4151', 'espiritu', 'espíritu'],
  ['hbo-wlc', 'H2617', 'חסד', 'חֶסֶד'],
])('in %s, the rendering of %s finds the same without accents and points', async (translation, number, bare, full) => {
  const query = `query ($translation: String!, $number: String!, $bare: String!, $full: String!) {
    bare: strongsConcordance(translation: $translation, number: $number, rendering: $bare) { totalCount }
    full: strongsConcordance(translation: $translation, number: $number, rendering: $full) { totalCount } }`;
  const { data } = await client.execute(query, { translation, number, bare, full });
  expect(data?.['bare']).toEqual(data?.['full']);
  expect(data?.['bare']).not.toEqual({ totalCount: 0 });
});
