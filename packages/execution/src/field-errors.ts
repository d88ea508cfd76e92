import type { GraphQLError } from 'graphql';
import type { Path } from './path';
import { stepsOf } from './path';

/** How many errors one execution may have, and what is told in place of them all where it has more. */
export interface ErrorLimit {
  readonly most: number;
  readonly error: () => GraphQLError;
}

/** The errors of one execution, in the order in which they came up. One that comes late, below what is null already, is not told. */
export function createFieldErrors({ most, error: tooMany }: ErrorLimit) {
  const list: GraphQLError[] = [];
  const nulled = new Set<string>();
  let isFull = false;

  return {
    /** Whether there are more than may be: then the answer is null as a whole, and nothing more need be found out. */
    isFull: (): boolean => isFull,
    /** No path: the whole answer is null. */
    add(error: GraphQLError, path: Path | undefined): void {
      const steps = stepsOf(path);
      for (let length = 0; length <= steps.length; length += 1)
        if (nulled.has(JSON.stringify(steps.slice(0, length)))) return;
      nulled.add(JSON.stringify(steps));
      if (list.length >= most) isFull = true;
      else list.push(error);
    },
    told: (): readonly GraphQLError[] => (isFull ? [tooMany()] : list),
  };
}

export type FieldErrors = ReturnType<typeof createFieldErrors>;
