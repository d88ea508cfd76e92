import { errors } from '@lectern/errors';
import type { VariableValues } from '@lectern/execution';
import type { DocumentNode, GraphQLFormattedError, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { isNonNullType, TypeInfo, ValidationContext } from 'graphql';
import { formatPublicError } from './rejection';

interface OperationParts {
  readonly document: DocumentNode;
  readonly definition: OperationDefinitionNode;
}

/**
 * Validates variables that fit their types: no value may be nested too deep. No value may be null
 * where GraphQL would fail the execution. Numbers, strings and booleans are always valid. Returns
 * the errors.
 */
export function validateVariableValues(
  schema: GraphQLSchema,
  operation: OperationParts,
  coercedVariables: VariableValues,
  maxNesting: number,
): readonly GraphQLFormattedError[] {
  if (!Object.values(coercedVariables).some((value) => typeof value === 'object')) return [];
  const nested = Object.keys(coercedVariables).find((name) => isNestedOver(maxNesting, coercedVariables[name]));
  return nested === undefined
    ? validateNulls(schema, operation, coercedVariables)
    : [formatPublicError(errors.badUserInput(`Variable "$${nested}" is nested more than ${maxNesting} deep.`))];
}

/**
 * GraphQL allows a nullable variable with a default at a non-null position. If the client sends
 * null there, the execution fails. This check rejects the request before.
 */
function validateNulls(
  schema: GraphQLSchema,
  { document, definition }: OperationParts,
  coercedVariables: VariableValues,
): readonly GraphQLFormattedError[] {
  if (!Object.values(coercedVariables).includes(null)) return [];
  const context = new ValidationContext(schema, document, new TypeInfo(schema), () => {});
  const names = new Set(
    context
      .getRecursiveVariableUsages(definition)
      .flatMap(({ node, type }) =>
        isNonNullType(type) && coercedVariables[node.name.value] === null ? [node.name.value] : [],
      ),
  );
  return [...names].map((name) =>
    formatPublicError(errors.badUserInput(`Variable "$${name}" must not be null: leave it out for its default.`)),
  );
}

/**
 * Returns whether the value is nested deeper than `levels`. The nesting needs a bound because
 * JSON.stringify recurses into each level, and a custom scalar accepts any value.
 */
const isNestedOver = (levels: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isNestedOver(levels - 1, inner)));
