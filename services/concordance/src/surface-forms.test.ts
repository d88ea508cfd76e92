import { silentLogger } from '@lectern/serving';
import { executeInProcess } from '@lectern/subgraph';
import { withFolder } from '@lectern/testing';
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

test('the field context escapes HTML in the text, and the field matches has offsets of the unescaped text', async () => {
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

test('the field concordance ignores case and accents in a language without a stemmer', async () => {
  const data = await queryData(
    [{ identifier: 'lat-small', language: 'lat', verses: ['Beatus vir', 'beátus et beati'] }],
    '{ concordance(translation: "lat-small", word: "BEATUS") { totalCount entry { lemma surfaceForms } } concordanceIndex(translation: "lat-small") { lemma displayForm totalOccurrences } }',
  );
  expect(data).toEqual({
    concordance: { totalCount: 2, entry: { lemma: 'beatus', surfaceForms: ['Beatus', 'beátus'] } },
    concordanceIndex: [
      ['beati', 'beati', 1],
      ['beatus', 'Beatus', 2],
      ['et', 'et', 1],
      ['vir', 'vir', 1],
    ].map(([lemma, displayForm, totalOccurrences]) => ({ lemma, displayForm, totalOccurrences })),
  });
});

test('the field surfaceForms merges spellings that differ in case, returns the commonest spelling, and sorts forms by count, then alphabetically', async () => {
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

test("the field Word.strongs returns all Strong's numbers of the tag that covers the word", async () => {
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
