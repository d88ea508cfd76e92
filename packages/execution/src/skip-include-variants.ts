import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import { Kind, visit } from 'graphql';
import type { Grow } from './cache';
import { bytesPerField } from './cache';
import type { VariableValues } from './compile-variables';

/**
 * The variants of an operation are cached if at most this many of its variables occur in @skip and
 * @include. Each such variable doubles the number of variants.
 */
const maxCachedConditions = 4;

export interface SkipIncludeVariantsOptions<Compiled> {
  document: DocumentNode;
  operation: OperationDefinitionNode;
  grow: Grow;
  /**
   * Compiles the variant for these values of the variables in @skip and @include, and calls
   * `onField` for each compiled field.
   */
  compile: (conditions: VariableValues, onField: () => void) => Compiled;
}

/**
 * The variables in @skip and @include decide which fields an operation has. So the operation is
 * compiled once for each combination of the values of these variables: a variant. The returned
 * function takes all coerced variables and returns the variant for their values. The function
 * returns null if such a variable is neither true nor false.
 */
export function createSkipIncludeVariants<Compiled>({
  document,
  operation,
  grow,
  compile,
}: SkipIncludeVariantsOptions<Compiled>): (variables: Readonly<VariableValues>) => Compiled | null {
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
