import type { FieldNode, FragmentDefinitionNode, SelectionSetNode } from 'graphql';
import { Kind } from 'graphql';

/**
 * Counts the fields selected below these fields, at every depth.
 * A fragment counts each time it is spread, but its fields are visited only once.
 */
export function countSelectedFields(
  fields: readonly FieldNode[],
  fragments: Readonly<Record<string, FragmentDefinitionNode>>,
): number {
  const fragmentCounts = new Map<string, number>();
  const countInFragment = (name: string): number => {
    const count = fragmentCounts.get(name) ?? countBelow(fragments[name]?.selectionSet);
    fragmentCounts.set(name, count);
    return count;
  };
  const countBelow = (set: SelectionSetNode | undefined): number => {
    let count = 0;
    for (const selection of set?.selections ?? []) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) count += countInFragment(selection.name.value);
      else count += countBelow(selection.selectionSet) + (selection.kind === Kind.FIELD ? 1 : 0);
    }
    return count;
  };
  return fields.reduce((sum, { selectionSet }) => sum + countBelow(selectionSet), 0);
}
