import { createRandom } from './seeded-random-and-test-seed';

/** Seeded random choices. Equal seeds give equal choices. */
export function createRandomChoices(seed: number) {
  const random = createRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  return {
    random,
    /** Returns true with this probability. */
    chance: (share: number): boolean => random() < share,
    /** Returns an element of a list that is not empty. */
    pick,
    /** Returns between 1 and `max` elements of a list. An element may occur several times. */
    pickSeveral: <T>(list: readonly T[], max: number): T[] =>
      Array.from({ length: 1 + Math.floor(random() * max) }, () => pick(list)),
  };
}
export type RandomChoices = ReturnType<typeof createRandomChoices>;
