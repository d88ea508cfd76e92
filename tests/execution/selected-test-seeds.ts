import { itemsOfThisRun } from '@lectern/testing';

/** `npm test` compares every seventh operation. Seven consecutive values of TEST_SEED cover all. */
const runs = 7;

/** Returns the seeds of 1 to `count` that TEST_SEED selects. */
export const operationSeeds = (count: number): number[] =>
  itemsOfThisRun(
    Array.from({ length: count }, (_, index) => index + 1),
    runs,
  );
