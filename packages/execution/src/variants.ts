import { Kind, visit } from 'graphql';
import type { DocumentNode, FragmentDefinitionNode, OperationDefinitionNode } from 'graphql';
import type { CompiledKept } from './compiled-kept';
import type { VariableValues } from './variables';

/** Each doubles what one operation may be compiled into. An operation with more of them is not compiled. */
const mostConditions = 4;

export interface VariantsParts<Compiled> {
  document: DocumentNode;
  operation: OperationDefinitionNode;
  kept: CompiledKept<Compiled>;
  /** Called once for the same conditions while the outcome is kept. `onField` is to be told of every field that is compiled. */
  compile: (conditions: VariableValues, onField: () => void) => Compiled;
}

/**
 * Which fields an operation has hangs on its conditions, the variables in @skip and @include: it is compiled once for each of the values that those have. Null
 * where there are too many. What comes back takes coerced variables, and gives null where a condition is not true or false.
 */
export function createVariants<Compiled>({ document, operation, kept, compile }: VariantsParts<Compiled>): ((variables: Readonly<VariableValues>) => Compiled | null) | null {
  const names = conditionsOf(document, operation);
  if (names.length > mostConditions) return null;
  const keys = new Map<string, object>();
  return (variables) => {
    if (names.some((name) => typeof variables[name] !== 'boolean')) return null;
    const values = names.map((name) => String(variables[name])).join(' ');
    const key = keys.get(values) ?? {};
    keys.set(values, key);
    const known = kept.get(key);
    if (known) return known;
    let fields = 0;
    const compiled = compile(Object.fromEntries(names.map((name) => [name, variables[name]])), () => {
      fields += 1;
    });
    kept.keep(key, compiled, fields);
    return compiled;
  };
}

/** A document's fragments by name, as graphql-js takes them. */
export const fragmentsOf = ({ definitions }: DocumentNode): Record<string, FragmentDefinitionNode> =>
  Object.fromEntries(definitions.flatMap((definition): [string, FragmentDefinitionNode][] => (definition.kind === Kind.FRAGMENT_DEFINITION ? [[definition.name.value, definition]] : [])));

function conditionsOf(document: DocumentNode, { variableDefinitions = [] }: OperationDefinitionNode): string[] {
  const names = new Set<string>();
  visit(document, {
    Directive({ name, arguments: given = [] }) {
      if (name.value !== 'skip' && name.value !== 'include') return;
      for (const { value } of given) if (value.kind === Kind.VARIABLE) names.add(value.name.value);
    },
  });
  return variableDefinitions.map(({ variable }) => variable.name.value).filter((name) => names.has(name));
}
