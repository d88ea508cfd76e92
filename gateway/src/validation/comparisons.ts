import { errors, type PublicError } from '@lectern/errors';
import { fragmentsByName } from '@lectern/execution';
import { type DocumentNode, type FieldNode, type FragmentDefinitionNode, Kind, type SelectionSetNode } from 'graphql';

/**
 * The maximum number of comparisons that validation may make: of two fields with one response name, or of two fragments
 * in the selections of such fields. One selection set may repeat a leaf field about 220 times, or a field with one
 * selected field about 158 times.
 */
const maxComparisons = 25_000;
/**
 * The maximum number of selections that are visited if the fragments in each selection set are expanded. A document of
 * 5,000 tokens exceeds this number only with fragments: a chain of fragments, or a large fragment that many selection
 * sets spread.
 */
const maxExpandedSelections = 20_000;

/**
 * Returns an error if the validation of a document would block the event loop too long. graphql-js compares each pair
 * of fields that share a response name, also those of fragments that spread each other, and lists all conflicts of a
 * selection set before it reports the first one. The document need not be valid. Measured: the most expensive
 * comparisons of a document that passes take 15 to 30 ms.
 */
export function checkComparisons(document: DocumentNode): PublicError | null {
  const fragments = fragmentsByName(document);
  const hasFragments = Object.keys(fragments).length > 0;
  // An entry has several selection sets if they belong to fields with the same response name,
  // because a response merges such fields.
  const pending: SelectionSetNode[][] = document.definitions.flatMap((definition) =>
    'selectionSet' in definition && definition.selectionSet ? [[definition.selectionSet]] : [],
  );
  const visited = new Set<SelectionSetNode>();
  let comparisons = 0;
  let expandedSelections = 0;
  for (let sets = pending.pop(); sets; sets = pending.pop()) {
    const [only, ...others] = sets;
    if (only && others.length === 0) {
      if (visited.has(only)) continue;
      visited.add(only);
      // For a selection set with only a fragment spread, graphql-js compares nothing.
      if (only.selections.length === 1 && only.selections[0]?.kind === Kind.FRAGMENT_SPREAD) continue;
    }
    const { fields, selections, ownSpreads } = groupByResponseName(sets, fragments);
    expandedSelections += selections;
    // graphql-js compares each pair of fragments that two merged fields spread.
    if (sets.length > 1) comparisons += pairs(ownSpreads);
    for (const group of fields.values()) {
      comparisons += pairs(group.length);
      const inner = group.flatMap(({ selectionSet }) => selectionSet ?? []);
      if (inner.length > 0) pending.push(inner);
    }
    if (comparisons > maxComparisons) return errors.tooManyRepeatedFields();
    if (hasFragments && expandedSelections > maxExpandedSelections) return errors.tooManyExpandedSelections();
  }
  return null;
}

const pairs = (count: number): number => (count * (count - 1)) / 2;

/**
 * Groups the fields of selection sets, with their fragments expanded, by response name. `ownSpreads` is the number of
 * fragment spreads in the sets themselves, without those in fragments.
 */
function groupByResponseName(
  sets: readonly SelectionSetNode[],
  fragments: Readonly<Record<string, FragmentDefinitionNode>>,
) {
  const fields = new Map<string, FieldNode[]>();
  const spread = new Set<string>();
  const pending = [...sets];
  const ownSets = new Set(sets);
  let ownSpreads = 0;
  let selections = 0;
  for (let set = pending.pop(); set; set = pending.pop()) {
    selections += set.selections.length;
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) {
        const responseName = (selection.alias ?? selection.name).value;
        const group = fields.get(responseName);
        if (group) group.push(selection);
        else fields.set(responseName, [selection]);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        pending.push(selection.selectionSet);
        if (ownSets.has(set)) ownSets.add(selection.selectionSet);
      } else {
        if (ownSets.has(set)) ownSpreads += 1;
        const name = selection.name.value;
        const fragment = spread.has(name) ? undefined : fragments[name];
        spread.add(name);
        if (fragment) pending.push(fragment.selectionSet);
      }
    }
  }
  return { fields, selections, ownSpreads };
}
