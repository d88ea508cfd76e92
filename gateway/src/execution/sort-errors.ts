import { fragmentsByName } from '@lectern/execution';
import type { GraphQLFormattedError, SelectionSetNode } from 'graphql';
import { Kind } from 'graphql';
import type { ChosenOperation } from './chosen-operation-and-trace-context-types';

/**
 * Sorts errors by the position of their fields in the operation, and by index in lists. Subgraphs
 * respond in any order, but the response to one operation should always be the same.
 */
export function sortErrors(
  errors: readonly GraphQLFormattedError[],
  operation: ChosenOperation,
): readonly GraphQLFormattedError[] {
  if (errors.length < 2) return errors;
  const ranks = rankFields(operation);
  const ranked = errors.map((error) => ({ error, position: rankPath(error.path ?? [], ranks) }));
  return ranked.sort((one, other) => comparePositions(one.position, other.position)).map(({ error }) => error);
}

/** Numbers the fields in document order, by their path of response keys joined with spaces. */
function rankFields({ document, definition }: ChosenOperation): ReadonlyMap<string, number> {
  const fragments = fragmentsByName(document);
  const ranks = new Map<string, number>();
  // Each fragment is read once at each path, because a second spread adds no fields.
  const spreads = new Set<string>();
  const walk = ({ selections }: SelectionSetNode, parentPath: string): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        const path = `${parentPath} ${selection.alias?.value ?? selection.name.value}`;
        if (!ranks.has(path)) ranks.set(path, ranks.size);
        if (selection.selectionSet) walk(selection.selectionSet, path);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) walk(selection.selectionSet, parentPath);
      else {
        const spread = `${selection.name.value} at${parentPath}`;
        const fragment = fragments[selection.name.value];
        if (spreads.has(spread) || !fragment) continue;
        spreads.add(spread);
        walk(fragment.selectionSet, parentPath);
      }
    }
  };
  walk(definition.selectionSet, '');
  return ranks;
}

function rankPath(path: readonly (string | number)[], ranks: ReadonlyMap<string, number>): number[] {
  let fieldPath = '';
  return path.map((step) => {
    if (typeof step === 'number') return step;
    fieldPath += ` ${step}`;
    return ranks.get(fieldPath) ?? ranks.size;
  });
}

function comparePositions(one: readonly number[], other: readonly number[]): number {
  for (const [index, rank] of one.entries()) {
    const difference = rank - (other[index] ?? -1);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}
