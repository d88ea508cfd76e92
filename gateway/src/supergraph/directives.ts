import { type ConstDirectiveNode, type DocumentNode, Kind, parse, valueFromASTUntyped } from 'graphql';

type Arguments = Readonly<Record<string, unknown>>;

/**
 * Reads the arguments of one of Lectern's own directives, such as `@fieldCost`, by schema coordinate: `Type.field`,
 * `Type.field(argument:)` or `Enum.VALUE`. Reads the supergraph's document, because the schema built from it has no
 * directives.
 * @param specification the URL of the directive's specification without its version
 */
export function readDirectives(
  supergraph: DocumentNode,
  specification: string,
  name: string,
): ReadonlyMap<string, Arguments> {
  const nameInSupergraph = findName(supergraph, specification, name);
  const found = new Map<string, Arguments>();
  const read = (coordinate: string, directives: readonly ConstDirectiveNode[] = []): void => {
    const applied = directives.find((each) => each.name.value === nameInSupergraph);
    if (applied) found.set(coordinate, readArguments(applied));
  };
  for (const definition of supergraph.definitions)
    if (definition.kind === Kind.OBJECT_TYPE_DEFINITION)
      for (const field of definition.fields ?? []) {
        const coordinate = `${definition.name.value}.${field.name.value}`;
        read(coordinate, field.directives);
        for (const each of field.arguments ?? []) read(`${coordinate}(${each.name.value}:)`, each.directives);
      }
    else if (definition.kind === Kind.ENUM_TYPE_DEFINITION)
      for (const value of definition.values ?? [])
        read(`${definition.name.value}.${value.name.value}`, value.directives);
  return found;
}

/** Returns the name of a directive in the supergraph, because subgraphs may import the directive under another name. */
function findName({ definitions }: DocumentNode, specification: string, name: string): string {
  const links = definitions.flatMap((definition) =>
    definition.kind === Kind.SCHEMA_DEFINITION ? (definition.directives ?? []).map(readArguments) : [],
  ) as { url?: string; import?: (string | { name: string; as?: string })[] }[];
  for (const { url, import: imported = [] } of links) {
    if (url?.startsWith(specification) !== true) continue;
    for (const each of imported)
      if (typeof each === 'object' && each.name === `@${name}`) return (each.as ?? each.name).slice(1);
  }
  return name;
}

const readArguments = (directive: ConstDirectiveNode): Arguments =>
  Object.fromEntries(
    (directive.arguments ?? []).map((argument) => [argument.name.value, valueFromASTUntyped(argument.value)]),
  );

/** Reads the names of each type's key fields. Fields nested in a key field are not included. */
export function readKeyFields(supergraph: DocumentNode): ReadonlyMap<string, ReadonlySet<string>> {
  const keys = new Map<string, Set<string>>();
  for (const definition of supergraph.definitions) {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) continue;
    const fields = new Set<string>();
    for (const directive of definition.directives ?? []) {
      const { key } = readArguments(directive);
      if (directive.name.value === 'join__type' && typeof key === 'string')
        for (const field of parseTopLevelFields(key)) fields.add(field);
    }
    keys.set(definition.name.value, fields);
  }
  return keys;
}

function parseTopLevelFields(key: string): string[] {
  const [set] = parse(`{ ${key} }`, { noLocation: true }).definitions;
  if (set?.kind !== Kind.OPERATION_DEFINITION) return [];
  return set.selectionSet.selections.flatMap((each) => (each.kind === Kind.FIELD ? [each.name.value] : []));
}
