import { type Numbering, parseVerseId, toStandard, type VerseParts, verseOrdinal } from '@lectern/canon';
import { useStarted } from '@lectern/testing';
import type { PageArguments, PageData } from '../../test-support/search-client';
import { openSearchClient } from '../../test-support/search-client';

const client = useStarted(openSearchClient);

const numberings: Readonly<Record<string, Numbering>> = {
  'eng-kjv': 'standard',
  'eng-web': 'web',
  'spa-rv1909': 'rv1909',
};
const partsOf = (id: string): VerseParts => {
  const parts = parseVerseId(id);
  if (!parts) throw new Error(`not a verse id: ${id}`);
  return parts;
};
/** Returns a number that is the same for the same verse of every translation. */
const standardOrdinal = (id: string): number => {
  const { translation, ...place } = partsOf(id);
  return verseOrdinal(toStandard(numberings[translation] ?? 'standard', place) ?? place);
};
const translationsOf = ({ node, alsoIn }: PageData['edges'][number]): string[] =>
  [node, ...alsoIn].map(({ id }) => partsOf(id).translation);

describe('searchVerses in several translations', () => {
  test.each([
    ['shepherd', ['eng-web', 'eng-kjv']],
    ['shepherd', ['eng-kjv', 'eng-web', 'spa-rv1909']],
    ['david', ['spa-rv1909', 'eng-web', 'eng-kjv']],
    ['Jonas', ['spa-rv1909', 'eng-kjv']],
    ['david saul', ['eng-web', 'spa-rv1909']],
  ])(
    'searchVerses for %p in the translations %j counts each verse once, and lists the translations in which it matches',
    async (query, translations) => {
      const matching = new Map<number, string[]>();
      const singles: PageData['edges'][] = [];
      for (const translation of translations) {
        const page = await client.page({ query, translation, first: 1 });
        singles.push(page.relaxed ? [] : await client.allEdges({ query, translation }));
      }
      for (const { node } of singles.flat()) {
        const key = standardOrdinal(node.id);
        const { translation } = partsOf(node.id);
        if (!matching.get(key)?.includes(translation)) matching.set(key, [...(matching.get(key) ?? []), translation]);
      }
      const { totalCount, facets } = await client.page({ query, translations, first: 1 });
      expect(totalCount).toBe(matching.size);
      expect(facets.byTestament.old + facets.byTestament.new).toBe(totalCount);
      const edges = await client.allEdges({ query, translations, first: 40 });
      expect(edges).toHaveLength(totalCount);
      for (const edge of edges) expect(translationsOf(edge)).toEqual(matching.get(standardOrdinal(edge.node.id)));
    },
  );

  test('searchVerses in several translations returns a verse once, even if the translations number the verse differently', async () => {
    // Jonah 2:1 of the Reina-Valera is Jonah 1:17 in the English translations.
    const { edges } = await client.page({ query: 'Jonás 2:1', translations: ['spa-rv1909', 'eng-kjv'] });
    expect(edges.map(({ node, alsoIn }) => [node.reference, alsoIn.map(({ reference }) => reference)])).toEqual([
      ['Jonás 2:1', ['Jonah 1:17']],
    ]);
  });

  test('searchVerses in several translations returns matches as offsets in the text of the field node', async () => {
    const { edges } = await client.page({ query: 'pastor', translations: ['eng-kjv', 'spa-rv1909'], first: 5 });
    expect(edges.flatMap(({ matches }) => matches).length).toBeGreaterThan(0);
    for (const { node, matches } of edges)
      for (const { start, length } of matches) expect(node.text.slice(start, start + length)).toMatch(/^pastor/i);
  });

  test('searchVerses in several translations ignores words of the query only if no verse of any translation has all words', async () => {
    const query = 'the lord is my shepherd';
    expect((await client.page({ query, translation: 'eng-web' })).relaxed).not.toBeNull();
    const page = await client.page({ query, translations: ['eng-web', 'eng-kjv'] });
    expect([page.relaxed, page.edges.map(translationsOf)]).toEqual([null, page.edges.map(() => ['eng-kjv'])]);
    expect((await client.page({ query, translations: ['eng-web', 'spa-rv1909'] })).relaxed).toEqual([
      'the',
      'is',
      'my',
    ]);
  });

  test('the pages of searchVerses in several translations contain each verse once, in canonical order and in order of relevance', async () => {
    for (const order of ['RELEVANCE', 'CANONICAL'] as const) {
      const args: PageArguments = { query: 'abraham', translations: ['eng-web', 'spa-rv1909'], order };
      const ids = (edges: PageData['edges']) => edges.map(({ node }) => node.id);
      const all = ids(await client.allEdges(args));
      expect(new Set(all).size).toBe(all.length);
      expect(ids(await client.allEdges({ ...args, first: 7 }))).toEqual(all);
    }
  });

  test('searchVerses rejects a cursor that comes from a search in another list of translations', async () => {
    const translations = ['eng-web', 'eng-kjv'];
    const { pageInfo } = await client.page({ query: 'shepherd', translations, first: 2 });
    const invalid = { message: 'Invalid cursor', code: 'BAD_USER_INPUT' };
    for (const others of [['eng-kjv', 'eng-web'], ['eng-web'], ['eng-web', 'eng-kjv', 'spa-rv1909'], null])
      expect(await client.pageError({ query: 'shepherd', translations: others, after: pageInfo.endCursor })).toEqual(
        invalid,
      );
  });

  test('searchVerses uses the argument translation only if the argument translations is null or an empty list', async () => {
    const single = await client.page({ query: 'shepherd', translation: 'eng-kjv' });
    const args: PageArguments = { query: 'shepherd', translation: 'eng-kjv' };
    expect(await client.page({ ...args, translations: null })).toEqual(single);
    expect(await client.page({ ...args, translations: [] })).toEqual(single);
    expect(await client.page({ query: 'shepherd', translations: ['eng-kjv', 'eng-kjv'] })).toEqual(single);
    expect(await client.page({ query: 'shepherd', translation: 'eng-web', translations: ['eng-kjv'] })).toEqual(single);
  });

  test('searchVerses rejects an unknown translation in the argument translations, and a list of more than ten translations', async () => {
    const ten = [...Array.from({ length: 9 }, () => 'eng-web'), 'eng-xyz'];
    expect(await client.pageError({ query: 'love', translations: ten })).toEqual({
      message: "Translation 'eng-xyz' not found",
      code: 'NOT_FOUND',
    });
    expect(await client.pageError({ query: 'love', translations: [...ten, 'eng-kjv'] })).toEqual({
      message: 'translations must have 10 identifiers or fewer',
      code: 'BAD_USER_INPUT',
    });
  });
});
