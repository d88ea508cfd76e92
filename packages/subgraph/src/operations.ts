import { randomUUID } from 'node:crypto';
import { errors, isErrorCode } from '@lectern/errors';
import type { ErrorLimit, ExecuteOperation, Grow } from '@lectern/execution';
import { compileOperation, createOperationCache, interpretOperation } from '@lectern/execution';
import type { Logger, WorkContext } from '@lectern/serving';
import {
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  isIntrospectionType,
  isObjectType,
  parse,
  validate,
} from 'graphql';

/** In bytes. It is small, because a gateway sends few distinct documents, each of them often. */
const defaultMaxBytes = 12_000_000;

/** Each verse of a book may have a failed field, and a failed field takes longer than most others. */
const maxErrors = 1_000;
export const errorLimit: ErrorLimit = {
  max: maxErrors,
  error() {
    const { message, extensions } = errors.tooManyErrors(maxErrors);
    return new GraphQLError(message, { extensions });
  },
};

/** An entry of the operation cache. `invalid`: the document has a syntax error or does not fit the schema. */
type CachedOperation =
  | { readonly kind: 'valid'; readonly execute: ExecuteOperation }
  | { readonly kind: 'invalid'; readonly errors: readonly GraphQLError[] };

/** Parses, validates and compiles each operation once. If not `compiled`, graphql-js executes them. */
export function createSubgraphOperationCache(
  schema: GraphQLSchema,
  {
    compiled,
    maxTokens,
    maxBytes = defaultMaxBytes,
  }: { compiled: boolean; maxTokens?: number | undefined; maxBytes?: number | undefined },
) {
  if (!compiled) rejectInPlaceOfThrowing(schema);
  const paceOf = (context: unknown) => (context as WorkContext).work;
  const prepare = (query: string, operationName: string | undefined, grow: Grow): CachedOperation => {
    try {
      const document = parse(query, { noLocation: true, maxTokens });
      const invalid = validate(schema, document);
      if (invalid.length > 0)
        return { kind: 'invalid', errors: invalid.map((error) => withCode(error, errors.validationFailed.code)) };
      const execute = compiled
        ? compileOperation(schema, document, operationName, { grow, errorLimit, paceOf })
        : interpretOperation(schema, document, operationName, errorLimit);
      return { kind: 'valid', execute };
    } catch (error) {
      if (error instanceof GraphQLError) return { kind: 'invalid', errors: [withCode(error, errors.parseFailed.code)] };
      throw error;
    }
  };

  const operations = createOperationCache<CachedOperation>({ maxBytes });
  return {
    find(query: string, operationName: string | undefined): CachedOperation {
      const key = keyOf(query, operationName);
      return operations.get(key) ?? operations.add(key, (grow) => prepare(query, operationName, grow));
    },
    isCached: (query: string, operationName: string | undefined) => operations.has(keyOf(query, operationName)),
  };
}

/**
 * Makes each resolver reject where it throws. If an item of a list throws, graphql-js leaves the promises of the items
 * before it without a handler, and when one of them rejects, the process ends.
 */
function rejectInPlaceOfThrowing(schema: GraphQLSchema): void {
  // All schemas of a process share the introspection types, so those are left as they are.
  const fields = Object.values(schema.getTypeMap()).flatMap((type) =>
    isObjectType(type) && !isIntrospectionType(type) ? Object.values(type.getFields()) : [],
  );
  for (const field of fields) {
    const { resolve } = field;
    if (!resolve) continue;
    // It has four parameters, because packages/execution builds `info` only for such resolvers.
    field.resolve = (source, args, context, info): unknown => {
      try {
        return resolve(source, args, context, info);
      } catch (error) {
        return Promise.reject(error);
      }
    };
  }
}

export type SubgraphOperations = ReturnType<typeof createSubgraphOperationCache>;

/** Contains the length of the name, so that two pairs of name and query never have the same key. */
const keyOf = (query: string, operationName: string | undefined): string =>
  operationName === undefined ? `-${query}` : `${operationName.length}:${operationName}${query}`;

/** Copies an error, with `code` as its only extension and without its path. */
export const withCode = (error: GraphQLError, code: string): GraphQLError =>
  new GraphQLError(error.message, {
    nodes: error.nodes ?? null,
    source: error.source ?? null,
    positions: error.positions ?? null,
    extensions: { code },
  });

/**
 * Keeps message and code of an error of `@lectern/errors`, except INTERNAL_SERVER_ERROR. Logs any other with its stack
 * and a request id, and the caller gets "Internal server error" with this id.
 */
export function maskError(formatted: GraphQLFormattedError, error: unknown, log: Logger): GraphQLFormattedError {
  const code = formatted.extensions?.['code'];
  const { message, locations, path } = formatted;
  const place = { ...(locations && { locations }), ...(path && { path }) };
  if (isErrorCode(code) && code !== errors.internal.code) return { message, ...place, extensions: { code } };
  const requestId = randomUUID();
  const err = (error instanceof Error && 'originalError' in error && error.originalError) || error;
  log.error({ err, requestId, path }, 'a resolver failed');
  return { message: errors.internal().message, ...place, extensions: { code: errors.internal.code, requestId } };
}
