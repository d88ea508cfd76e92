import { errors } from '@lectern/errors';
import type { ErrorLimit, ExecuteOperation, Grow } from '@lectern/execution';
import { compileOperation, createOperationCache, interpretOperation } from '@lectern/execution';
import type { DocumentNode, GraphQLSchema } from 'graphql';
import { GraphQLError, parse, validate } from 'graphql';

/** A gateway sends few distinct documents, each of them often. */
const maxCacheBytes = 70_000_000;

/**
 * The bound on errors of one execution. An error costs more than most fields, to make and to send.
 * A field that fails for each verse of a book would have thousands.
 */
const maxErrors = 1_000;
const errorLimit: ErrorLimit = {
  max: maxErrors,
  error() {
    const { message, extensions } = errors.tooManyErrors(maxErrors);
    return new GraphQLError(message, { extensions });
  },
};

export type CachedOperation =
  | { readonly kind: 'valid'; readonly execute: ExecuteOperation }
  /** The document cannot be parsed or does not fit the schema. */
  | { readonly kind: 'invalid'; readonly errors: readonly GraphQLError[] };

/**
 * Parses, validates and compiles each operation once, and caches them in one LRU cache.
 * Without `compiled`, graphql-js executes the operations.
 */
export function createSubgraphOperationCache(schema: GraphQLSchema, { compiled }: { compiled: boolean }) {
  const toExecutable = (document: DocumentNode, operationName: string | undefined, grow: Grow): ExecuteOperation =>
    compiled
      ? compileOperation(schema, document, operationName, { grow, errorLimit })
      : interpretOperation(schema, document, operationName);

  const operations = createOperationCache<CachedOperation>({ maxBytes: maxCacheBytes });
  return (query: string, operationName: string | undefined): CachedOperation => {
    // With the length of the name, two different pairs never have the same key.
    const key = operationName === undefined ? `-${query}` : `${operationName.length}:${operationName}${query}`;
    return (
      operations.get(key) ??
      operations.add(key, (grow) =>
        prepareOperation(schema, query, (document) => toExecutable(document, operationName, grow)),
      )
    );
  };
}

function prepareOperation(
  schema: GraphQLSchema,
  query: string,
  toExecutable: (document: DocumentNode) => ExecuteOperation,
): CachedOperation {
  try {
    const document = parse(query, { noLocation: true });
    const validationErrors = validate(schema, document);
    return validationErrors.length === 0
      ? { kind: 'valid', execute: toExecutable(document) }
      : { kind: 'invalid', errors: validationErrors.map((error) => withCode(error, errors.validationFailed.code)) };
  } catch (error) {
    if (error instanceof GraphQLError) return { kind: 'invalid', errors: [withCode(error, errors.parseFailed.code)] };
    throw error;
  }
}

/** Copies an error with `extensions.code` and without its path. */
export const withCode = (error: GraphQLError, code: string): GraphQLError =>
  new GraphQLError(error.message, {
    nodes: error.nodes ?? null,
    source: error.source ?? null,
    positions: error.positions ?? null,
    extensions: { code },
  });
