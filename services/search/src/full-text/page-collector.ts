import type { Position } from './cursor';
import { maxScore } from './score-verses';

export type SearchOrder = 'RELEVANCE' | 'CANONICAL';

/** A verse's ordinal is below this: a score above it makes one number that sorts, the higher score first, then the earlier verse. */
const ordinalRoom = 2 ** 27;

/**
 * Takes hits in any order and keeps those that come right after a position, or first. It looks at every hit each time, so that a page far
 * back costs what the first does.
 */
export function createPageCollector({
  order,
  first,
  after,
}: {
  order: SearchOrder;
  first: number;
  after: Position | null;
}) {
  const keyOf = (score: number, ordinal: number): number =>
    order === 'CANONICAL' ? ordinal : (maxScore - score) * ordinalRoom + ordinal;
  const bound = after ? keyOf(after.score, after.ordinal) : -1;
  // One more than the page, to know whether there is a next.
  const room = first + 1;
  const keys: number[] = [];
  let worst = Infinity;

  return {
    add(score: number, ordinal: number): void {
      const key = keyOf(score, ordinal);
      if (key <= bound || key >= worst) return;
      let at = keys.length;
      while (at > 0 && (keys[at - 1] ?? 0) > key) at -= 1;
      keys.splice(at, 0, key);
      if (keys.length > room) keys.pop();
      if (keys.length === room) worst = keys.at(-1) ?? Infinity;
    },
    page: (): { hits: Position[]; hasNextPage: boolean } => ({
      hits: keys
        .slice(0, first)
        .map((key) =>
          order === 'CANONICAL'
            ? { score: 0, ordinal: key }
            : { score: maxScore - Math.floor(key / ordinalRoom), ordinal: key % ordinalRoom },
        ),
      hasNextPage: keys.length > first,
    }),
  };
}
