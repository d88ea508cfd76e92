import { errors } from '@lectern/errors';
import type { ErrorLimit, ExecuteOperation, Grow } from '@lectern/execution';
import { compileOperation, createOperationCache, interpretOperation } from '@lectern/execution';
import type { DocumentNode, GraphQLSchema } from 'graphql';
import { GraphQLError, parse, validate } from 'graphql';

/** A gateway sends few distinct documents, each of them often. */
const maxCacheBytes = 70_000_000;

/**
 * The bound on errors of one execution. An error costs more than most fields, to make and to send. A field that fails
 * for each verse of a book would have thousands.
 */
const maxErrors = 1_000;
const errorLimit: ErrorLimit = {
  max: maxErrors,
  error() {
    const { message, extensions } = errors.tooManyErrors(maxErrors);
    return new GraphQLError(message, { extensions });
  },
};

/**
 * Parses, validates and compiles each operation once, in one LRU cache. An entry is the executable operation, or the
 * errors of its document. Without `compiled`, graphql-js executes the operations.
 */
export function createSubgraphOperationCache(schema: GraphQLSchema, { compiled }: { compiled: boolean }) {
  const executable = (document: DocumentNode, operationName: string | undefined, grow: Grow): ExecuteOperation =>
    compiled
      ? compileOperation(schema, document, operationName, { grow, errorLimit })
      : interpretOperation(schema, document, operationName);

  const operations = createOperationCache<ExecuteOperation | readonly GraphQLError[]>({ maxBytes: maxCacheBytes });
  return (query: string, operationName: string | undefined): ExecuteOperation | readonly GraphQLError[] => {
    // The length of the name keeps two pairs from having one key.
    const key = operationName === undefined ? `-${query}` : `${operationName.length}:${operationName}${query}`;
    return (
      operations.get(key) ??
      operations.add(key, (grow) =>
        prepareOperation(schema, query, (document) => executable(document, operationName, grow)),
      )
    );
  };
}

function prepareOperation(
  schema: GraphQLSchema,
  query: string,
  executable: (document: DocumentNode) => ExecuteOperation,
): ExecuteOperation | readonly GraphQLError[] {
  try {
    const document = parse(query, { noLocation: true });
    const validationErrors = validate(schema, document);
    return validationErrors.length === 0
      ? executable(document)
      : validationErrors.map((error) => withCode(error, errors.validationFailed.code));
  } catch (error) {
    if (error instanceof GraphQLError) return [withCode(error, errors.parseFailed.code)];
    throw error;
  }
}

export const withCode = (error: GraphQLError, code: string): GraphQLError =>
  new GraphQLError(error.message, {
    nodes: error.nodes ?? null,
    source: error.source ?? null,
    positions: error.positions ?? null,
    extensions: { code },
  });
