import type { GraphQLError, GraphQLSchema, GraphQLType, OperationDefinitionNode } from 'graphql';
import { getNullableType, getVariableValues, isInputType, isNonNullType, typeFromAST, valueFromAST } from 'graphql';
import { builtInScalarCheck } from './serialize-leaves-and-check-scalars';

export type VariableValues = Record<string, unknown>;

export type CoercedVariables =
  | { readonly coerced: VariableValues; readonly errors?: undefined }
  | { readonly errors: readonly GraphQLError[]; readonly coerced?: undefined };

interface Variable {
  readonly name: string;
  readonly isNullable: boolean;
  readonly default: unknown;
  /** Returns whether coercion leaves this value, which is not null, unchanged. */
  readonly isUnchanged: (value: unknown) => boolean;
}

/**
 * Compiles the coercion of an operation's variables, with the same results as graphql-js. Values
 * that a built-in scalar leaves unchanged are only checked. If there is any other value, graphql-js
 * coerces the variables and reports at most `maxErrors` errors. The operation has to be valid.
 */
export function compileVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  maxErrors: number,
): (sent: Readonly<VariableValues>) => CoercedVariables {
  const compiled = variableDefinitions.map((definition): Variable | null => {
    const name = definition.variable.name.value;
    const type: GraphQLType | undefined = typeFromAST(schema, definition.type as Parameters<typeof typeFromAST>[1]);
    if (!isInputType(type) || name === '__proto__') return null;
    const check = builtInScalarCheck(getNullableType(type));
    // The default of a type that is not a built-in scalar may be an object. Two requests must not
    // share an object, so graphql-js creates the default for each request.
    if (!check && definition.defaultValue) return null;
    return {
      name,
      isNullable: !isNonNullType(type),
      default: definition.defaultValue && valueFromAST(definition.defaultValue, type),
      isUnchanged: check ?? never,
    };
  });
  const variables = compiled.every((variable) => variable !== null) ? compiled : null;

  return (sent) =>
    (variables && coerceUnchanged(variables, sent)) ??
    getVariableValues(schema, variableDefinitions, sent, { maxErrors });
}

/**
 * Returns the coerced variables if no value changes. Returns null if graphql-js has to coerce or
 * reject a value.
 */
function coerceUnchanged(variables: readonly Variable[], sent: Readonly<VariableValues>): CoercedVariables | null {
  const coerced: VariableValues = {};
  for (const variable of variables) {
    if (Object.hasOwn(sent, variable.name)) {
      const value = sent[variable.name];
      if (value === null ? !variable.isNullable : !variable.isUnchanged(value)) return null;
      coerced[variable.name] = value;
    } else if (variable.default !== undefined) coerced[variable.name] = variable.default;
    else if (!variable.isNullable) return null;
  }
  return { coerced };
}

const never = (): boolean => false;
