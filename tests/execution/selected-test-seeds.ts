/** `npm test` compares every seventh operation. Seven consecutive values of TEST_SEED cover all. */
const shares = 7;

/**
 * TEST_SEED=<integer> selects the share of the generated operations, TEST_SEED=all selects all of them.
 * scripts/test.mjs sets and prints TEST_SEED, so that a failure can be repeated.
 */
const testSeed = process.env['TEST_SEED'] ?? '0';

/** Returns the seeds of 1 to `count` that TEST_SEED selects. */
export function operationSeeds(count: number): number[] {
  const seeds = Array.from({ length: count }, (_, index) => index + 1);
  if (testSeed === 'all') return seeds;
  const share = Number(testSeed);
  if (!Number.isInteger(share)) throw new Error(`TEST_SEED must be an integer or "all", and is "${testSeed}"`);
  return seeds.filter((seed) => (seed - share) % shares === 0);
}
