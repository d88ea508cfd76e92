import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildDerivedTranslations } from '@lectern/corpus';
import { silentLogger } from '@lectern/serving';
import { executeInProcess } from '@lectern/subgraph';
import { translationWithLemmas, useStarted } from '@lectern/testing';
import { isolatedEnv } from '../test-support/import-invented-psalms';
import { buildConcordanceIndex, createConcordanceSubgraph } from './index';

const translations = [
  translationWithLemmas('hbo-small', 'hbo', [
    'בְּרֵאשִׁ֖ית/רֵאשִׁית/H7225 בָּרָ֣א/בָּרָא/H1254 אֱלֹהִ֑ים/אֱלֹהִים/H430',
    'דְּבַר/דָּבָר/H1697 דִּבֶּ֥ר/דָבַר/H1696 אֱלֹהִ֔ים/אֱלֹהִים/H430',
    'דֶּ֖בֶר/דֶּ֫בֶר/H1698 לָהֶ֑ם/לְ/ דברו/דָּבָר/H1697',
    'בית/בֵּית_אֵל/H1008 אל/בֵּית_אֵל/H1008 אֶל/אֶל/H413 שלום/שָׁלוֹם/H7965',
  ]),
  translationWithLemmas('grc-small', 'grc', [
    'Ἐν/ἐν/G1722 ἀρχῇ/ἀρχή/G746 ἦν/εἰμί/G1510 ὁ/ὁ/G3588 λόγος/λόγος/G3056',
    'ὅ/ὅς/G3739 ἐστιν/εἰμί/G1510 τὸν/ὁ/G3588 λόγον/λόγος/G3056',
    'ἠγάπησεν/ἀγαπάω/G25 ὁ/ὁ/G3588 θεὸς/θεός/G2316',
    'ἠγάπησέν/ἀγαπάω/G25 ἡ/ὁ/G3588 ἢ/ἤ/G2228',
  ]),
];

/** Serves the two translations above. */
async function openClient() {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-'));
  const log = () => undefined;
  await buildDerivedTranslations(translations, { dataDir: folder, check: 'contents', log });
  await buildConcordanceIndex({ dataDir: folder, log, env: isolatedEnv(folder), swordRoots: [] });
  const subgraph = createConcordanceSubgraph({ dataDir: folder });
  const execute = executeInProcess(subgraph, silentLogger);
  return {
    async data(query: string) {
      const { data, errors } = await execute({ query });
      expect(errors).toBeUndefined();
      return JSON.parse(JSON.stringify(data)) as Record<string, never>;
    },
    errors: async (query: string) => (await execute({ query })).errors?.map(({ message }) => message),
    close() {
      subgraph.close();
      rmSync(folder, { recursive: true });
    },
  };
}

const client = useStarted(openClient);

/** The lemmas that a word finds, and its matches by verse: `1 בָּרָ֣א`. */
async function find(translation: string, word: string, match = 'STEM') {
  const { concordance } = (await client.data(
    `{ concordance(translation: "${translation}", word: ${JSON.stringify(word)}, match: ${match}) {
      entry { lemma totalOccurrences } edges { node { verse { verse } context } } } }`,
  )) as unknown as {
    concordance: {
      entry: { lemma: string; totalOccurrences: number };
      edges: { node: { context: string; verse: { verse: number } } }[];
    };
  };
  const { entry, edges } = concordance;
  const matches = edges.flatMap(({ node }) =>
    Array.from(node.context.matchAll(/<mark>(.*?)<\/mark>/g), ([, marked]) => `${node.verse.verse} ${marked}`),
  );
  expect(matches).toHaveLength(entry.totalOccurrences);
  return [entry.lemma, ...matches];
}

describe('the concordance of a translation with lemmas', () => {
  test.each([
    ['the lemma as a dictionary writes it', 'grc-small', 'ἀγαπάω', ['ἀγαπάω', '3 ἠγάπησεν', '4 ἠγάπησέν']],
    ['the lemma without accents and in capitals', 'grc-small', 'ΑΓΑΠΑΩ', ['ἀγαπάω', '3 ἠγάπησεν', '4 ἠγάπησέν']],
    ['a form of the lemma', 'grc-small', 'ἠγάπησεν', ['ἀγαπάω', '3 ἠγάπησεν', '4 ἠγάπησέν']],
    ['a form with a grave instead of an acute accent', 'grc-small', 'θεὸς', ['θεός', '3 θεὸς']],
    ['an irregular form without accents', 'grc-small', 'εστιν', ['εἰμί', '1 ἦν', '2 ἐστιν']],
    ['a Hebrew lemma without points', 'hbo-small', 'ברא', ['בָּרָא', '1 בָּרָ֣א']],
    ['a Hebrew form with a prefix', 'hbo-small', 'בראשית', ['רֵאשִׁית', '1 בְּרֵאשִׁ֖ית']],
    ['a form without a Strong number', 'hbo-small', 'להם', ['לְ', '3 לָהֶ֑ם']],
    [
      'a form whose last letter is not written as a final letter',
      'hbo-small',
      'אלהימ',
      ['אֱלֹהִים', '1 אֱלֹהִ֑ים', '2 אֱלֹהִ֔ים'],
    ],
    [
      'a form with a presentation form (compatibility character) of a letter',
      'hbo-small',
      'ﬡלהים',
      ['אֱלֹהִים', '1 אֱלֹהִ֑ים', '2 אֱלֹהִ֔ים'],
    ],
    ['a word with a zero-width joiner', 'hbo-small', 'אל\u200dהים', ['אֱלֹהִים', '1 אֱלֹהִ֑ים', '2 אֱלֹהִ֔ים']],
  ])('the concordance finds all words of a lemma by %s', async (_, translation, word, [lemma, ...expected]) => {
    expect(await find(translation, word)).toEqual([lemma, ...expected]);
  });

  test('for a Hebrew word without points, the concordance finds the words of every possible lemma, the commonest first', async () => {
    expect(await find('hbo-small', 'דבר')).toEqual(['דָּבָר, דֶּ֫בֶר, דָבַר', '2 דְּבַר', '2 דִּבֶּ֥ר', '3 דֶּ֖בֶר', '3 דברו']);
  });

  test('for a Hebrew word with vowel points, the concordance finds only lemmas and forms with the same vowel points', async () => {
    expect(await find('hbo-small', 'דֶּבֶר')).toEqual(['דֶּ֫בֶר', '3 דֶּ֖בֶר']);
    expect(await find('hbo-small', 'דִּבֶּר')).toEqual(['דָבַר', '2 דִּבֶּ֥ר']);
  });

  test('if a lemma is written exactly as the argument word, the concordance finds only the words of this lemma', async () => {
    expect(await find('grc-small', 'ὁ')).toEqual(['ὁ', '1 ὁ', '2 τὸν', '3 ὁ', '4 ἡ']);
    expect(await find('grc-small', 'ο')).toEqual(['ὁ, ὅς', '1 ὁ', '2 ὅ', '2 τὸν', '3 ὁ', '4 ἡ']);
  });

  test('the concordance finds a lemma that consists of two words, such as a place name', async () => {
    expect(await find('hbo-small', 'בית אל')).toEqual(['בֵּית אֵל אֶל, בֵּית אֵל', '4 בית', '4 אל', '4 אֶל']);
  });

  test('with match: FORM, the concordance finds a form of a word whether the query writes its accents or not', async () => {
    expect(await find('grc-small', 'ἠγάπησεν', 'FORM')).toEqual(['ἀγαπάω', '3 ἠγάπησεν', '4 ἠγάπησέν']);
    expect(await find('grc-small', 'λογον', 'FORM')).toEqual(['λόγος', '2 λόγον']);
    expect((await find('hbo-small', 'דבר', 'FORM')).slice(1)).toEqual(['2 דְּבַר', '2 דִּבֶּ֥ר', '3 דֶּ֖בֶר']);
    expect((await find('grc-small', 'ἠγάπησεν', 'EXACT_CASE')).slice(1)).toEqual(['3 ἠγάπησεν']);
  });

  test.each([
    ['a lone vowel point', '\u05b0'],
    ['a lone accent', '\u0301'],
    ['a zero-width joiner', '\u200d'],
    ['Hebrew and Greek letters in one word', 'λόגוס'],
    ['a word that the translation lacks', 'ἀγάπη'],
    ['100 letters', 'א'.repeat(100)],
  ])('the concordance finds no verses for %s', async (_, word) => {
    expect((await find('hbo-small', word)).slice(1)).toEqual([]);
  });

  test('the concordance rejects a word of 101 letters', async () => {
    expect(
      await client.errors(`{ concordance(translation: "hbo-small", word: "${'א'.repeat(101)}") { totalCount } }`),
    ).toEqual(['word must be 100 characters or fewer']);
  });

  test('the field concordanceIndex lists lemmas in a translation with lemmas, and finds a lemma by a prefix without accents', async () => {
    const list = async (args: string) =>
      (
        (await client.data(`{ concordanceIndex(${args}) { lemma displayForm totalOccurrences } }`)) as unknown as {
          concordanceIndex: Record<string, unknown>[];
        }
      ).concordanceIndex;
    expect(await list('translation: "grc-small", prefix: "αγ"')).toEqual([
      { lemma: 'ἀγαπάω', displayForm: 'ἠγάπησεν', totalOccurrences: 2 },
    ]);
    expect((await list('translation: "hbo-small"')).map(({ lemma }) => lemma)).toEqual([
      'אֱלֹהִים',
      'בֵּית אֵל',
      'בָּרָא',
      'דֶּ֫בֶר',
      'דָבַר',
      'דָּבָר',
      'רֵאשִׁית',
      'שָׁלוֹם',
    ]);
  });

  test('the field collocates counts words by lemma if the translation has lemmas, and leaves out function words of Greek', async () => {
    const { collocates, content } = (await client.data(
      '{ collocates(translation: "grc-small", word: "λογος", minOccurrences: 1, includeFunctionWords: true) { lemma displayForm together } content: collocates(translation: "grc-small", word: "λογος", minOccurrences: 1) { lemma } }',
    )) as unknown as Record<'collocates' | 'content', Record<string, unknown>[]>;
    expect(collocates).toContainEqual({ lemma: 'εἰμί', displayForm: 'ἐστιν', together: 2 });
    expect(content.map(({ lemma }) => lemma)).toEqual(['ἀρχή']);
  });

  test("the field Verse.words returns each word as the source writes it, with its Strong's number", async () => {
    const id = Buffer.from('v1:hbo-small.PSA.1.3').toString('base64url');
    const { _entities } = (await client.data(
      `{ _entities(representations: [{ __typename: "Verse", id: "${id}" }]) { ... on Verse { words { text strongs { number } } } } }`,
    )) as unknown as { _entities: { words: { text: string; strongs: { number: string }[] }[] }[] };
    expect(_entities[0]?.words.map(({ text, strongs }) => [text, ...strongs.map(({ number }) => number)])).toEqual([
      ['דֶּ֖בֶר', 'H1698'],
      ['לָהֶ֑ם'],
      ['דברו', 'H1697'],
    ]);
  });
});
