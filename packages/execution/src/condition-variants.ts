import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import { Kind, visit } from 'graphql';
import type { VariableValues } from './compile-variables';
import type { Grow } from './operation-cache';
import { bytesPerField } from './operation-cache';

/**
 * The maximum number of conditions of an operation whose variants are cached. Each condition
 * doubles the number of variants.
 */
const maxCachedConditions = 4;

export interface ConditionVariantsOptions<Compiled> {
  document: DocumentNode;
  operation: OperationDefinitionNode;
  grow: Grow;
  /**
   * Compiles the variant for these values of the conditions, and calls `onField` for each compiled
   * field.
   */
  compile: (conditions: VariableValues, onField: () => void) => Compiled;
}

/**
 * The conditions of an operation, the variables in @skip and @include, decide which fields the
 * operation has. So the operation is compiled once per combination of their values. The returned
 * function takes coerced variables. It returns null if a condition is neither true nor false.
 */
export function createConditionVariants<Compiled>({
  document,
  operation,
  grow,
  compile,
}: ConditionVariantsOptions<Compiled>): (variables: Readonly<VariableValues>) => Compiled | null {
  const names = conditionNames(document, operation);
  const variants = new Map<string, Compiled>();
  return (variables) => {
    let key = '';
    for (const name of names) {
      const value = variables[name];
      if (typeof value !== 'boolean') return null;
      key += value ? '1' : '0';
    }
    const known = variants.get(key);
    if (known !== undefined) return known;
    let fields = 0;
    const compiled = compile(Object.fromEntries(names.map((name) => [name, variables[name]])), () => {
      fields += 1;
    });
    if (names.length <= maxCachedConditions) {
      variants.set(key, compiled);
      grow(fields * bytesPerField);
    }
    return compiled;
  };
}

/**
 * Returns the names of the operation's variables that stand in @skip or @include, in the order of
 * their definitions.
 */
function conditionNames(document: DocumentNode, { variableDefinitions = [] }: OperationDefinitionNode): string[] {
  const found = new Set<string>();
  visit(document, {
    Directive(node) {
      if (node.name.value !== 'skip' && node.name.value !== 'include') return;
      for (const { value } of node.arguments ?? []) if (value.kind === Kind.VARIABLE) found.add(value.name.value);
    },
  });
  return variableDefinitions.map(({ variable }) => variable.name.value).filter((name) => found.has(name));
}
