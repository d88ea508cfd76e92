import { createHash } from 'node:crypto';
import type { CatalogueError } from '@lectern/errors';
import { errors, isCatalogueError } from '@lectern/errors';
import type { compileVariables, Grow } from '@lectern/execution';
import type { DocumentNode, GraphQLFormattedError, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { GraphQLError, getOperationAST, Kind, parse, validate } from 'graphql';
import type { CacheableOperation } from '../cache/response-cache';
import type { ExecutableOperation } from '../execution/executable-operation';
import { countTokens } from './count-tokens';
import type { Deprecation } from './find-deprecations';
import type { createMeasureOperation, OperationSize, QueryLimits } from './measure-operation';
import type { Rejection } from './rejection';
import { errorWithCode, formatCatalogueError, rejected } from './rejection';
import { repeatsFieldsTooOften } from './repeated-fields';

/** A parsed document with its operations: one entry of the operation cache. */
export interface PreparedDocument {
  readonly kind: 'document';
  readonly query: string;
  readonly document: DocumentNode;
  readonly grow: Grow;
  /**
   * The errors of the document. Null until the document is validated, and empty if the document is
   * valid.
   */
  validationErrors: readonly GraphQLFormattedError[] | null;
  /** The operations that requests have chosen so far. */
  readonly operations: Map<OperationDefinitionNode, PreparedOperation | Rejection>;
}

/**
 * One operation of a document, with everything that requests have computed about it. The members
 * that may be null are computed when a request first needs them.
 */
export interface PreparedOperation extends ExecutableOperation, CacheableOperation {
  readonly kind: 'operation';
  /** The operation's name in the document. Null if the operation has no name. */
  readonly name: string | null;
  readonly size: OperationSize;
  coerceVariables: ReturnType<typeof compileVariables> | null;
  /** The deprecated fields and arguments that the operation uses. Null before it is first valid. */
  deprecations: readonly Deprecation[] | null;
}

/**
 * The maximum depth of nested brackets, including brackets of lists and arguments. The parser and
 * the planner recurse into each bracket.
 */
export const maxNesting = 200;
/**
 * The maximum length of a name. A response repeats a field's name in each item of a list, so a long
 * name in a long list makes a huge response.
 */
const maxNameCharacters = 100;
const maxValidationErrors = 100;

/** Parses a document within its bounds, cheap bounds first. */
export function prepareDocument(limits: QueryLimits, query: string, grow: Grow): PreparedDocument | Rejection {
  const { tokens, nesting, longestName } = countTokens(query, limits.tokens);
  if (tokens > limits.tokens) return rejected([formatCatalogueError(errors.tooManyTokens(limits.tokens))]);
  if (longestName > maxNameCharacters) return rejected([formatCatalogueError(errors.tooLongName(maxNameCharacters))]);
  if (nesting > maxNesting) return rejected([formatCatalogueError(errors.tooDeep(nesting, limits.depth))]);
  try {
    // The document is parsed without locations, because the chain of tokens takes most of a syntax
    // tree's memory. To report validation errors, the document is parsed again with locations.
    const document = parse(query, { noLocation: true });
    return { kind: 'document', query, document, grow, validationErrors: null, operations: new Map() };
  } catch (error) {
    if (error instanceof GraphQLError) return rejected([errorWithCode(error, errors.parseFailed.code)]);
    throw error;
  }
}

/** Returns the operation that the operation name chooses. The document may still be invalid. */
export function chooseOperation(
  schema: GraphQLSchema,
  prepared: PreparedDocument,
  operationName: string | null,
  prepareOperation: (prepared: PreparedDocument, definition: OperationDefinitionNode) => PreparedOperation | Rejection,
): PreparedOperation | Rejection {
  const definition = chooseDefinition(prepared.document, operationName);
  if (isCatalogueError(definition)) {
    const validationErrors = validateDocument(schema, prepared);
    return rejected(validationErrors.length > 0 ? validationErrors : [formatCatalogueError(definition)]);
  }
  const known = prepared.operations.get(definition);
  if (known) return known;
  const operation = prepareOperation(prepared, definition);
  prepared.operations.set(definition, operation);
  return operation;
}

/** Checks the sizes of an operation that do not depend on variables. */
export function createPrepareOperation(measure: ReturnType<typeof createMeasureOperation>, limits: QueryLimits) {
  return (
    { query, document, grow }: PreparedDocument,
    definition: OperationDefinitionNode,
  ): PreparedOperation | Rejection => {
    const size = measure(document, definition);
    if (size.depth > limits.depth) return rejected([formatCatalogueError(errors.tooDeep(size.depth, limits.depth))]);
    if (size.conditions > limits.complexity)
      return rejected([formatCatalogueError(errors.tooComplex(size.conditions, limits.complexity))]);
    const name = definition.name?.value ?? null;
    return {
      kind: 'operation',
      document,
      definition,
      name,
      hash: createHash('sha256')
        .update(JSON.stringify([name, query]))
        .digest('hex'),
      size,
      grow,
      coerceVariables: null,
      deprecations: null,
      cacheability: null,
      rewritten: null,
      plan: null,
      strategy: null,
    };
  };
}

/** Validates a document once. Returns the validation errors with their locations. */
export const validateDocument = (schema: GraphQLSchema, prepared: PreparedDocument): readonly GraphQLFormattedError[] =>
  (prepared.validationErrors ??= findValidationErrors(schema, prepared));

function findValidationErrors(
  schema: GraphQLSchema,
  { document, query }: PreparedDocument,
): readonly GraphQLFormattedError[] {
  if (repeatsFieldsTooOften(document)) return [formatCatalogueError(errors.tooManyValidationErrors())];
  if (validate(schema, document, undefined, { maxErrors: 1 }).length === 0) return [];
  const found = validate(schema, parse(query), undefined, { maxErrors: maxValidationErrors });
  // After the maximum number of errors, graphql-js appends an error without nodes, which says that
  // validation stopped.
  const listed = found
    .filter((error) => error.nodes !== undefined)
    .slice(0, maxValidationErrors)
    .map((error) => errorWithCode(error, errors.validationFailed.code));
  return found.length > 0 && listed.length === 0 ? [formatCatalogueError(errors.tooManyValidationErrors())] : listed;
}

/**
 * Returns the operation to execute, or the error if the document and the name do not choose exactly
 * one operation.
 */
function chooseDefinition(
  document: DocumentNode,
  operationName: string | null,
): OperationDefinitionNode | CatalogueError {
  const operation = getOperationAST(document, operationName);
  if (operation?.operation === 'subscription') return errors.operationUnresolved('The API has no subscriptions.');
  if (operation) return operation;
  if (!document.definitions.some((definition) => definition.kind === Kind.OPERATION_DEFINITION))
    return errors.operationUnresolved('The document has no operation, only fragments.');
  return errors.operationUnresolved(
    operationName === null
      ? 'The document has several operations: say which in operationName.'
      : 'The document has no operation of the name that operationName gives.',
  );
}
