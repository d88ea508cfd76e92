import { type BookCode, verseOrdinal } from '@lectern/canon';
import { useStarted } from '@lectern/testing';
import { foldWord, verseWords } from '@lectern/words';
import type { ConcordanceData, ConcordanceEdge } from '../test-support/concordance-client';
import { concordanceQueries, openConcordanceClient } from '../test-support/concordance-client';

const client = useStarted(openConcordanceClient);

const { concordance, concordanceError } = concordanceQueries(() => client);

const orders = ['CANONICAL', 'WORD_BEFORE', 'WORD_AFTER'] as const;
type Order = (typeof orders)[number];

/** Reads all pages of a concordance, and continues each page after the cursor of its last edge. */
async function readAllPages(
  readPage: (after: string | null) => Promise<Pick<ConcordanceData, 'edges' | 'pageInfo' | 'totalCount'>>,
): Promise<ConcordanceEdge[]> {
  const edges: ConcordanceEdge[] = [];
  let totalCount = 0;
  for (let after: string | null = null, hasNextPage = true; hasNextPage; ) {
    const page = await readPage(after);
    expect([page.pageInfo.startCursor, page.pageInfo.endCursor]).toEqual([
      page.edges[0]?.cursor,
      page.edges.at(-1)?.cursor,
    ]);
    expect(page.pageInfo.hasPreviousPage).toBe(edges.length > 0);
    edges.push(...page.edges);
    ({ totalCount } = page);
    ({ endCursor: after, hasNextPage } = page.pageInfo);
  }
  expect(edges).toHaveLength(totalCount);
  return edges;
}

/**
 * Returns the word before or after the first match, without case and accents. ñ becomes n and a
 * combining tilde, which sorts between n and o.
 */
function wordBeside({ node }: ConcordanceEdge, order: Order): string {
  const { text } = node.verse;
  const { start = 0, length = 0 } = node.matches[0] ?? {};
  const words = verseWords(text, 'eng');
  const word =
    order === 'WORD_BEFORE'
      ? words.findLast((each) => each.start + each.length <= start)
      : words.find((each) => each.start >= start + length);
  return foldWord(word?.text ?? '').normalize('NFD');
}

const referencesOf = (edges: readonly ConcordanceEdge[]): string[] => edges.map(({ node }) => node.verse.reference);

const ordinalsOf = (edges: readonly ConcordanceEdge[]): number[] =>
  edges.map(({ node: { verse } }) =>
    verseOrdinal({ book: verse.bookId as BookCode, chapter: verse.chapter, verse: verse.verse }),
  );

function sortBySpec(canonical: readonly ConcordanceEdge[], order: Order): string[] {
  if (order === 'CANONICAL') return referencesOf(canonical);
  const keyed = canonical.map((edge) => ({ edge, key: wordBeside(edge, order) }));
  return referencesOf(keyed.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)).map(({ edge }) => edge));
}

test.each([
  ['spa-rv1909', 'dios'],
  ['eng-kjv', 'lord'],
])(
  'in every order, the concordance pages of %s for the word %s contain each verse once, sorted as requested',
  async (translation, word) => {
    const pagesIn = (order: Order) =>
      readAllPages((after) => concordance({ translation, word, order, first: 100, after }));
    const canonical = await pagesIn('CANONICAL');
    expect(canonical.length).toBeGreaterThan(3_000);
    const ordinals = ordinalsOf(canonical);
    expect(ordinals).toEqual(ordinals.toSorted((a, b) => a - b));
    for (const order of orders) {
      const references = referencesOf(order === 'CANONICAL' ? canonical : await pagesIn(order));
      expect(new Set(references).size).toBe(canonical.length);
      expect(references).toEqual(sortBySpec(canonical, order));
    }
  },
);

test("with order: WORD_AFTER, the concordance page after a cursor begins with the verse after the cursor's verse", async () => {
  const query = { word: 'señor', order: 'WORD_AFTER', book: 'Salmos', testament: 'OLD' };
  const { edges } = await concordance({ ...query, first: 100 });
  const references = referencesOf(edges);
  for (const index of [0, 1, 7, 30]) {
    const after = edges[index]?.cursor ?? '';
    const padded = after.padEnd(Math.ceil(after.length / 4) * 4, '=');
    for (const cursor of [after, padded])
      expect(referencesOf((await concordance({ ...query, first: 3, after: cursor })).edges)).toEqual(
        references.slice(index + 1, index + 4),
      );
  }
});

test('the field concordance returns the same page with order: null as without the argument order', async () => {
  expect(await concordance({ word: 'amor', order: null })).toEqual(await concordance({ word: 'amor' }));
});

test('the arguments book, testament and first of the field concordance select the same number of verses in every order', async () => {
  for (const order of orders) {
    const { totalCount, edges } = await concordance({ word: 'misericordia', order, book: 'GEN', first: 100 });
    expect([totalCount, edges.length]).toEqual([12, 12]);
    expect((await concordance({ word: 'misericordia', order, testament: 'NEW' })).totalCount).toBe(71);
    expect(await concordance({ word: 'misericordia', order, book: 'GEN', testament: 'NEW' })).toMatchObject({
      totalCount: 0,
      edges: [],
      pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null },
    });
    expect(await concordance({ word: 'xyzzy', order })).toMatchObject({ totalCount: 0, edges: [] });
  }
});

test('the field concordance rejects a cursor that comes from a page in another order', async () => {
  const cursorIn = new Map<Order, string>();
  for (const order of orders) {
    const { edges } = await concordance({ word: 'amor', order, first: 1 });
    cursorIn.set(order, edges[0]?.cursor ?? '');
  }
  for (const order of orders) {
    const after = cursorIn.get(order);
    await concordance({ word: 'Dios', order, after });
    await concordance({ translation: 'eng-web', word: 'love', order, after });
    for (const otherOrder of orders.filter((each) => each !== order))
      expect(await concordanceError({ word: 'amor', order: otherOrder, after })).toEqual({
        message: 'Invalid cursor',
        code: 'BAD_USER_INPUT',
      });
  }
});

const cursor = (text: string): string => Buffer.from(text).toString('base64url');

test.each([
  ['text that is not base64', 'not a cursor'],
  ['a cursor without a word', cursor('WORD_BEFORE:GEN:1:1')],
  ['a colon in the word', cursor('WORD_BEFORE:GEN:1:1:a:b')],
  ['an unknown book', cursor('WORD_BEFORE:XXX:1:1:a')],
  ['chapter 0', cursor('WORD_BEFORE:GEN:0:1:a')],
  ['a cursor of another order', cursor('WORD_AFTER:GEN:1:1:a')],
  ['a word of 41 characters', cursor(`WORD_BEFORE:GEN:1:1:${'a'.repeat(41)}`)],
  ['bytes that are not UTF-8', Buffer.from('WORD_BEFORE:GEN:1:1:\xff', 'latin1').toString('base64url')],
  ['5000 characters', 'A'.repeat(5000)],
])('with order: WORD_BEFORE, the field concordance rejects an invalid cursor: %s', async (_, after) => {
  expect(await concordanceError({ word: 'amor', order: 'WORD_BEFORE', after })).toEqual({
    message: 'Invalid cursor',
    code: 'BAD_USER_INPUT',
  });
});

test('in every order, the pages of strongsConcordance contain each verse once, sorted as requested', async () => {
  const document = `query S($order: ConcordanceOrder, $after: String) {
    strongsConcordance(translation: "eng-kjv", number: "G26", order: $order, first: 50, after: $after) {
      totalCount edges { cursor node { matches { start length } verse { bookId chapter verse text reference } } }
      pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
    }
  }`;
  const pagesIn = (order: Order) =>
    readAllPages(async (after) => {
      const { data, errors } = await client.execute(document, { order, after });
      expect(errors).toBeUndefined();
      return data?.['strongsConcordance'] as ConcordanceData;
    });
  const canonical = await pagesIn('CANONICAL');
  expect(new Set(referencesOf(canonical)).size).toBe(canonical.length);
  const ordinals = ordinalsOf(canonical);
  expect(ordinals).toEqual(ordinals.toSorted((a, b) => a - b));
  for (const order of orders) expect(referencesOf(await pagesIn(order))).toEqual(sortBySpec(canonical, order));
});

test('in a concordance entry, the counts of occurrencesByChapter add up to the counts of occurrencesByBook', async () => {
  const { data } = await client.execute(`{ concordance(translation: "spa-rv1909", word: "dios", first: 1) { entry {
    verseCount occurrencesByBook { bookId count } occurrencesByChapter { bookId bookName counts } } } }`);
  const { entry } = (data as { concordance: unknown }).concordance as {
    entry: {
      verseCount: number;
      occurrencesByBook: { bookId: string; count: number }[];
      occurrencesByChapter: { bookId: string; bookName: string; counts: number[] }[];
    };
  };
  const chapters = entry.occurrencesByChapter;
  const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);
  expect(chapters.map(({ bookId, counts }) => ({ bookId, count: sum(counts) }))).toEqual(entry.occurrencesByBook);
  const edges = await readAllPages((after) => concordance({ word: 'dios', first: 100, after, book: 'Salmos' }));
  const psalms = chapters.find(({ bookId }) => bookId === 'PSA');
  expect(psalms?.bookName).toBe('Salmos');
  expect(psalms?.counts).toEqual(
    Array.from({ length: 150 }, (_, index) => edges.filter(({ node }) => node.verse.chapter === index + 1).length),
  );
});
