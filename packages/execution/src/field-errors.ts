import type { GraphQLError } from 'graphql';
import { stepsOf } from './path';
import type { Path } from './path';

/** The errors of one execution, in the order in which they came up. One that comes late, below what is null already, is not told. */
export function createFieldErrors() {
  const list: GraphQLError[] = [];
  const nulled = new Set<string>();

  return {
    list: list as readonly GraphQLError[],
    /** No path: the whole answer is null. */
    add(error: GraphQLError, path: Path | undefined): void {
      const steps = stepsOf(path);
      for (let length = 0; length <= steps.length; length += 1) if (nulled.has(JSON.stringify(steps.slice(0, length)))) return;
      nulled.add(JSON.stringify(steps));
      list.push(error);
    },
  };
}

export type FieldErrors = ReturnType<typeof createFieldErrors>;
