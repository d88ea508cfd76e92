/** Returns a seeded generator (mulberry32) of numbers from 0 to 1, excluding 1. Equal seeds give equal sequences. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Returns the seed of generated tests: TEST_SEED, or 0 if it is not set or is `all`. scripts/test.mjs prints it. */
export const testSeed = (): number => Number(process.env['TEST_SEED']) || 0;
