import { createHash } from 'node:crypto';
import { errors } from '@lectern/errors';
import type { CatalogueError } from '@lectern/errors';
import { getOperationAST, GraphQLError, Kind, parse, validate } from 'graphql';
import type { DocumentNode, GraphQLFormattedError, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { LRUCache } from 'lru-cache';

/** A document that is GraphQL and fits the schema. */
export interface GoodDocument {
  readonly document: DocumentNode;
  /** Names the document to the planner's cache. */
  readonly hash: string;
}

/** Why a document cannot be run: parse or validation errors. */
export interface BadDocument {
  readonly refusal: readonly GraphQLFormattedError[];
}

/** A syntax tree takes some twenty times the memory of its text. */
const cachedCharacters = 2_000_000;
const mostValidationErrors = 100;

/** Parses and validates a document once; the same text again is answered from memory, within a bound. */
export function createDocuments(schema: GraphQLSchema) {
  const cache = new LRUCache<string, GoodDocument | BadDocument>({ maxSize: cachedCharacters, sizeCalculation: (_, text) => text.length + 100 });
  return (text: string): GoodDocument | BadDocument => {
    const cached = cache.get(text);
    if (cached) return cached;
    const judged = judge(schema, text);
    cache.set(text, judged);
    return judged;
  };
}

function judge(schema: GraphQLSchema, text: string): GoodDocument | BadDocument {
  let document;
  try {
    document = parse(text);
  } catch (error) {
    if (error instanceof GraphQLError) return { refusal: [withCode(error, errors.parseFailed.code)] };
    throw error;
  }
  const faults = validate(schema, document, undefined, { maxErrors: mostValidationErrors });
  if (faults.length === 0) return { document, hash: createHash('sha256').update(text).digest('hex') };
  // graphql-js appends one more to say that it gave up.
  const listed = faults.filter((fault) => fault.nodes !== undefined).slice(0, mostValidationErrors).map((fault) => withCode(fault, errors.validationFailed.code));
  if (listed.length > 0) return { refusal: listed };
  const many = errors.tooManyValidationErrors();
  return { refusal: [{ message: many.message, extensions: many.extensions }] };
}

/** The operation to run, or why it is not clear which. */
export function chosenOperation(document: DocumentNode, operationName: string | null): OperationDefinitionNode | CatalogueError {
  const operation = getOperationAST(document, operationName);
  if (operation?.operation === 'subscription') return errors.operationUnresolved('The API has no subscriptions.');
  if (operation) return operation;
  if (!document.definitions.some((definition) => definition.kind === Kind.OPERATION_DEFINITION)) return errors.operationUnresolved('The document has no operation, only fragments.');
  return errors.operationUnresolved(operationName === null ? 'The document has several operations: say which in operationName.' : `The document has no operation named "${operationName}".`);
}

const withCode = (error: GraphQLError, code: string): GraphQLFormattedError => {
  const { message, locations } = error.toJSON();
  return { message, ...(locations && { locations }), extensions: { code } };
};
