import { type DocumentNode, Kind, parse, print, visit } from 'graphql';
import { fieldsIn, readArguments, readGraphNames } from './directives';

/** Reads the subtypes of interfaces and unions, also those that clients do not see: subgraphs may send their names. */
export function readSubtypes({ definitions }: DocumentNode) {
  const supertypes = new Map<string, Set<string>>();
  const objectTypes = new Set<string>();
  const add = (subtype: string, supertype: string): void => {
    const known = supertypes.get(subtype);
    if (known) known.add(supertype);
    else supertypes.set(subtype, new Set([supertype]));
  };
  for (const definition of definitions)
    if (definition.kind === Kind.OBJECT_TYPE_DEFINITION || definition.kind === Kind.INTERFACE_TYPE_DEFINITION) {
      if (definition.kind === Kind.OBJECT_TYPE_DEFINITION) objectTypes.add(definition.name.value);
      for (const { name } of definition.interfaces ?? []) add(definition.name.value, name.value);
    } else if (definition.kind === Kind.UNION_TYPE_DEFINITION)
      for (const { name } of definition.types ?? []) add(name.value, definition.name.value);
  return {
    objectTypes: objectTypes as ReadonlySet<string>,
    isSubtype: (name: string, conditions: readonly string[]): boolean =>
      conditions.some((condition) => name === condition || supertypes.get(name)?.has(condition) === true),
  };
}

/** Returns the keys of a type in a subgraph. Each key is a list of names of fields, without those in its fields. */
export type KeysOf = (subgraph: string, type: string) => readonly (readonly string[])[];

export function readKeys(supergraph: DocumentNode): KeysOf {
  const names = readGraphNames(supergraph);
  const keys = new Map<string, string[][]>();
  for (const definition of supergraph.definitions) {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION && definition.kind !== Kind.INTERFACE_TYPE_DEFINITION) continue;
    for (const directive of definition.directives ?? []) {
      const { graph, key } = readArguments(directive);
      if (directive.name.value !== 'join__type' || typeof key !== 'string') continue;
      const place = `${names.get(String(graph)) ?? ''} ${definition.name.value}`;
      keys.set(place, [...(keys.get(place) ?? []), fieldsIn(key)]);
    }
  }
  return (subgraph, type) => keys.get(`${subgraph} ${type}`) ?? [];
}

/**
 * Reads the fields with arguments that `@requires` of a field selects, such as `cost(currency: EUR)` by the name `cost`.
 * The fields with `@requires` are named as `Type.field`.
 */
export function readRequiredArguments({ definitions }: DocumentNode): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const required = new Map<string, ReadonlyMap<string, string>>();
  for (const definition of definitions) {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION && definition.kind !== Kind.INTERFACE_TYPE_DEFINITION) continue;
    for (const { name, directives = [] } of definition.fields ?? []) {
      const found = new Map<string, string>();
      for (const { requires } of directives.map(readArguments))
        if (typeof requires === 'string' && requires.includes('('))
          visit(parse(`{ ${requires} }`, { noLocation: true }), {
            Field: (node) => void (node.arguments?.length && found.set(node.name.value, print(node))),
          });
      if (found.size > 0) required.set(`${definition.name.value}.${name.value}`, found);
    }
  }
  return required;
}
