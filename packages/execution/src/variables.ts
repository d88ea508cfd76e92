import type { GraphQLError, GraphQLSchema, GraphQLType, OperationDefinitionNode } from 'graphql';
import { getNullableType, getVariableValues, isInputType, isNonNullType, typeFromAST, valueFromAST } from 'graphql';
import { plainCheckOf } from './plain-values';

export type VariableValues = Record<string, unknown>;

export type CoercedVariables =
  | { readonly coerced: VariableValues; readonly errors?: undefined }
  | { readonly errors: readonly GraphQLError[]; readonly coerced?: undefined };

interface Variable {
  readonly name: string;
  readonly isNullable: boolean;
  readonly default: unknown;
  /** Whether coercion leaves a value that is not null as it is. */
  readonly isAsItShouldBe: (value: unknown) => boolean;
}

/**
 * Coerces the variables of an operation as graphql-js does, and leaves that to graphql-js for all but what clients mostly send: numbers, strings and
 * booleans that are what they should be. It would find out the types and read the defaults anew for every call. The operation has to be valid.
 */
export function compileVariables(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  mostErrors: number,
): (given: Readonly<VariableValues>) => CoercedVariables {
  const variables = variableDefinitions.map((definition): Variable | null => {
    const name = definition.variable.name.value;
    const type: GraphQLType | undefined = typeFromAST(schema, definition.type as Parameters<typeof typeFromAST>[1]);
    if (!isInputType(type) || name === '__proto__') return null;
    const check = plainCheckOf(getNullableType(type));
    // A default of another type may be an object, which no two calls should share.
    if (!check && definition.defaultValue) return null;
    return {
      name,
      isNullable: !isNonNullType(type),
      default: definition.defaultValue && valueFromAST(definition.defaultValue, type),
      isAsItShouldBe: check ?? never,
    };
  });
  const simple = variables.every((variable) => variable !== null) ? variables : null;

  return (given) =>
    (simple && asGiven(simple, given)) ??
    getVariableValues(schema, variableDefinitions, given, { maxErrors: mostErrors });
}

/** Null where a value has to be looked at more closely. */
function asGiven(variables: readonly Variable[], given: Readonly<VariableValues>): CoercedVariables | null {
  const coerced: VariableValues = {};
  for (const variable of variables) {
    if (Object.hasOwn(given, variable.name)) {
      const value = given[variable.name];
      if (value === null ? !variable.isNullable : !variable.isAsItShouldBe(value)) return null;
      coerced[variable.name] = value;
    } else if (variable.default !== undefined) coerced[variable.name] = variable.default;
    else if (!variable.isNullable) return null;
  }
  return { coerced };
}

const never = (): boolean => false;
