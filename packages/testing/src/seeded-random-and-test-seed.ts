/** A seeded generator (mulberry32) of numbers from 0 to 1, excluding 1. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** TEST_SEED, which scripts/test.mjs prints. 0 if it is not set or is `all`. */
export const testSeed = (): number => Number(process.env['TEST_SEED']) || 0;

/**
 * Whether TEST_SEED is `all`, as `npm run test:long` sets it: the tests then run all their checks.
 */
export const isLongRun = process.env['TEST_SEED'] === 'all';

/**
 * Returns the items that this run checks: every `runs`-th item, selected by TEST_SEED, or all items
 * if TEST_SEED is `all`. Consecutive integers of TEST_SEED select all items in `runs` runs.
 */
export function itemsOfThisRun<Item>(items: readonly Item[], runs: number): Item[] {
  const seed = process.env['TEST_SEED'] ?? '0';
  if (isLongRun) return [...items];
  const share = Number(seed);
  if (!Number.isInteger(share)) throw new Error(`TEST_SEED must be an integer or "all", and is "${seed}"`);
  return items.filter((_, index) => (index - share) % runs === 0);
}
