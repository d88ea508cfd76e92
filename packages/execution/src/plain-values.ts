import type { GraphQLType } from 'graphql';
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

/** Tells the values that a built-in scalar leaves as they are, on their way in and out; undefined for any other type. */
export const plainCheckOf = (type: GraphQLType): ((value: unknown) => boolean) | undefined => checks.get(type);
