import { errors } from '@lectern/errors';
import type { ErrorLimit, ExecuteOperation, Selection } from '@lectern/execution';
import { compileOperation, createCompiledKept, interpretOperation } from '@lectern/execution';
import type { DocumentNode, GraphQLSchema } from 'graphql';
import { GraphQLError, parse, validate } from 'graphql';
import { LRUCache } from 'lru-cache';

/** A gateway sends few distinct documents, each of them often. By characters: a syntax tree takes some forty times its text's memory. */
const charactersKept = 500_000;

/** An error costs more than most fields, to make and to send, and one name asked of every verse of a book fails as often as there are verses. */
const mostErrors = 1_000;
const errorLimit: ErrorLimit = {
  most: mostErrors,
  error() {
    const { message, extensions } = errors.tooManyErrors(mostErrors);
    return new GraphQLError(message, { extensions });
  },
};

/** What a document is parsed, validated and, unless told otherwise, compiled into, once while it is kept; or what is wrong with it. */
export function createOperationCache(schema: GraphQLSchema, { compiled }: { compiled: boolean }) {
  const kept = new LRUCache<string, ExecuteOperation | readonly GraphQLError[]>({
    maxSize: charactersKept,
    sizeCalculation: (_, key) => key.length + 100,
  });

  const selections = createCompiledKept<Selection>();
  const executable = (document: DocumentNode, operationName: string | undefined): ExecuteOperation =>
    compiled
      ? compileOperation(schema, document, operationName, { kept: selections, errorLimit })
      : interpretOperation(schema, document, operationName);

  return (query: string, operationName: string | undefined): ExecuteOperation | readonly GraphQLError[] => {
    // A name has no line break, so that no two questions have one key.
    const key = operationName === undefined ? `\n${query}` : `operation ${operationName}\n${query}`;
    const known = kept.get(key);
    if (known) return known;
    const made = prepared(schema, query, (document) => executable(document, operationName));
    kept.set(key, made);
    return made;
  };
}

function prepared(
  schema: GraphQLSchema,
  query: string,
  executable: (document: DocumentNode) => ExecuteOperation,
): ExecuteOperation | readonly GraphQLError[] {
  try {
    const document = parse(query, { noLocation: true });
    const faults = validate(schema, document);
    return faults.length === 0
      ? executable(document)
      : faults.map((error) => withCode(error, errors.validationFailed.code));
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
