import { errors } from '@lectern/errors';
import { GraphQLError, parse, validate } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { LRUCache } from 'lru-cache';
import { compileOperation, interpretOperation } from './execution/compile-operation';
import type { ExecuteOperation } from './execution/compile-operation';

/** A gateway sends few distinct documents, each of them often. By characters: a syntax tree takes some forty times its text's memory, and what is compiled of it as much again. */
const charactersKept = 500_000;

/** What a document is parsed, validated and, unless told otherwise, compiled into, once while it is kept; or what is wrong with it. */
export function createOperations(schema: GraphQLSchema, { compiled }: { compiled: boolean }) {
  const kept = new LRUCache<string, ExecuteOperation | readonly GraphQLError[]>({ maxSize: charactersKept, sizeCalculation: (_, key) => key.length + 100 });

  return (query: string, operationName: string | undefined): ExecuteOperation | readonly GraphQLError[] => {
    const key = operationName === undefined ? query : `${operationName}\n${query}`;
    const known = kept.get(key);
    if (known) return known;
    const made = prepared(schema, query, operationName, compiled ? compileOperation : interpretOperation);
    kept.set(key, made);
    return made;
  };
}

function prepared(schema: GraphQLSchema, query: string, operationName: string | undefined, executable: typeof compileOperation): ExecuteOperation | readonly GraphQLError[] {
  try {
    const document = parse(query, { noLocation: true });
    const faults = validate(schema, document);
    return faults.length === 0 ? executable(schema, document, operationName) : faults.map((error) => withCode(error, errors.validationFailed.code));
  } catch (error) {
    if (error instanceof GraphQLError) return [withCode(error, errors.parseFailed.code)];
    throw error;
  }
}

export const withCode = (error: GraphQLError, code: string): GraphQLError =>
  new GraphQLError(error.message, { nodes: error.nodes ?? null, source: error.source ?? null, positions: error.positions ?? null, extensions: { code } });
