import { itemsOfThisRun } from '@lectern/testing';

/**
 * A run of `npm test` compares one of 28 operations. 28 runs with consecutive values of TEST_SEED
 * compare all operations.
 */
const runs = 28;

/**
 * Returns the numbers from 1 to `count` that TEST_SEED selects, as seeds of generated operations.
 */
export const operationSeeds = (count: number): number[] =>
  itemsOfThisRun(
    Array.from({ length: count }, (_, index) => index + 1),
    runs,
  );
