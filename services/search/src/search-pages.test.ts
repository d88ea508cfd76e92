import { join } from 'node:path';
import { corpusFile, repositoryRoot } from '@lectern/testing';
import { foldWord, tokenize } from '@lectern/words';
import type { FoundPage, OpenSearch } from '../test-support/search-client';
import { buildingMs, openSearch } from '../test-support/search-client';

let opened: OpenSearch;

beforeAll(async () => {
  opened = await openSearch({ corpusFile, searchFile: join(repositoryRoot, 'data', 'search.sqlite') });
}, buildingMs);

afterAll(() => opened.close());

const ids = (edges: FoundPage['edges']): string[] => edges.map(({ node }) => node.id);

describe('pages', () => {
  test.each(['RELEVANCE', 'CANONICAL'] as const)(
    '%s: walking all pages gives every verse once, whatever the size of a page',
    async (order) => {
      const whole = await opened.walk({ query: 'love', order });
      const { totalCount } = await opened.page({ query: 'love', order });
      expect(new Set(ids(whole)).size).toBe(totalCount);
      expect(whole).toHaveLength(totalCount);
      expect(ids(await opened.walk({ query: 'love', order, first: 7 }))).toEqual(ids(whole));
    },
  );

  test('the first verses are those of `search`', async () => {
    expect(ids((await opened.page({ query: 'bread of life' })).edges)).toEqual(
      (await opened.search('bread of life')).map(({ id }) => id),
    );
  });

  test('any edge can be gone on from', async () => {
    const { edges } = await opened.page({ query: 'shepherd', first: 20 });
    const next = await opened.page({ query: 'shepherd', first: 14, after: edges[5]?.cursor ?? '' });
    expect(ids(next.edges)).toEqual(ids(edges).slice(6));
    expect(next.pageInfo).toEqual({ hasNextPage: true, endCursor: next.edges.at(-1)?.cursor });
  });

  test('the last page says that none follows, and what is beyond it is empty', async () => {
    const { edges, pageInfo } = await opened.page({ query: 'jesus wept', translation: 'eng-kjv' });
    expect(pageInfo).toEqual({ hasNextPage: false, endCursor: edges.at(-1)?.cursor });
    const beyond = await opened.page({ query: 'jesus wept', translation: 'eng-kjv', after: pageInfo.endCursor });
    expect(beyond).toMatchObject({
      totalCount: edges.length,
      edges: [],
      pageInfo: { hasNextPage: false, endCursor: null },
      suggestion: null,
    });
  });

  test('null and an empty text are the first page', async () => {
    const first = await opened.page({ query: 'love' });
    expect(await opened.page({ query: 'love', after: null })).toEqual(first);
    expect(await opened.page({ query: 'love', after: '' })).toEqual(first);
  });

  test.each([
    [0, 1],
    [-5, 1],
    [1, 1],
    [null, 25],
    [100, 100],
    [101, 100],
    [2_147_483_647, 100],
  ])('first %p gives %p verses', async (first, count) => {
    expect((await opened.page({ query: 'the', first })).edges).toHaveLength(count);
  });

  test('a cursor may be used with another page size, and with the same query typed otherwise', async () => {
    const { pageInfo } = await opened.page({ query: 'good shepherd', first: 2 });
    const next = await opened.page({ query: '  GOOD   Shepherd. ', first: 5, after: pageInfo.endCursor });
    expect(ids(next.edges)).toEqual(ids((await opened.page({ query: 'good shepherd', first: 7 })).edges).slice(2));
  });

  test('a cursor of another query, edition, order or filter is refused', async () => {
    const {
      pageInfo: { endCursor: after },
    } = await opened.page({ query: 'shepherd', first: 2 });
    const invalid = { message: 'Invalid cursor', code: 'BAD_USER_INPUT' };
    expect(await opened.pageError({ query: 'sheep', after })).toEqual(invalid);
    expect(await opened.pageError({ query: 'shepherd', after, translation: 'eng-kjv' })).toEqual(invalid);
    expect(await opened.pageError({ query: 'shepherd', after, order: 'CANONICAL' })).toEqual(invalid);
    expect(await opened.pageError({ query: 'shepherd', after, testament: 'NEW' })).toEqual(invalid);
    expect(await opened.pageError({ query: 'shepherd', after, books: 'John' })).toEqual(invalid);
    expect(await opened.pageError({ query: '"shepherd"', after })).toEqual(invalid);
  });

  test('a cursor changed anywhere is refused', async () => {
    const {
      pageInfo: { endCursor },
    } = await opened.page({ query: 'shepherd', first: 2 });
    const cursor = endCursor ?? '';
    const changed = Array.from(
      cursor,
      (letter, at) => `${cursor.slice(0, at)}${letter === 'A' ? 'B' : 'A'}${cursor.slice(at + 1)}`,
    );
    const others = [
      `${cursor}A`,
      `${cursor}=`,
      cursor.slice(1),
      cursor.slice(0, -1),
      ` ${cursor}`,
      'x',
      '0',
      '\u0000',
      'a'.repeat(10_000),
      Buffer.from('v1:1:43003016').toString('base64url'),
    ];
    for (const after of [...changed, ...others])
      expect(await opened.pageError({ query: 'shepherd', after })).toEqual({
        message: 'Invalid cursor',
        code: 'BAD_USER_INPUT',
      });
  });
});

describe('filters, totals and facets', () => {
  test('facets count the whole result, not the page', async () => {
    const { totalCount, facets } = await opened.page({ query: 'love', first: 1 });
    const edges = await opened.walk({ query: 'love', order: 'CANONICAL' });
    const counts = new Map<string, number>();
    for (const { node } of edges) counts.set(node.bookId, (counts.get(node.bookId) ?? 0) + 1);
    expect(facets.byBook.map(({ bookId, count }) => [bookId, count])).toEqual([...counts]);
    expect(facets.byTestament.old + facets.byTestament.new).toBe(totalCount);
    expect(facets.byBook.find(({ bookId }) => bookId === '1JN')?.bookName).toBe('1 John');
  });

  test('book names are those of the edition', async () => {
    const { facets } = await opened.page({ query: 'verbo', translation: 'spa-rv1909' });
    expect(facets.byBook.find(({ bookId }) => bookId === 'REV')?.bookName).toBe('Apocalipsis');
  });

  test('books are codes or names, in English or the language of the edition, and each counts once', async () => {
    const expected = await opened.page({ query: 'amor', translation: 'spa-rv1909', books: 'JHN,1JN' });
    expect(expected.totalCount).toBeGreaterThan(0);
    expect(expected.facets.byBook.map(({ bookId }) => bookId)).toEqual(['JHN', '1JN']);
    for (const books of ['Juan, 1 Juan', '1 john,,John , JHN', 'jhn,San Juan,1ra Juan']) {
      const { totalCount, edges } = await opened.page({ query: 'amor', translation: 'spa-rv1909', books });
      expect([totalCount, ids(edges)]).toEqual([expected.totalCount, ids(expected.edges)]);
    }
  });

  test('blank books are all books', async () => {
    const all = await opened.page({ query: 'amor', translation: 'spa-rv1909' });
    for (const books of ['', ' , ,', null])
      expect((await opened.page({ query: 'amor', translation: 'spa-rv1909', books })).totalCount).toBe(all.totalCount);
  });

  test('testaments divide the result, and a book outside the testament leaves nothing', async () => {
    const all = await opened.page({ query: 'shepherd' });
    const [older, newer] = [
      await opened.page({ query: 'shepherd', testament: 'OLD' }),
      await opened.page({ query: 'shepherd', testament: 'NEW' }),
    ];
    expect([older.totalCount, newer.totalCount]).toEqual([all.facets.byTestament.old, all.facets.byTestament.new]);
    expect(newer.facets.byTestament).toEqual({ old: 0, new: newer.totalCount });
    expect(await opened.page({ query: 'shepherd', books: 'PSA', testament: 'NEW' })).toMatchObject({
      totalCount: 0,
      edges: [],
      suggestion: null,
      facets: { byBook: [], byTestament: { old: 0, new: 0 } },
    });
    expect(
      (await opened.page({ query: 'shepherd', books: 'PSA,JHN', testament: 'NEW' })).facets.byBook.map(
        ({ bookId }) => bookId,
      ),
    ).toEqual(['JHN']);
  });

  test('the testament is an enum here: OT fails validation', async () => {
    const { errors } = await opened.ask('{ searchVerses(query: "love", testament: OT) { totalCount } }');
    expect(errors?.[0]?.extensions).toEqual({ code: 'GRAPHQL_VALIDATION_FAILED' });
  });

  test('filters do not change what a query means', async () => {
    // "ano" begins words of other books; that Ruth has none does not turn it into año there.
    expect((await opened.page({ query: 'año', translation: 'spa-rv1909', books: 'RUT' })).totalCount).toBeGreaterThan(
      0,
    );
    expect(await opened.page({ query: 'ano', translation: 'spa-rv1909', books: 'RUT' })).toMatchObject({
      totalCount: 0,
      suggestion: null,
    });
  });
});

describe('the places of the words', () => {
  const marked = ({ node, matches }: FoundPage['edges'][number]): string[] =>
    matches.map(({ start, length }) => node.text.slice(start, start + length));

  test('exact words, word starts and other forms are marked as whole words', async () => {
    for (const edge of await opened.walk({ query: 'love', translation: 'eng-kjv' })) {
      expect(marked(edge).length).toBeGreaterThan(0);
      for (const word of marked(edge)) expect(foldWord(word)).toMatch(/^(love|loving)/);
    }
  });

  test('every word that answers is marked, in the order of the text', async () => {
    const {
      edges: [shepherd],
    } = await opened.page({ query: 'lord is my shepherd', translation: 'eng-kjv' });
    expect(shepherd && marked(shepherd)).toEqual(['LORD', 'is', 'my', 'shepherd']);
  });

  test('of a phrase its words are marked, and only where they stand together', async () => {
    const {
      edges: [first],
    } = await opened.page({ query: '"the word was god"', translation: 'eng-kjv' });
    expect(first?.node.reference).toBe('John 1:1');
    expect(first?.matches.map(({ start }) => start)).toEqual(
      tokenize(first?.node.text ?? '')
        .slice(-4)
        .map(({ start }) => start),
    );
    expect(first && marked(first)).toEqual(['the', 'Word', 'was', 'God']);
  });

  test('accents of the text do not shift them', async () => {
    const { edges } = await opened.page({ query: 'oracion', translation: 'spa-rv1909' });
    for (const edge of edges) for (const word of marked(edge)) expect(foldWord(word)).toMatch(/^oracion/);
  });

  test('ñ that was asked for as n is marked too', async () => {
    const {
      edges: [first],
    } = await opened.page({ query: 'manana', translation: 'spa-rv1909' });
    expect(first && marked(first).map(foldWord)).toContain('mañana');
  });
});

describe('the suggestion', () => {
  test.each([
    ['eng-kjv', 'sheperd', 'shepherd'],
    ['eng-kjv', 'jeruslaem', 'Jerusalem'],
    ['eng-kjv', 'the lord is my sheperd', 'the lord is my shepherd'],
    ['spa-rv1909', 'misericorida', 'misericordia'],
    ['spa-rv1909', 'Jehoba', 'Jehová'],
    ['eng-web', '"holly spirit" baptised', '"holy spirit" baptized'],
    ['eng-web', 'shepard', 'shepherd'],
  ])('%s: %p -> %p', async (translation, query, suggestion) => {
    const page = await opened.page({ query, translation });
    expect(page).toMatchObject({ totalCount: 0, edges: [], suggestion });
    expect((await opened.page({ query: suggestion, translation })).totalCount).toBeGreaterThan(0);
  });

  test('there is none where something fits, where no word is near, and where the words are known but no verse holds them all', async () => {
    for (const query of [
      'love',
      'xqzjkwv',
      'nebuchadnezzar galilee',
      'x'.repeat(200),
      'aaaq bbbq cccq dddq eeeq',
      '¿?',
    ])
      expect((await opened.page({ query })).suggestion).toBeNull();
  });
});
