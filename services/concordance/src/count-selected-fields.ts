import type { FieldNode, FragmentDefinitionNode, SelectionSetNode } from 'graphql';
import { Kind } from 'graphql';

/** How many fields stand below these, at every depth, each fragment as often as it is spread. A fragment is counted once, however many spread it. */
export function countSelectedFields(
  fields: readonly FieldNode[],
  fragments: Readonly<Record<string, FragmentDefinitionNode>>,
): number {
  const known = new Map<string, number>();
  const ofFragment = (name: string): number => {
    const found = known.get(name) ?? below(fragments[name]?.selectionSet);
    known.set(name, found);
    return found;
  };
  const below = (set: SelectionSetNode | undefined): number => {
    let count = 0;
    for (const selection of set?.selections ?? []) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) count += ofFragment(selection.name.value);
      else count += below(selection.selectionSet) + (selection.kind === Kind.FIELD ? 1 : 0);
    }
    return count;
  };
  return fields.reduce((sum, { selectionSet }) => sum + below(selectionSet), 0);
}
