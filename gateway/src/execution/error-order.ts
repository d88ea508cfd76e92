import { fragmentsOf } from '@lectern/execution';
import type { DocumentNode, GraphQLFormattedError, OperationDefinitionNode, SelectionSetNode } from 'graphql';
import { Kind } from 'graphql';

/**
 * Errors in the order in which their fields stand in the operation, and in lists by position. They come up in the order in which subgraphs and
 * look-ups happen to answer, and one operation should have one answer.
 */
export function inOrder(
  errors: readonly GraphQLFormattedError[],
  document: DocumentNode,
  operation: OperationDefinitionNode,
): readonly GraphQLFormattedError[] {
  if (errors.length < 2) return errors;
  const ranks = ranksOf(document, operation);
  const placed = errors.map((error) => ({ error, place: placeOf(error.path ?? [], ranks) }));
  return placed.sort((one, other) => compare(one.place, other.place)).map(({ error }) => error);
}

/** By the names that lead to a field (as the client calls them, with blanks between) how many fields stand before it. */
function ranksOf(document: DocumentNode, operation: OperationDefinitionNode): ReadonlyMap<string, number> {
  const fragments = fragmentsOf(document);
  const ranks = new Map<string, number>();
  // A fragment that stands at one place once more has nothing new.
  const spread = new Set<string>();
  const walk = ({ selections }: SelectionSetNode, above: string): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        const place = `${above} ${selection.alias?.value ?? selection.name.value}`;
        if (!ranks.has(place)) ranks.set(place, ranks.size);
        if (selection.selectionSet) walk(selection.selectionSet, place);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) walk(selection.selectionSet, above);
      else {
        const mark = `${selection.name.value} at${above}`;
        const fragment = fragments[selection.name.value];
        if (spread.has(mark) || !fragment) continue;
        spread.add(mark);
        walk(fragment.selectionSet, above);
      }
    }
  };
  walk(operation.selectionSet, '');
  return ranks;
}

function placeOf(path: readonly (string | number)[], ranks: ReadonlyMap<string, number>): number[] {
  let place = '';
  return path.map((step) => {
    if (typeof step === 'number') return step;
    place += ` ${step}`;
    return ranks.get(place) ?? ranks.size;
  });
}

function compare(one: readonly number[], other: readonly number[]): number {
  for (const [index, rank] of one.entries()) {
    const difference = rank - (other[index] ?? -1);
    if (difference !== 0) return difference;
  }
  return one.length - other.length;
}
