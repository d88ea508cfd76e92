import { GraphQLBoolean, GraphQLFloat, GraphQLID, GraphQLInt, GraphQLString, isNonNullType, typeFromAST } from 'graphql';
import type { GraphQLSchema, GraphQLType, OperationDefinitionNode, VariableDefinitionNode } from 'graphql';

type Variables = Readonly<Record<string, unknown>>;

/**
 * Whether the variables are what coercion would leave as it is: numbers, strings and booleans where such are declared, and no nulls. So it is with nearly
 * all clients, and coercion, which finds the types out anew for every call, need not be asked. The types are found out here, once an operation.
 */
export function compilePlainness(schema: GraphQLSchema, { variableDefinitions = [] }: OperationDefinitionNode): (variables: Variables) => boolean {
  const declared = variableDefinitions.map((definition) => ({
    name: definition.variable.name.value,
    mayBeAbsent: definition.defaultValue !== undefined || definition.type.kind !== 'NonNullType',
    isPlain: plainnessOf(schema, definition),
  }));
  return (variables) => declared.every(({ name, mayBeAbsent, isPlain }) => (Object.hasOwn(variables, name) ? isPlain(variables[name]) : mayBeAbsent));
}

function plainnessOf(schema: GraphQLSchema, { type }: VariableDefinitionNode): (value: unknown) => boolean {
  const declared: GraphQLType | undefined = typeFromAST(schema, type as Parameters<typeof typeFromAST>[1]);
  return plain.get(isNonNullType(declared) ? declared.ofType : declared) ?? (() => false);
}

const isString = (value: unknown): boolean => typeof value === 'string';

const plain: ReadonlyMap<GraphQLType | undefined, (value: unknown) => boolean> = new Map<GraphQLType | undefined, (value: unknown) => boolean>([
  [GraphQLString, isString],
  [GraphQLID, isString],
  [GraphQLInt, (value) => typeof value === 'number' && (value | 0) === value],
  [GraphQLFloat, (value) => Number.isFinite(value)],
  [GraphQLBoolean, (value) => typeof value === 'boolean'],
]);
