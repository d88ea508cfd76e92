import { randomUUID } from 'node:crypto';
import { errors, isErrorCode } from '@lectern/errors';
import {
  compileOperation,
  createOperationCache,
  type ErrorLimit,
  type ExecuteOperation,
  type Grow,
  interpretOperation,
} from '@lectern/execution';
import type { Logger, WorkContext } from '@lectern/serving';
import {
  type DocumentNode,
  GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
  parse,
  validate,
} from 'graphql';

/**
 * The maximum memory of the cache of a subgraph process, in bytes. A gateway sends few distinct documents, each of them
 * often.
 */
const defaultMaxBytes = 12_000_000;

/**
 * The maximum number of errors in one execution. Creating and sending an error takes longer than resolving most fields.
 * A field that fails for each verse of a book would have thousands of errors.
 */
const maxErrors = 1_000;
export const errorLimit: ErrorLimit = {
  max: maxErrors,
  error() {
    const { message, extensions } = errors.tooManyErrors(maxErrors);
    return new GraphQLError(message, { extensions });
  },
};

export interface OperationCacheOptions {
  /** Whether each operation is compiled once. If false, graphql-js executes the operations. */
  compiled: boolean;
  /** The maximum number of tokens in a document. By default there is none. */
  maxTokens?: number | undefined;
  /** The maximum memory of the cache, in bytes. */
  maxBytes?: number | undefined;
}

export type CachedOperation =
  | { readonly kind: 'valid'; readonly execute: ExecuteOperation }
  /** The kind for a document that cannot be parsed or does not fit the schema. */
  | { readonly kind: 'invalid'; readonly errors: readonly GraphQLError[] };

/** The operations of a subgraph, each with a document and the operation name that chooses it. */
export interface SubgraphOperations {
  /** Returns an operation. Prepares the operation if it is not cached. */
  find(query: string, operationName: string | undefined): CachedOperation;
  isCached(query: string, operationName: string | undefined): boolean;
}

/**
 * Creates the LRU cache of a subgraph's operations. Each operation is parsed, validated and compiled once. Without
 * `compiled`, graphql-js executes the operations.
 */
export function createSubgraphOperationCache(
  schema: GraphQLSchema,
  { compiled, maxTokens, maxBytes = defaultMaxBytes }: OperationCacheOptions,
): SubgraphOperations {
  const paceOf = (context: unknown) => (context as WorkContext).work;
  const toExecutable = (document: DocumentNode, operationName: string | undefined, grow: Grow): ExecuteOperation =>
    compiled
      ? compileOperation(schema, document, operationName, { grow, errorLimit, paceOf })
      : interpretOperation(schema, document, operationName, errorLimit);

  const operations = createOperationCache<CachedOperation>({ maxBytes });
  return {
    find(query, operationName) {
      const key = keyOf(query, operationName);
      return (
        operations.get(key) ??
        operations.add(key, (grow) =>
          prepareOperation(schema, { query, maxTokens }, (document) => toExecutable(document, operationName, grow)),
        )
      );
    },
    isCached: (query, operationName) => operations.has(keyOf(query, operationName)),
  };
}

/**
 * Returns the cache key of an operation. The key contains the length of the name, so that two different pairs of name
 * and query never have the same key.
 */
const keyOf = (query: string, operationName: string | undefined): string =>
  operationName === undefined ? `-${query}` : `${operationName.length}:${operationName}${query}`;

function prepareOperation(
  schema: GraphQLSchema,
  { query, maxTokens }: { query: string; maxTokens: number | undefined },
  toExecutable: (document: DocumentNode) => ExecuteOperation,
): CachedOperation {
  try {
    const document = parse(query, { noLocation: true, maxTokens });
    const validationErrors = validate(schema, document);
    return validationErrors.length === 0
      ? { kind: 'valid', execute: toExecutable(document) }
      : { kind: 'invalid', errors: validationErrors.map((error) => withCode(error, errors.validationFailed.code)) };
  } catch (error) {
    if (error instanceof GraphQLError) return { kind: 'invalid', errors: [withCode(error, errors.parseFailed.code)] };
    throw error;
  }
}

/** Copies an error, with `code` as its only extension and without its path. */
export const withCode = (error: GraphQLError, code: string): GraphQLError =>
  new GraphQLError(error.message, {
    nodes: error.nodes ?? null,
    source: error.source ?? null,
    positions: error.positions ?? null,
    extensions: { code },
  });

/**
 * Returns the form of an error that a caller may see. An error whose code is one of `@lectern/errors`, except
 * INTERNAL_SERVER_ERROR, keeps its message and code. Any other error is logged with its stack under a request id, and
 * the caller gets "Internal server error" with this id.
 */
export function maskError(formatted: GraphQLFormattedError, error: unknown, log: Logger): GraphQLFormattedError {
  const code = formatted.extensions?.['code'];
  const { message, locations, path } = formatted;
  const place = { ...(locations && { locations }), ...(path && { path }) };
  if (isErrorCode(code) && code !== errors.internal.code) return { message, ...place, extensions: { code } };
  const requestId = randomUUID();
  log.error({ err: originalError(error), requestId, path }, 'a resolver failed');
  return { message: errors.internal().message, ...place, extensions: { code: errors.internal.code, requestId } };
}

const originalError = (error: unknown): unknown =>
  (error instanceof Error && 'originalError' in error && error.originalError) || error;
