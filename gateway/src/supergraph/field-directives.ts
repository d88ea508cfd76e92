import type { ConstDirectiveNode, DocumentNode } from 'graphql';
import { Kind, valueFromASTUntyped } from 'graphql';

/** A directive of ours that subgraphs put on fields and composition carries into the supergraph. */
export interface DeclaredDirective {
  /** The specification's URL without its version. */
  readonly specification: string;
  /** Its name without the @. */
  readonly name: string;
}

/** The arguments with which subgraphs put the directive on fields, by `Type.field`. Read from the supergraph itself: the schema made of it has lost them. */
export function declaredOn(
  supergraph: DocumentNode,
  directive: DeclaredDirective,
): ReadonlyMap<string, Readonly<Record<string, unknown>>> {
  const name = nameIn(supergraph, directive);
  const declared = new Map<string, Readonly<Record<string, unknown>>>();
  for (const definition of supergraph.definitions) {
    if (definition.kind !== Kind.OBJECT_TYPE_DEFINITION) continue;
    for (const field of definition.fields ?? []) {
      const found = field.directives?.find((each) => each.name.value === name);
      if (found) declared.set(`${definition.name.value}.${field.name.value}`, argumentsOf(found));
    }
  }
  return declared;
}

/** Subgraphs may import the directive under another name; the supergraph then carries that one. */
function nameIn(document: DocumentNode, { specification, name }: DeclaredDirective): string {
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.SCHEMA_DEFINITION) continue;
    for (const link of definition.directives ?? []) {
      const { url, import: imported } = argumentsOf(link) as {
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

export const argumentsOf = (directive: ConstDirectiveNode): Record<string, unknown> =>
  Object.fromEntries(
    (directive.arguments ?? []).map((argument) => [argument.name.value, valueFromASTUntyped(argument.value)]),
  );
