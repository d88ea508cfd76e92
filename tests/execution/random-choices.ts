import { createRandom } from '@lectern/testing';

/** Seeded random choices. Equal seeds give equal choices. */
export function createRandomChoices(seed: number) {
  const random = createRandom(seed);
  return {
    random,
    /** Returns true with this probability. */
    chance: (share: number): boolean => random() < share,
    /** Returns an element of a list that is not empty. */
    pick: <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T,
  };
}
export type RandomChoices = ReturnType<typeof createRandomChoices>;
