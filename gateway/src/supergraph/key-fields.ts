import { Kind, parse, valueFromASTUntyped } from 'graphql';
import type { SelectionNode } from 'graphql';

/** By type the fields by which subgraphs know its objects: those of its keys, as far as they are of the type itself. Read from the supergraph's own text. */
export function keyFieldsOf(supergraphSdl: string): ReadonlyMap<string, ReadonlySet<string>> {
  const keys = new Map<string, Set<string>>();
  for (const definition of parse(supergraphSdl, { noLocation: true }).definitions) {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) continue;
    const fields = new Set<string>();
    for (const { name, arguments: given = [] } of definition.directives ?? []) {
      const key = given.find((argument) => argument.name.value === 'key');
      if (name.value === 'join__type' && key) for (const field of fieldsIn(String(valueFromASTUntyped(key.value)))) fields.add(field);
    }
    keys.set(definition.name.value, fields);
  }
  return keys;
}

function fieldsIn(key: string): string[] {
  const [set] = parse(`{ ${key} }`, { noLocation: true }).definitions;
  const selections: readonly SelectionNode[] = set?.kind === Kind.OPERATION_DEFINITION ? set.selectionSet.selections : [];
  return selections.flatMap((selection) => (selection.kind === Kind.FIELD ? [selection.name.value] : []));
}
