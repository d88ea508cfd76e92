import { GraphQLBoolean, GraphQLFloat, GraphQLID, GraphQLInt, GraphQLString } from 'graphql';
import type { GraphQLLeafType } from 'graphql';

/** Turns what a resolver gave into what the answer holds. Throws for what the type cannot hold. */
export type Serialize = (value: unknown) => unknown;

const textAsItIs = (type: GraphQLLeafType): Serialize => (value) => (typeof value === 'string' ? value : serialized(type, value));

/** The built-in types are asked only about what they would change. */
export function serializeOf(type: GraphQLLeafType): Serialize {
  if (type === GraphQLString || type === GraphQLID) return textAsItIs(type);
  if (type === GraphQLInt) return (value) => (typeof value === 'number' && (value | 0) === value ? value : serialized(type, value));
  if (type === GraphQLFloat) return (value) => (typeof value === 'number' && Number.isFinite(value) ? value : serialized(type, value));
  if (type === GraphQLBoolean) return (value) => (typeof value === 'boolean' ? value : serialized(type, value));
  return (value) => serialized(type, value);
}

function serialized(type: GraphQLLeafType, value: unknown): unknown {
  const result: unknown = type.serialize(value);
  if (result === null || result === undefined) throw new Error(`${type.name} has serialized a value that is not null as ${String(result)}.`);
  return result;
}
