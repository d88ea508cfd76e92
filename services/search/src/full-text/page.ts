import { createHash } from 'node:crypto';
import { maxScore } from './score-verses';

/** A verse that a search has found, as an ordinal (43003016 is JHN 3:16), and its score. */
export interface Hit {
  readonly score: number;
  readonly ordinal: number;
}

const pattern = /^v1:(0|[1-9][0-9]{0,9}):([1-9][0-9]{6,7}):([A-Za-z0-9_-]{16})$/;

/** Adds a digest of the hit and the search, so that `parseCursor` detects a cursor that does not fit. */
export function formatCursor({ score, ordinal }: Hit, searchKey: string): string {
  const digest = createHash('sha256').update(`${score}\n${ordinal}\n${searchKey}`).digest('base64url').slice(0, 16);
  return Buffer.from(`v1:${score}:${ordinal}:${digest}`).toString('base64url');
}

/** Parses a cursor. Returns null for any text that `formatCursor` did not make for this search. */
export function parseCursor(text: string, searchKey: string): Hit | null {
  const match = text.length <= 200 ? pattern.exec(Buffer.from(text, 'base64url').toString('latin1')) : null;
  if (!match) return null;
  const hit = { score: Number(match[1]), ordinal: Number(match[2]) };
  // Several base64 texts decode to the same bytes. Only the one that `formatCursor` writes is valid.
  return formatCursor(hit, searchKey) === text ? hit : null;
}

export type SearchOrder = 'RELEVANCE' | 'CANONICAL';

/** A number above all ordinals, so that one number can hold a score and an ordinal. */
const ordinalFactor = 2 ** 27;

/** Returns a number that sorts hits: the best score first, and hits with equal scores in canonical order. */
const relevanceKey = (score: number, ordinal: number): number => (maxScore - score) * ordinalFactor + ordinal;

const hitOfRelevanceKey = (key: number): Hit => ({
  score: maxScore - Math.floor(key / ordinalFactor),
  ordinal: key % ordinalFactor,
});

/** Returns the selected hits with the best scores, at most `limit`. Scores must be integers. */
export function bestByScore(
  scores: ArrayLike<number>,
  ordinals: ArrayLike<number>,
  limit: number,
  isSelected: (ordinal: number) => boolean = () => true,
): Hit[] {
  const keys = new Float64Array(ordinals.length);
  let count = 0;
  for (let at = 0; at < keys.length; at += 1)
    if (isSelected(ordinals[at] ?? 0)) keys[count++] = relevanceKey(scores[at] ?? 0, ordinals[at] ?? 0);
  // A typed array is sorted: 31,000 hits take 2.5 ms, and 9 ms as an ordinary array with a comparator.
  return Array.from(keys.subarray(0, count).sort().subarray(0, limit), hitOfRelevanceKey);
}

/** Collects the first hits, or those after `after`. They may come in any order. Late pages take no longer. */
export function createPageCollector({ order, first, after }: { order: SearchOrder; first: number; after: Hit | null }) {
  const keyOf = (score: number, ordinal: number): number =>
    order === 'CANONICAL' ? ordinal : relevanceKey(score, ordinal);
  const afterKey = after ? keyOf(after.score, after.ordinal) : -1;
  // One hit more than the page has. It shows whether there is a next page.
  const capacity = first + 1;
  const keys: number[] = [];
  let worstKey = Infinity;
  let hasPreviousPage = false;

  return {
    add(score: number, ordinal: number): void {
      const key = keyOf(score, ordinal);
      if (key <= afterKey) hasPreviousPage = true;
      if (key <= afterKey || key >= worstKey) return;
      let at = keys.length;
      while (at > 0 && (keys[at - 1] ?? 0) > key) at -= 1;
      keys.splice(at, 0, key);
      if (keys.length > capacity) keys.pop();
      if (keys.length === capacity) worstKey = keys.at(-1) ?? Infinity;
    },
    page: () => ({
      hits: keys
        .slice(0, first)
        .map((key): Hit => (order === 'CANONICAL' ? { score: 0, ordinal: key } : hitOfRelevanceKey(key))),
      hasNextPage: keys.length > first,
      hasPreviousPage,
    }),
  };
}
