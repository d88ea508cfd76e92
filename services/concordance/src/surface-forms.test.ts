import { silentLogger } from '@lectern/serving';
import { executeInProcess } from '@lectern/subgraph';
import { useStarted, withFolder } from '@lectern/testing';
import { openConcordanceClient } from '../test-support/concordance-client';
import { isolatedEnv, makeSmallCorpus, type SmallTranslation } from '../test-support/import-invented-psalms';
import { buildConcordanceIndex, createConcordanceSubgraph } from './index';

/** Builds the concordance of invented translations, and executes a query on it. */
async function queryData(
  translations: readonly SmallTranslation[],
  query: string,
): Promise<Record<string, unknown> | null | undefined> {
  return withFolder(async (folder) => {
    await makeSmallCorpus(folder, translations);
    await buildConcordanceIndex({
      dataDir: folder,
      log: () => undefined,
      env: isolatedEnv(folder),
      swordRoots: [],
    });
    const subgraph = createConcordanceSubgraph({ dataDir: folder });
    const { data, errors } = await executeInProcess(subgraph, silentLogger)({ query });
    subgraph.close();
    expect(errors).toBeUndefined();
    return data;
  });
}

test('the field context escapes HTML, while the offsets of the field matches refer to the unescaped text', async () => {
  const data = await queryData(
    [{ identifier: 'eng-small', language: 'eng', verses: ['Bread &amp; wine &lt;for&gt; all 😀 wines'] }],
    '{ concordance(translation: "eng-small", word: "wine") { edges { node { context matches { start length } verse { text } } } } }',
  );
  expect(data).toEqual({
    concordance: {
      edges: [
        {
          node: {
            context: 'Bread &amp; <mark>wine</mark> &lt;for&gt; all 😀 <mark>wines</mark>',
            matches: [
              { start: 8, length: 4 },
              { start: 26, length: 5 },
            ],
            verse: { text: 'Bread & wine <for> all 😀 wines' },
          },
        },
      ],
    },
  });
});

test('the field concordance finds words with soft hyphens, and counts these words as the same form', async () => {
  const data = await queryData(
    [{ identifier: 'lat-small', language: 'lat', verses: ['be\u00adatus vir', 'beatus vir'] }],
    '{ concordance(translation: "lat-small", word: "beatus") { totalCount entry { surfaceForms } } }',
  );
  expect(data).toEqual({ concordance: { totalCount: 2, entry: { surfaceForms: ['beatus'] } } });
});

test('the field concordance ignores case and accents in a language without a stemmer', async () => {
  const data = await queryData(
    [{ identifier: 'lat-small', language: 'lat', verses: ['Beatus vir', 'beátus fructum beati'] }],
    '{ concordance(translation: "lat-small", word: "BEATUS") { totalCount entry { lemma surfaceForms } } concordanceIndex(translation: "lat-small") { lemma displayForm totalOccurrences } }',
  );
  expect(data).toEqual({
    concordance: { totalCount: 2, entry: { lemma: 'beatus', surfaceForms: ['Beatus', 'beátus'] } },
    concordanceIndex: [
      ['beati', 'beati', 1],
      ['beatus', 'Beatus', 2],
      ['fructum', 'fructum', 1],
      ['vir', 'vir', 1],
    ].map(([lemma, displayForm, totalOccurrences]) => ({ lemma, displayForm, totalOccurrences })),
  });
});

test('the field surfaceForms merges spellings that differ only in case, and sorts forms by their count', async () => {
  const data = await queryData(
    [
      {
        identifier: 'eng-small',
        language: 'eng',
        verses: ['Walks walking Walked walked walk WALK walk walking walks', 'the Lord and the LORD and THE LORD'],
      },
    ],
    '{ walk: concordance(translation: "eng-small", word: "walked") { entry { surfaceForms } } lord: concordance(translation: "eng-small", word: "lord") { entry { surfaceForms } } }',
  );
  expect(data).toEqual({
    walk: { entry: { surfaceForms: ['walk', 'walked', 'walking', 'walks'] } },
    lord: { entry: { surfaceForms: ['LORD'] } },
  });
});

test("the field Word.strongs returns all Strong's numbers of the source's tag in which the word stands", async () => {
  const data = await queryData(
    [{ identifier: 'eng-small', language: 'eng', verses: ['<w s="H1 H2">Only father</w> <w s="H3">green</w> tree'] }],
    '{ concordance(translation: "eng-small", word: "father") { edges { node { strongs { number } verse { words { text strongs { number } } } } } } strongsConcordance(translation: "eng-small", number: "H2") { entry { surfaceForms totalOccurrences } edges { node { context strongs { number } } } } }',
  );
  const both = [{ number: 'H1' }, { number: 'H2' }];
  expect(data).toEqual({
    concordance: {
      edges: [
        {
          node: {
            strongs: { number: 'H1' },
            verse: {
              words: [
                { text: 'Only', strongs: both },
                { text: 'father', strongs: both },
                { text: 'green', strongs: [{ number: 'H3' }] },
                { text: 'tree', strongs: [] },
              ],
            },
          },
        },
      ],
    },
    strongsConcordance: {
      entry: { surfaceForms: ['Only father'], totalOccurrences: 1 },
      edges: [{ node: { context: '<mark>Only father</mark> green tree', strongs: { number: 'H2' } } }],
    },
  });
});

const matchModes = `query($translation: String!, $word: String!, $match: WordMatch) {
  concordance(translation: $translation, word: $word, match: $match) {
    totalCount
    entry { totalOccurrences surfaceForms formCounts { form occurrences verses } }
    edges { node { context } }
  }
}`;

interface Matched {
  totalCount: number;
  entry: {
    totalOccurrences: number;
    surfaceForms: string[];
    formCounts: { form: string; occurrences: number; verses: number }[];
  };
  edges: { node: { context: string } }[];
}

const client = useStarted(openConcordanceClient);

async function matched(word: string, match?: string, translation = 'eng-kjv'): Promise<Matched> {
  const { data, errors } = await client.execute(matchModes, { translation, word, match });
  expect(errors).toBeUndefined();
  return data?.['concordance'] as Matched;
}

test('concordance compares stems by default, forms with match: FORM, and words as written with match: EXACT_CASE', async () => {
  const verses = ['Walk, walked: walk! WALKED', 'he walked', 'amo amó Amo'];
  const counts: Record<string, unknown> = {};
  for (const [word, match] of [
    ['walked', 'STEM'],
    ['Walked', 'FORM'],
    ['walked', 'EXACT_CASE'],
    ['walk walked', 'EXACT_CASE'],
    ['AMO', 'FORM'],
    ['Amó', 'EXACT_CASE'],
  ] as const) {
    const data = await queryData(
      [{ identifier: 'eng-small', language: 'eng', verses }],
      `{ concordance(translation: "eng-small", word: "${word}", match: ${match}) { entry { totalOccurrences formCounts { form occurrences verses } } edges { node { context } } } }`,
    );
    const { entry, edges } = (data ?? {})['concordance'] as Matched;
    counts[`${word} ${match}`] = [
      entry.totalOccurrences,
      entry.formCounts.map(({ form, ...each }) => `${form} ${each.occurrences}/${each.verses}`),
      edges.map(({ node }) => node.context),
    ];
  }
  expect(counts).toEqual({
    'walked STEM': [
      5,
      ['walked 3/2', 'walk 2/1'],
      ['<mark>Walk</mark>, <mark>walked</mark>: <mark>walk</mark>! <mark>WALKED</mark>', 'he <mark>walked</mark>'],
    ],
    'Walked FORM': [
      3,
      ['walked 3/2'],
      ['Walk, <mark>walked</mark>: walk! <mark>WALKED</mark>', 'he <mark>walked</mark>'],
    ],
    'walked EXACT_CASE': [2, ['walked 2/2'], ['Walk, <mark>walked</mark>: walk! WALKED', 'he <mark>walked</mark>']],
    'walk walked EXACT_CASE': [2, ['walk 1/1', 'walked 1/1'], ['Walk, <mark>walked</mark>: <mark>walk</mark>! WALKED']],
    'AMO FORM': [2, ['amo 2/1'], ['<mark>amo</mark> amó <mark>Amo</mark>']],
    'Amó EXACT_CASE': [0, [], []],
  });
});

test('with match: EXACT_CASE, the concordance of the King James Version distinguishes the words LORD and Lord', async () => {
  expect((await matched('faith', 'FORM')).entry.totalOccurrences).toBe(247);
  const [divineName, lord, both] = [
    await matched('LORD', 'EXACT_CASE'),
    await matched('Lord', 'EXACT_CASE'),
    await matched('lord', 'FORM'),
  ];
  expect(divineName.entry.surfaceForms).toEqual(['LORD']);
  expect(lord.entry.surfaceForms).toEqual(['Lord']);
  expect(both.entry.totalOccurrences).toBeGreaterThanOrEqual(
    divineName.entry.totalOccurrences + lord.entry.totalOccurrences,
  );
  for (const { node } of divineName.edges) expect(node.context).toContain('<mark>LORD</mark>');
});

test('the concordance of the King James Version for the word come finds cometh and comest, but not comely', async () => {
  const come = await matched('come');
  expect(come.entry.formCounts.map(({ form }) => form)).toEqual(expect.arrayContaining(['come', 'cometh', 'comest']));
  expect(come.entry.formCounts.map(({ form }) => form)).not.toContain('comely');
});

test('with match: FORM or EXACT_CASE, the order WORD_AFTER and the collocates depend only on exact matches', async () => {
  const data = await queryData(
    [
      {
        identifier: 'eng-small',
        language: 'eng',
        verses: ['Lord zeal, LORD alpha', 'LORD beta gamma', 'Lord gamma gamma gamma', 'delta beta'],
      },
    ],
    `{ concordance(translation: "eng-small", word: "LORD", match: EXACT_CASE, order: WORD_AFTER) { edges { node { context } } }
         lord: concordance(translation: "eng-small", word: "Lord", match: EXACT_CASE, order: WORD_AFTER) { edges { node { context } } }
         collocates(translation: "eng-small", word: "LORD", match: EXACT_CASE, window: 1, minOccurrences: 1) { displayForm together } }`,
  );
  expect(data).toEqual({
    concordance: {
      edges: [
        { node: { context: 'Lord zeal, <mark>LORD</mark> alpha' } },
        { node: { context: '<mark>LORD</mark> beta gamma' } },
      ],
    },
    lord: {
      edges: [
        { node: { context: '<mark>Lord</mark> gamma gamma gamma' } },
        { node: { context: '<mark>Lord</mark> zeal, LORD alpha' } },
      ],
    },
    collocates: expect.arrayContaining([
      { displayForm: 'alpha', together: 1 },
      { displayForm: 'zeal', together: 1 },
      { displayForm: 'beta', together: 1 },
    ]),
  });
});
