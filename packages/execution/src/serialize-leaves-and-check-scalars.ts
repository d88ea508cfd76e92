import type { GraphQLLeafType, GraphQLType } from 'graphql';
import { GraphQLBoolean, GraphQLFloat, GraphQLID, GraphQLInt, GraphQLString } from 'graphql';

const isString = (value: unknown): boolean => typeof value === 'string';

const checks: ReadonlyMap<GraphQLType, (value: unknown) => boolean> = new Map<GraphQLType, (value: unknown) => boolean>(
  [
    [GraphQLString, isString],
    [GraphQLID, isString],
    [GraphQLInt, (value) => typeof value === 'number' && (value | 0) === value],
    [GraphQLFloat, (value) => Number.isFinite(value)],
    [GraphQLBoolean, (value) => typeof value === 'boolean'],
  ],
);

/**
 * Returns the function that tells whether a built-in scalar leaves a value unchanged, both as input
 * and as output. Returns undefined for a type that is not a built-in scalar.
 */
export const builtInScalarCheck = (type: GraphQLType): ((value: unknown) => boolean) | undefined => checks.get(type);

/**
 * A function that turns a resolver's value into the value of the response. Throws if the type
 * cannot hold the value.
 */
export type Serialize = (value: unknown) => unknown;

/**
 * Compiles the serialization of a leaf type. The type's own `serialize` is called only for values
 * that `serialize` may change.
 */
export function compileSerialize(type: GraphQLLeafType): Serialize {
  const isUnchanged = builtInScalarCheck(type);
  return isUnchanged
    ? (value) => (isUnchanged(value) ? value : serialize(type, value))
    : (value) => serialize(type, value);
}

function serialize(type: GraphQLLeafType, value: unknown): unknown {
  const result: unknown = type.serialize(value);
  if (result === null || result === undefined)
    throw new Error(`${type.name} has serialized a value that is not null as ${String(result)}.`);
  return result;
}
