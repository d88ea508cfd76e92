import type { DocumentNode, FragmentDefinitionNode, OperationDefinitionNode } from 'graphql';
import { Kind, visit } from 'graphql';
import type { CompiledKept } from './compiled-kept';
import type { VariableValues } from './variables';

/** What takes the memory of a compiled field: so many nodes of a document, or characters of names and strings. */
const nodesPerField = 16;
export const charactersPerField = 1_000;

/** Each doubles what one operation may be compiled into. Of an operation with more of them nothing is kept: it is compiled for every call. */
const mostConditions = 4;

export interface VariantsParts<Compiled> {
  document: DocumentNode;
  operation: OperationDefinitionNode;
  kept: CompiledKept<Compiled>;
  /** Called once for the same conditions while the outcome is kept, which null is not. `onField` is to be told of every field that is compiled, or of what takes as much memory. */
  compile: (conditions: VariableValues, onField: (fields?: number) => void) => Compiled | null;
}

/**
 * Which fields an operation has hangs on its conditions, the variables in @skip and @include: it is compiled once for each of the values that those
 * have. What comes back takes coerced variables, and gives null where a condition is not true or false, or nothing was compiled.
 */
export function createVariants<Compiled>({
  document,
  operation,
  kept,
  compile,
}: VariantsParts<Compiled>): (variables: Readonly<VariableValues>) => Compiled | null {
  const { names, weight } = aboutDocument(document, operation);
  const keys = new Map<string, object>();
  return (variables) => {
    if (names.some((name) => typeof variables[name] !== 'boolean')) return null;
    const values = names.map((name) => String(variables[name])).join(' ');
    const key = keys.get(values) ?? {};
    const known = kept.get(key);
    if (known) return known;
    let fields = weight;
    const compiled = compile(Object.fromEntries(names.map((name) => [name, variables[name]])), (more = 1) => {
      fields += more;
    });
    if (compiled && names.length <= mostConditions) {
      keys.set(values, key);
      kept.keep(key, compiled, fields);
    }
    return compiled;
  };
}

/** A document's fragments by name, as graphql-js takes them. */
export const fragmentsOf = ({ definitions }: DocumentNode): Record<string, FragmentDefinitionNode> =>
  Object.fromEntries(
    definitions.flatMap((definition): [string, FragmentDefinitionNode][] =>
      definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : [],
    ),
  );

/** The conditions of an operation, and what its document takes, in compiled fields. */
function aboutDocument(
  document: DocumentNode,
  { variableDefinitions = [] }: OperationDefinitionNode,
): { names: string[]; weight: number } {
  const found = new Set<string>();
  let nodes = 0;
  let characters = 0;
  visit(document, {
    enter(node) {
      nodes += 1;
      if ('value' in node && typeof node.value === 'string') characters += node.value.length;
      if (node.kind !== Kind.DIRECTIVE || (node.name.value !== 'skip' && node.name.value !== 'include')) return;
      for (const { value } of node.arguments ?? []) if (value.kind === Kind.VARIABLE) found.add(value.name.value);
    },
  });
  return {
    names: variableDefinitions.map(({ variable }) => variable.name.value).filter((name) => found.has(name)),
    weight: Math.ceil(nodes / nodesPerField + characters / charactersPerField),
  };
}
