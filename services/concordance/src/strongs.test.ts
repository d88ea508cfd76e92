import { verseId } from '@lectern/canon';
import { openCorpus } from '@lectern/corpus';
import { corpusFile } from '@lectern/testing';
import { tokenize } from '@lectern/words';
import { buildingMs, openReal } from '../test-support/concordance-client';
import { withDictionaries } from '../test-support/dictionaries';

let real: Awaited<ReturnType<typeof openReal>>;
beforeAll(async () => {
  real = await openReal();
}, buildingMs);
afterAll(() => real.close());

const connection = `totalCount entry { lemma surfaceForms totalOccurrences verseCount occurrencesByTestament { old new } }
  edges { cursor node { context matches { start length } verse { reference text } strongs { number } } } pageInfo { hasNextPage endCursor }`;
const query = `query S($translation: String!, $number: String!, $book: String, $testament: Testament, $first: Int, $after: String) {
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

async function tagged(variables: Record<string, unknown>): Promise<Connection> {
  const { data, errors } = await real.ask({ query, variables });
  expect(errors).toBeUndefined();
  return data?.['strongsConcordance'] as Connection;
}

async function strongs(number: string): Promise<unknown> {
  const { data, errors } = await real.ask({
    query: 'query N($number: String!) { strongs(number: $number) { number language } }',
    variables: { number },
  });
  return errors ? { message: errors[0]?.message, code: errors[0]?.extensions?.['code'] } : data?.['strongs'];
}

test.each([
  ['H0430', 'H430', 'hbo'],
  ['H430', 'H430', 'hbo'],
  ['h430', 'H430', 'hbo'],
  [' g0026 ', 'G26', 'grc'],
  ['H00000000000000000000430', 'H430', 'hbo'],
])('%s is %s', async (asked, number, language) => {
  expect(await strongs(asked)).toEqual({ number, language });
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
])('%j is not found', async (number) => {
  expect(await strongs(number)).toEqual({ message: `Strong's number '${number}' not found`, code: 'NOT_FOUND' });
});

withDictionaries('with dictionaries', () => {
  test('a number gives the word, its letters and its meaning', async () => {
    const fields = 'number lemma transliteration definition language';
    const { data } = await real.ask({
      query: `{ love: strongs(number: "G26") { ${fields} } kindness: strongs(number: "H2617") { ${fields} } father: strongs(number: "H2") { ${fields} } }`,
    });
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
  ['eng-kjv', 'G26'],
  ['eng-kjv', 'H2617'],
  ['spa-rv1909', 'H430'],
  ['spa-rv1909', 'G5547'],
])(
  'in %s the verses and words tagged %s are those of the corpus',
  async (translation, number) => {
    const corpus = openCorpus(corpusFile);
    const spans: { start: number; length: number }[][] = [];
    const forms = new Map<string, number>();
    for (const { text, words } of corpus.eachVerse(translation)) {
      const hits = words.filter((word) => word.strongs.includes(number));
      if (hits.length > 0) spans.push(hits.map(({ start, length }) => ({ start, length })));
      for (const { start, length } of hits) {
        const form = text.slice(start, start + length).toLowerCase();
        forms.set(form, (forms.get(form) ?? 0) + 1);
      }
    }
    corpus.close();
    const walked: typeof spans = [];
    let after: string | null = null;
    let last: Connection;
    do {
      last = await tagged({ translation, number, first: 100, after });
      walked.push(...last.edges.map(({ node }) => node.matches));
      for (const { node } of last.edges) expect(node.strongs).toEqual({ number });
      after = last.pageInfo.endCursor;
    } while (last.pageInfo.hasNextPage);
    expect(walked).toEqual(spans);
    expect(last).toMatchObject({
      totalCount: spans.length,
      entry: { lemma: number, verseCount: spans.length, totalOccurrences: spans.flat().length },
    });
    const counts = last.entry.surfaceForms.map((form) => forms.get(form.toLowerCase()) ?? 0);
    expect(counts).toEqual([...forms.values()].sort((a, b) => b - a).slice(0, 10));
  },
  60_000,
);

test('filters, pages and contexts are those of concordance', async () => {
  const page = await tagged({ translation: 'eng-kjv', number: 'g0026', book: '1 John', first: 1 });
  expect(page).toMatchObject({
    pageInfo: { hasNextPage: true },
    edges: [{ node: { verse: { reference: '1 John 2:5' }, context: expect.stringContaining('<mark>love</mark>') } }],
  });
  expect(page.entry.verseCount).toBeGreaterThan(page.totalCount);
  expect(await tagged({ translation: 'eng-kjv', number: 'G26', book: 'GEN', testament: 'NEW' })).toMatchObject({
    totalCount: 0,
    edges: [],
    entry: { occurrencesByTestament: { old: 0, new: page.entry.verseCount } },
  });
  const { errors } = await real.ask({ query, variables: { translation: 'eng-kjv', number: 'G26', after: 'x' } });
  expect(errors?.[0]).toMatchObject({ message: 'Invalid cursor', extensions: { code: 'BAD_USER_INPUT' } });
});

test('a translation without tags has no verse of a number; an unknown number is an error', async () => {
  expect(await tagged({ translation: 'eng-web', number: 'G26' })).toMatchObject({
    totalCount: 0,
    edges: [],
    entry: { lemma: 'G26', surfaceForms: [], totalOccurrences: 0 },
  });
  const { errors } = await real.ask({ query, variables: { translation: 'eng-web', number: 'G9999' } });
  expect(errors?.[0]).toMatchObject({
    message: "Strong's number 'G9999' not found",
    extensions: { code: 'NOT_FOUND' },
  });
});

test('an occurrence names the word behind its first hit, and nothing where the text is untagged', async () => {
  const ask = (translation: string): string =>
    `concordance(translation: "${translation}", word: "mercy", book: "PSA", first: 3) { edges { node { strongs { number } } } }`;
  const { data } = await real.ask({ query: `{ kjv: ${ask('eng-kjv')} web: ${ask('eng-web')} }` });
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
  const entities =
    'query W($of: [_Any!]!) { _entities(representations: $of) { ... on Verse { reference text words { text start length strongs { number lemma } } } } }';
  const verse = (translation: string, chapter: number, number: number) => ({
    __typename: 'Verse',
    id: verseId({ translation, book: 'PSA', chapter, verse: number }),
  });

  interface WordsOfVerse {
    reference: string;
    text: string;
    words: { text: string; start: number; length: number; strongs: { number: string }[] }[];
  }

  test('are the words of the text, each with the numbers of its tag', async () => {
    const { data } = await real.ask({ query: entities, variables: { of: [verse('eng-kjv', 23, 1)] } });
    const [found] = (data?.['_entities'] ?? []) as WordsOfVerse[];
    expect(found?.words.map(({ text, start, length }) => ({ text, start, length }))).toEqual(
      tokenize(found?.text ?? '').map(({ text, start, length }) => ({ text, start, length })),
    );
    expect(found?.words.find(({ text }) => text === 'LORD')?.strongs).toMatchObject([{ number: 'H3068' }]);
    expect(found?.words.find(({ text }) => text === 'shepherd')?.strongs).toMatchObject([{ number: 'H7462' }]);
    expect(found?.words.find(({ text }) => text === 'my')?.strongs).toEqual([]);
  });

  test('are none where the translation is untagged, and the verse null where there is none', async () => {
    const { data, errors } = await real.ask({
      query: entities,
      variables: {
        of: [
          verse('eng-web', 23, 1),
          verse('eng-web', 151, 1),
          { __typename: 'Verse', id: 'nonsense' },
          verse('eng-none', 1, 1),
        ],
      },
    });
    expect(errors).toBeUndefined();
    expect(data?.['_entities']).toMatchObject([{ reference: 'Psalms 23:1', words: [] }, null, null, null]);
  });

  test('of 100 verses are one statement', async () => {
    const of = Array.from({ length: 100 }, (_, index) => verse('spa-rv1909', 119, index + 1));
    real.statements.length = 0;
    const { data } = await real.ask({ query: entities, variables: { of } });
    const verses = data?.['_entities'] as WordsOfVerse[];
    expect(verses.map(({ reference }) => reference)).toEqual(of.map((_, index) => `Salmos 119:${index + 1}`));
    expect(verses.flatMap(({ words }) => words.flatMap(({ strongs }) => strongs)).length).toBeGreaterThan(500);
    expect(real.statements).toHaveLength(1);
  });

  test('of a page of 100 are read with the page', async () => {
    real.statements.length = 0;
    await real.ask({
      query:
        '{ concordance(translation: "eng-kjv", word: "psalm", first: 100) { edges { node { context strongs { lemma } verse { words { text strongs { lemma } } } } } } }',
    });
    expect(real.statements.filter((statement) => statement.includes('FROM json_each'))).toHaveLength(1);
    expect(real.statements.length).toBeLessThanOrEqual(3);
  });
});

test('a translation says when it was indexed, and one that is not there is null', async () => {
  const { data } = await real.ask({
    query:
      'query T($of: [_Any!]!) { _entities(representations: $of) { ... on Translation { identifier concordanceIndexedAt } } }',
    variables: {
      of: [
        { __typename: 'Translation', identifier: 'eng-web' },
        { __typename: 'Translation', identifier: 'eng-none' },
      ],
    },
  });
  expect(data?.['_entities']).toEqual([
    { identifier: 'eng-web', concordanceIndexedAt: expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) },
    null,
  ]);
});
