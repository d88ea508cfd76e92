import type { ConstDirectiveNode, DocumentNode, SelectionNode } from 'graphql';
import { Kind, parse, valueFromASTUntyped } from 'graphql';

/**
 * A directive that Lectern defines, such as `@fieldCost`. Composition copies it into the
 * supergraph.
 */
interface DeclaredDirective {
  /** The specification's URL without its version. */
  readonly specification: string;
  /** The directive's name, without the @. */
  readonly name: string;
}

/**
 * Reads the arguments of a directive on each field that has the directive, by `Type.field`. The
 * source is the supergraph's document, because the schema built from the document has no
 * directives.
 */
export function readFieldDirectives(
  supergraph: DocumentNode,
  directive: DeclaredDirective,
): ReadonlyMap<string, Readonly<Record<string, unknown>>> {
  const name = nameInSupergraph(supergraph, directive);
  const found = new Map<string, Readonly<Record<string, unknown>>>();
  for (const definition of supergraph.definitions) {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) continue;
    for (const field of definition.fields ?? []) {
      const applied = field.directives?.find((each) => each.name.value === name);
      if (applied) found.set(`${definition.name.value}.${field.name.value}`, readArguments(applied));
    }
  }
  return found;
}

/**
 * Returns the directive's name in the supergraph. Subgraphs may import the directive under another
 * name.
 */
function nameInSupergraph(document: DocumentNode, { specification, name }: DeclaredDirective): string {
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.SCHEMA_DEFINITION) continue;
    for (const link of definition.directives ?? []) {
      const { url, import: imported } = readArguments(link) as {
        url?: string;
        import?: (string | { name: string; as?: string })[];
      };
      if (url?.startsWith(specification) !== true) continue;
      for (const each of imported ?? []) {
        if (each === `@${name}`) return name;
        if (typeof each === 'object' && each.name === `@${name}`) return (each.as ?? each.name).slice(1);
      }
    }
  }
  return name;
}

const readArguments = (directive: ConstDirectiveNode): Record<string, unknown> =>
  Object.fromEntries(
    (directive.arguments ?? []).map((argument) => [argument.name.value, valueFromASTUntyped(argument.value)]),
  );

/** Reads the names of each type's key fields. Nested fields of a key are not included. */
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
  const selections: readonly SelectionNode[] =
    set?.kind === Kind.OPERATION_DEFINITION ? set.selectionSet.selections : [];
  return selections.flatMap((selection) => (selection.kind === Kind.FIELD ? [selection.name.value] : []));
}
