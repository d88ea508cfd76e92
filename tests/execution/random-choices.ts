import { createRandom } from '@lectern/testing';

/** Chance for what generates: the same for the same seed. */
export function createRandomChoices(seed: number) {
  const random = createRandom(seed);
  return {
    random,
    /** True in this share of the calls. */
    chance: (share: number): boolean => random() < share,
    /** One of a list that is not empty. */
    pick: <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T,
  };
}
export type RandomChoices = ReturnType<typeof createRandomChoices>;
