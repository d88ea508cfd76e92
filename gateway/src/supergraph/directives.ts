import { type DirectiveNode, type DocumentNode, Kind, parse, valueFromASTUntyped } from 'graphql';

type Arguments = Readonly<Record<string, unknown>>;

/**
 * Reads the arguments of one of Lectern's directives, such as `@fieldCost`, by schema coordinate. A built schema has no
 * directives, so this reads the document. `specification` is the directive's URL without its version.
 */
export function readDirectives(
  supergraph: DocumentNode,
  specification: string,
  name: string,
): ReadonlyMap<string, Arguments> {
  const nameInSupergraph = findName(supergraph, specification, name);
  const found = new Map<string, Arguments>();
  const read = (coordinate: string, directives: readonly DirectiveNode[] = []): void => {
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

export const readArguments = (directive: DirectiveNode): Arguments =>
  Object.fromEntries(
    (directive.arguments ?? []).map((argument) => [argument.name.value, valueFromASTUntyped(argument.value)]),
  );

/** Calls `read` for each value of the enum `join__Graph`, which lists the subgraphs. */
function readGraphs({ definitions }: DocumentNode, read: (value: string, name: string, url: string) => void): void {
  for (const definition of definitions) {
    if (definition.kind !== Kind.ENUM_TYPE_DEFINITION || definition.name.value !== 'join__Graph') continue;
    for (const value of definition.values ?? []) {
      const directive = value.directives?.find((each) => each.name.value === 'join__graph');
      const { name, url = '' } = directive ? readArguments(directive) : {};
      if (typeof name === 'string') read(value.name.value, name, String(url));
    }
  }
}

/** Reads the URLs of the subgraphs, by name. Throws if there are none. */
export function readSubgraphUrls(supergraph: DocumentNode): ReadonlyMap<string, string> {
  const urls = new Map<string, string>();
  readGraphs(supergraph, (_, name, url) => urls.set(name, url));
  if (urls.size === 0) throw new Error('the supergraph has no subgraphs: it must be the output of a composition');
  return urls;
}

/** Reads the names of the subgraphs, by their values of the enum `join__Graph`. */
export function readGraphNames(supergraph: DocumentNode): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  readGraphs(supergraph, (value, name) => names.set(value, name));
  return names;
}

/** Returns the names of the fields in a field set such as `id author { name }`, without those in fields. */
export function fieldsIn(fieldSet: string): string[] {
  const [set] = parse(`{ ${fieldSet} }`, { noLocation: true }).definitions;
  if (set?.kind !== Kind.OPERATION_DEFINITION) return [];
  return set.selectionSet.selections.flatMap((each) => (each.kind === Kind.FIELD ? [each.name.value] : []));
}

/** The features of a supergraph without which it must not be executed, and that the gateway executes. */
const knownFeatures = ['https://specs.apollo.dev/join/', 'https://specs.apollo.dev/inaccessible/'];

/** Throws for a feature that must be enforced and is unknown, such as `@authenticated`: it protects data. */
export function checkFeatures({ definitions }: DocumentNode): void {
  for (const definition of definitions) {
    if (definition.kind !== Kind.SCHEMA_DEFINITION && definition.kind !== Kind.SCHEMA_EXTENSION) continue;
    for (const directive of definition.directives ?? []) {
      const { url, feature = url, for: purpose } = readArguments(directive);
      const isNeeded = purpose === 'SECURITY' || purpose === 'EXECUTION';
      if (isNeeded && !knownFeatures.some((known) => String(feature).startsWith(known)))
        throw new Error(
          `the supergraph uses @${String(feature).split('/').at(-2)} (${String(feature)}), which the gateway does not support: remove the directive from the subgraphs (docs/subgraphs.md#a-subgraph-of-another-team)`,
        );
    }
  }
}
