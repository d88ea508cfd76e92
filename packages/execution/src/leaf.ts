import type { GraphQLLeafType } from 'graphql';
import { plainCheckOf } from './plain-values';

/** Turns what a resolver gave into what the answer holds. Throws for what the type cannot hold. */
export type Serialize = (value: unknown) => unknown;

/** The built-in types are asked only about what they would change. */
export function serializeOf(type: GraphQLLeafType): Serialize {
  const isPlain = plainCheckOf(type);
  return isPlain ? (value) => (isPlain(value) ? value : serialized(type, value)) : (value) => serialized(type, value);
}

function serialized(type: GraphQLLeafType, value: unknown): unknown {
  const result: unknown = type.serialize(value);
  if (result === null || result === undefined)
    throw new Error(`${type.name} has serialized a value that is not null as ${String(result)}.`);
  return result;
}
