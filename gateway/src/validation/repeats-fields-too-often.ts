import type { DocumentNode, FieldNode, FragmentDefinitionNode, SelectionSetNode } from 'graphql';
import { Kind } from 'graphql';
import { fragmentMap } from './fragment-map';

/** The work of comparing two fields, if visiting one selection is a work of 1. */
const comparisonWork = 10;
/**
 * The maximum work that a document may need. One selection set may repeat a response name about 220
 * times. The most expensive comparisons within this bound take 20 ms.
 */
const maxWork = 250_000;

/**
 * Returns whether a document repeats response names so often that validating it would block the
 * event loop too long. graphql-js compares each pair of fields that share a response name, and
 * lists all conflicts of a selection set before it reports the first one. The document need not be
 * valid.
 */
export function repeatsFieldsTooOften(document: DocumentNode): boolean {
  const fragments = fragmentMap(document);
  // An entry of `pending` has several selection sets if they belong to fields with the same
  // response name, because a response merges such fields.
  const pending: SelectionSetNode[][] = document.definitions.flatMap((definition) =>
    'selectionSet' in definition && definition.selectionSet ? [[definition.selectionSet]] : [],
  );
  const visited = new Set<SelectionSetNode>();
  let work = 0;
  for (let sets = pending.pop(); sets; sets = pending.pop()) {
    const [only, ...others] = sets;
    if (only && others.length === 0) {
      if (visited.has(only)) continue;
      visited.add(only);
    }
    const { fields, selections } = groupByResponseName(sets, fragments);
    work += selections;
    for (const group of fields.values()) {
      work += (comparisonWork * group.length * (group.length - 1)) / 2;
      const inner = group.flatMap(({ selectionSet }) => selectionSet ?? []);
      if (inner.length > 0) pending.push(inner);
    }
    if (work > maxWork) return true;
  }
  return false;
}

/** Groups the fields of selection sets and of their fragments. Spreads each fragment once. */
function groupByResponseName(
  sets: readonly SelectionSetNode[],
  fragments: ReadonlyMap<string, FragmentDefinitionNode>,
) {
  const fields = new Map<string, FieldNode[]>();
  const spread = new Set<string>();
  const pending = [...sets];
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
      } else if (!spread.has(selection.name.value)) {
        spread.add(selection.name.value);
        const fragment = fragments.get(selection.name.value);
        if (fragment) pending.push(fragment.selectionSet);
      }
    }
  }
  return { fields, selections };
}
