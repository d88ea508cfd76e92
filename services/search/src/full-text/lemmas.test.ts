import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildDerivedTranslations } from '@lectern/corpus';
import { silentLogger } from '@lectern/serving';
import { executeInProcess } from '@lectern/subgraph';
import { translationWithLemmas, useStarted } from '@lectern/testing';
import { buildSearchIndex, createSearchSubgraph } from '../index';

const verses = [
  'בְּרֵאשִׁ֖ית/רֵאשִׁית/H7225 בָּרָ֣א/בָּרָא/H1254 אֱלֹהִ֑ים/אֱלֹהִים/H430',
  'וַיִּבְרָ֨א/בָּרָא/H1254 אֱלֹהִ֤ים׀/אֱלֹהִים/H430 הָֽאָדָם֙/אָדָם/H120',
  'ἠγάπησεν/ἀγαπάω/G25 ὁ/ὁ/G3588 λόγος/λόγος/G3056',
  'ἐν/ἐν/G1722 λόγῳ/λόγος/G3056',
];

async function openClient() {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-'));
  const log = () => undefined;
  const translations = [translationWithLemmas('hbo-small', 'hbo', verses)];
  await buildDerivedTranslations(translations, { dataDir: folder, check: 'contents', log });
  await buildSearchIndex({ dataDir: folder, log });
  const subgraph = await createSearchSubgraph({ dataDir: folder, semantic: null });
  const execute = executeInProcess(subgraph, silentLogger);
  return {
    /** The verses that match, the best first, each with the matching words: `3 λόγος`. */
    async search(query: string) {
      const { data, errors } = await execute({
        query:
          'query ($query: String!) { searchVerses(query: $query, translation: "hbo-small", prefix: false) { edges { node { verse text } matches { start length } } } }',
        variables: { query },
      });
      expect(errors).toBeUndefined();
      const page = data?.['searchVerses'] as {
        edges: { node: { verse: number; text: string }; matches: { start: number; length: number }[] }[];
      };
      return page.edges.map(({ node: { verse, text }, matches }) =>
        [verse, ...matches.map(({ start, length }) => text.slice(start, start + length))].join(' '),
      );
    },
    async close() {
      await subgraph.close();
      rmSync(folder, { recursive: true });
    },
  };
}

const client = useStarted(openClient);

test.each([
  ['with points and accents', 'בְּרֵאשִׁ֖ית', ['1 בְּרֵאשִׁ֖ית']],
  ['without points', 'בראשית', ['1 בְּרֵאשִׁ֖ית']],
  ['without final letters', 'אלהימ', ['1 אֱלֹהִ֑ים', '2 אֱלֹהִ֤ים']],
  ['with a presentation form', 'ﬡלהים', ['1 אֱלֹהִ֑ים', '2 אֱלֹהִ֤ים']],
  ['with a zero-width joiner', 'אלה\u200dים', ['1 אֱלֹהִ֑ים', '2 אֱלֹהִ֤ים']],
  ['in Greek without accents', 'ηγαπησεν', ['3 ἠγάπησεν']],
  ['in Greek capitals', 'ΛΟΓΩ', ['4 λόγῳ']],
])('in a translation with lemmas, search finds a word %s', async (_, query, expected) => {
  expect(await client.search(query)).toEqual(expected);
});

test('a search for a lemma also finds its inflected forms, and lists them after the verses that contain the lemma itself', async () => {
  expect(await client.search('λόγος')).toEqual(['3 λόγος', '4 λόγῳ']);
  expect(await client.search('אדם')).toEqual(['2 הָֽאָדָם֙']);
  expect(await client.search('ברא אלהים')).toEqual(['1 בָּרָ֣א אֱלֹהִ֑ים', '2 וַיִּבְרָ֨א אֱלֹהִ֤ים']);
});

test.each([
  ['a lone vowel point', '\u05b0'],
  ['a lone accent', '\u0591'],
  ['a zero-width joiner', '\u200d'],
  ['Hebrew and Greek letters in one word', 'λόגוס'],
  ['200 letters', 'א'.repeat(200)],
])('in a translation with lemmas, search finds nothing for %s', async (_, query) => {
  expect(await client.search(query)).toEqual([]);
});
