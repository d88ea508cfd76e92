import type { DocumentNode, SelectionNode } from 'graphql';
import { Kind, parse } from 'graphql';
import { argumentsOf } from './field-directives';

/** By type the fields by which subgraphs know its objects: those of its keys, as far as they are of the type itself. Read from the supergraph itself: the schema made of it has lost them. */
export function keyFieldsOf(supergraph: DocumentNode): ReadonlyMap<string, ReadonlySet<string>> {
  const keys = new Map<string, Set<string>>();
  for (const definition of supergraph.definitions) {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) continue;
    const fields = new Set<string>();
    for (const directive of definition.directives ?? []) {
      const { key } = argumentsOf(directive);
      if (directive.name.value === 'join__type' && typeof key === 'string')
        for (const field of fieldsIn(key)) fields.add(field);
    }
    keys.set(definition.name.value, fields);
  }
  return keys;
}

function fieldsIn(key: string): string[] {
  const [set] = parse(`{ ${key} }`, { noLocation: true }).definitions;
  const selections: readonly SelectionNode[] =
    set?.kind === Kind.OPERATION_DEFINITION ? set.selectionSet.selections : [];
  return selections.flatMap((selection) => (selection.kind === Kind.FIELD ? [selection.name.value] : []));
}
