import { maxScore } from './score-verses';
import type { Hit } from './search-cursor';

export type SearchOrder = 'RELEVANCE' | 'CANONICAL';

/**
 * Greater than each verse ordinal.
 * A sort key has the inverted score above this factor and the ordinal below.
 */
const ordinalFactor = 2 ** 27;

/**
 * Collects one page of hits, which may arrive in any order: the first hits, or those after `after`.
 * It inspects every hit, so that a late page costs as much as the first page.
 */
export function createPageCollector({ order, first, after }: { order: SearchOrder; first: number; after: Hit | null }) {
  const keyOf = (score: number, ordinal: number): number =>
    order === 'CANONICAL' ? ordinal : (maxScore - score) * ordinalFactor + ordinal;
  const afterKey = after ? keyOf(after.score, after.ordinal) : -1;
  // One more than the page, to know whether there is a next page.
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
    page: (): { hits: Hit[]; hasNextPage: boolean; hasPreviousPage: boolean } => ({
      hits: keys
        .slice(0, first)
        .map((key) =>
          order === 'CANONICAL'
            ? { score: 0, ordinal: key }
            : { score: maxScore - Math.floor(key / ordinalFactor), ordinal: key % ordinalFactor },
        ),
      hasNextPage: keys.length > first,
      hasPreviousPage,
    }),
  };
}
