import { useStarted } from '@lectern/testing';
import type { InexactQuotation } from '../../test-support/inexact-quotations';
import { otherOrder, otherWording, withTypo } from '../../test-support/inexact-quotations';
import type { HardQuery } from '../../test-support/misspelt-and-archaic-queries';
import { hardQueries } from '../../test-support/misspelt-and-archaic-queries';
import type { PageData } from '../../test-support/search-client';
import { openSearchClient } from '../../test-support/search-client';

const client = useStarted(openSearchClient);

const references = ({ edges }: PageData): string[] => edges.map(({ node }) => node.reference);
const matchedWords = ({ edges }: PageData, index = 0): string[] =>
  (edges[index]?.matches ?? []).map(({ start, length }) => edges[index]?.node.text.slice(start, start + length) ?? '');

describe('quotations', () => {
  const isFound = async ({ translation, query, references: expected }: InexactQuotation): Promise<boolean> => {
    const found = await client.search(query, { translation, limit: 3 });
    return found.some(({ reference }) => expected.includes(reference));
  };

  test('full-text search finds at least 90 % of half-remembered quotations among its first three verses', async () => {
    const quotations = [...otherWording, ...withTypo, ...otherOrder];
    expect(quotations).toHaveLength(120);
    const missed: string[] = [];
    for (const quotation of quotations) if (!(await isFound(quotation))) missed.push(quotation.query);
    expect(missed.slice(12)).toEqual([]);
  });
});

describe('queries with mistakes', () => {
  /** Returns whether an expected verse is first, for the query itself or for its suggestion. */
  const isRight = async ([translation, query, expected]: HardQuery): Promise<boolean> => {
    const page = await client.page({ query, translation, first: 1 });
    const suggested = page.suggestion ? await client.page({ query: page.suggestion, translation, first: 1 }) : page;
    return [page, suggested].some((each) => expected.split(' / ').includes(references(each)[0] ?? ''));
  };

  test('for at least 90 % of queries with mistakes, full-text search or its suggested correction finds the expected verse first', async () => {
    expect(hardQueries).toHaveLength(100);
    const wrong: string[] = [];
    for (const query of hardQueries) if (!(await isRight(query))) wrong.push(query[1]);
    expect(wrong.slice(10)).toEqual([]);
  });

  test('the field suggestion of searchVerses corrects one misspelt word of a query', async () => {
    const page = await client.page({ query: 'the lord is my sheperd' });
    expect(page).toMatchObject({ suggestion: 'the lord is my shepherd' });
    expect(references(await client.page({ query: page.suggestion ?? '' }))[0]).toBe('Psalms 23:1');
  });
});

describe('a query of which no verse has all words', () => {
  test.each([
    ['eng-web', 'the lord is my shepherd', 'Psalms 23:1', ['the', 'is', 'my']],
    ['eng-web', 'the truth will set you free', 'John 8:32', ['the', 'will', 'set', 'you']],
    ['spa-rv1909', 'el señor es mi pastor', 'Salmos 23:1', ['el', 'es', 'mi']],
    ['spa-rv1909', 'la verdad os hará libres', 'Juan 8:32', ['la', 'os', 'hará']],
    ['eng-kjv', 'love is patient and kind', '1 Corinthians 13:4', ['is', 'patient', 'and']],
  ])(
    'if no verse has all words, searchVerses in %s for %p returns %s first, and lists the ignored words %j in relaxed',
    async (translation, query, reference, relaxed) => {
      const page = await client.page({ query, translation, prefix: true });
      expect(references(page)[0]).toBe(reference);
      expect(page.relaxed).toEqual(relaxed);
      expect((await client.search(query, { translation })).map((verse) => verse.reference)).toEqual(references(page));
    },
  );

  test('VerseSearchPage.relaxed, the ignored words, is null if a verse has all words, or if no verse is found', async () => {
    for (const query of ['yahweh is my shepherd', 'xqzjkwv', 'God Θεός', '?!', 'John 3:16'])
      expect((await client.page({ query })).relaxed).toBeNull();
  });

  test('searchVerses never ignores a word in quotes, even if no verse has all words of the query', async () => {
    expect(await client.page({ query: '"the lord is my shepherd" want' })).toMatchObject({ totalCount: 0 });
    const page = await client.page({ query: '"is my shepherd" xqzjkwv lack' });
    expect([references(page), page.relaxed]).toEqual([['Psalms 23:1'], ['xqzjkwv']]);
  });

  test('the field matches of searchVerses marks no function word that the search ignored', async () => {
    const page = await client.page({ query: 'the lord is my shepherd' });
    expect(matchedWords(page)).toEqual(['Yahweh', 'shepherd']);
  });

  test('if searchVerses ignores words that no verse has together, its totals, facets and pages still agree', async () => {
    const query = 'the truth will set you free';
    const all = await client.allEdges({ query, first: 7 });
    const page = await client.page({ query, first: 100 });
    expect(new Set(all.map(({ node }) => node.id)).size).toBe(page.totalCount);
    const { byTestament } = page.facets;
    expect(byTestament.old + byTestament.new).toBe(page.totalCount);
    const filtered = await client.page({ query, testament: 'NEW' });
    expect([filtered.totalCount, filtered.relaxed]).toEqual([byTestament.new, page.relaxed]);
  });

  test('the field suggestion of searchVerses corrects an unknown word even if the search finds verses without this word', async () => {
    const page = await client.page({ query: 'faith is the substanse of things hoped for', translation: 'eng-kjv' });
    expect(page).toMatchObject({
      relaxed: ['is', 'the', 'substanse', 'of', 'for'],
      suggestion: 'faith is the substance of things hoped for',
    });
    expect(references(page)[0]).toBe('Hebrews 11:1');
  });
});

describe('incomplete words and apostrophes', () => {
  test('full-text search completes only the last word of a query, and only from three letters on', async () => {
    const matches = async (query: string): Promise<Set<string>> => {
      const edges = await client.allEdges({ query, translation: 'eng-kjv' });
      return new Set(
        edges.flatMap(({ node, matches: spans }) =>
          spans.map(({ start, length }) => node.text.slice(start, start + length).toLowerCase()),
        ),
      );
    };
    expect(await matches('shep')).toContain('shepherds');
    expect(await matches('of go')).toEqual(
      new Set(['of', 'go', 'goest', 'goeth', 'going', 'goings', 'gone', 'went', 'wentest']),
    );
    expect(await matches('to goa')).toEqual(new Set(['to', 'goads', 'goat', 'goath', 'goats']));
    expect(await client.search('shep god', { translation: 'eng-kjv' })).toEqual([]);
  });

  test("full-text search treats words with an apostrophe, such as lord's and don't, as one word", async () => {
    const page = await client.page({ query: "the lord's prayer", translation: 'eng-kjv', first: 100 });
    for (const [index] of page.edges.entries())
      for (const word of matchedWords(page, index)) expect(word.toLowerCase()).toMatch(/^(the|lord|prayer)/);
    for (const query of ["brother's keeper", 'brothers keeper', 'brother’s keeper'])
      expect(references(await client.page({ query, translation: 'eng-kjv' }))[0]).toBe('Genesis 4:9');
    expect((await client.page({ query: "don't be afraid" })).totalCount).toBe(
      (await client.page({ query: 'dont be afraid' })).totalCount,
    );
  });
});

describe('a reference in a query', () => {
  test.each([
    ['eng-web', 'John 3:16', 'John 3:16', ['John 3:16']],
    ['eng-web', 'jn 3.16-17', 'John 3:16-17', ['John 3:16', 'John 3:17']],
    ['spa-rv1909', 'Juan 3,16', 'Juan 3:16', ['Juan 3:16']],
    ['spa-rv1909', 'mateo 6,9-10', 'Mateo 6:9-10', ['Mateo 6:9', 'Mateo 6:10']],
    ['eng-kjv', 'Rom 8:28; John 11:35', 'Romans 8:28; John 11:35', ['John 11:35', 'Romans 8:28']],
  ])(
    'searchVerses in %s recognizes the query %p as the reference %s, and returns its verses',
    async (translation, query, reference, verses) => {
      const page = await client.page({ query, translation });
      expect([page.reference, references(page), page.totalCount]).toEqual([reference, verses, verses.length]);
      expect((await client.search(query, { translation })).map((verse) => verse.reference)).toEqual(verses);
    },
  );

  test('searchVerses for a reference and other words returns the verses of the reference first, then verses with the other words', async () => {
    const page = await client.page({ query: 'shepherd John 3:16', first: 100 });
    const shepherd = await client.page({ query: 'shepherd', first: 100 });
    expect(references(page)).toEqual(['John 3:16', ...references(shepherd)].slice(0, 100));
    expect(page).toMatchObject({ reference: 'John 3:16', totalCount: shepherd.totalCount + 1, suggestion: null });
    const known = await client.page({ query: 'wept John 11:35' });
    expect([known.totalCount, references(known)[0]]).toEqual([
      (await client.page({ query: 'wept' })).totalCount,
      'John 11:35',
    ]);
  });

  test('searchVerses applies filters, orders and pages to the verses of a reference in the query as to other hits', async () => {
    expect(await client.page({ query: 'John 3:16', testament: 'OLD' })).toMatchObject({
      totalCount: 0,
      reference: 'John 3:16',
    });
    const query = 'Psalm 119 shepherd';
    const all = await client.allEdges({ query, first: 50 });
    expect(new Set(all.map(({ node }) => node.id)).size).toBe((await client.page({ query })).totalCount);
    expect(all[0]?.node.reference).toBe('Psalms 119:1');
    expect(references(await client.page({ query, order: 'CANONICAL', first: 1 }))).toEqual(['Genesis 46:32']);
  });

  test('VerseSearchPage.reference is null for a book without a chapter, for verses that do not exist and for plain words', async () => {
    for (const query of ['Job', 'numbers', '1 John', 'John 99', 'John 3:999', '666', 'mark my words'])
      expect((await client.page({ query })).reference).toBeNull();
  });

  test('searchVerses rejects a cursor of the query "John 3,16" (two chapters) if the query is "John 3:16" (one verse)', async () => {
    const { pageInfo } = await client.page({ query: 'John 3,16', first: 1 });
    expect(await client.pageError({ query: 'John 3:16', after: pageInfo.endCursor })).toEqual({
      message: 'Invalid cursor',
      code: 'BAD_USER_INPUT',
    });
  });
});
