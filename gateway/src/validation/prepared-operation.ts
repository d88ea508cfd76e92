import { createHash } from 'node:crypto';
import type { CatalogueError } from '@lectern/errors';
import { errors, isCatalogueError } from '@lectern/errors';
import type { compileVariables, Grow } from '@lectern/execution';
import type { DocumentNode, GraphQLFormattedError, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import {
  GraphQLError,
  getOperationAST,
  Kind,
  OverlappingFieldsCanBeMergedRule,
  parse,
  specifiedRules,
  validate,
} from 'graphql';
import type { CacheableOperation } from '../cache/response-cache';
import type { ExecutableOperation } from '../execution/executable-operation';
import { countTokens } from './count-tokens';
import type { Deprecation } from './find-deprecations';
import type { createMeasureOperation, OperationSize, QueryLimits } from './measure-operation';
import type { Rejection } from './rejection';
import { errorWithCode, formatCatalogueError, rejected } from './rejection';
import { repeatsFieldsTooOften } from './repeated-fields';

/** A valid document with its operations: one entry of the operation cache. */
export interface PreparedDocument {
  readonly kind: 'document';
  readonly query: string;
  readonly document: DocumentNode;
  readonly grow: Grow;
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
  /**
   * The deprecated fields and arguments that the operation uses. Null until a request with this
   * operation was within the limits.
   */
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
const rulesWithoutComparisons = specifiedRules.filter((rule) => rule !== OverlappingFieldsCanBeMergedRule);

/**
 * Checks the size of a document, then parses and validates it. The limits that take the least time
 * come first. Depth and cost belong to an operation and are checked later, so that a client sees
 * the validation errors of the document first.
 */
export function prepareDocument(
  schema: GraphQLSchema,
  limits: QueryLimits,
  query: string,
  grow: Grow,
): PreparedDocument | Rejection {
  const { tokens, nesting, longestName } = countTokens(query, limits.tokens);
  if (tokens > limits.tokens) return rejected([formatCatalogueError(errors.tooManyTokens(limits.tokens))]);
  if (longestName > maxNameCharacters) return rejected([formatCatalogueError(errors.tooLongName(maxNameCharacters))]);
  if (nesting > maxNesting) return rejected([formatCatalogueError(errors.tooDeep(nesting, limits.depth))]);
  try {
    // The document is parsed without locations, because the chain of tokens takes most of a syntax
    // tree's memory. To report validation errors, the document is parsed again with locations.
    const document = parse(query, { noLocation: true });
    const validationErrors = validateDocument(schema, document, query);
    return validationErrors.length > 0
      ? rejected(validationErrors)
      : { kind: 'document', query, document, grow, operations: new Map() };
  } catch (error) {
    if (error instanceof GraphQLError) return rejected([errorWithCode(error, errors.parseFailed.code)]);
    throw error;
  }
}

/** Returns the operation that the operation name chooses. */
export function chooseOperation(
  prepared: PreparedDocument,
  operationName: string | null,
  prepareOperation: (prepared: PreparedDocument, definition: OperationDefinitionNode) => PreparedOperation | Rejection,
): PreparedOperation | Rejection {
  const definition = chooseDefinition(prepared.document, operationName);
  if (isCatalogueError(definition)) return rejected([formatCatalogueError(definition)]);
  const known = prepared.operations.get(definition);
  if (known) return known;
  const operation = prepareOperation(prepared, definition);
  prepared.operations.set(definition, operation);
  return operation;
}

/**
 * Creates the function that measures an operation. The function rejects the operation if it is too
 * deep or has too many conditions, which do not depend on variables.
 */
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
      planningSize: size.fields + size.conditions,
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

/**
 * Returns the first validation errors of a document, with their locations. If the document repeats
 * a response name too often, the fields of one response name are not compared with each other,
 * because the comparison would block the event loop.
 */
function validateDocument(
  schema: GraphQLSchema,
  document: DocumentNode,
  query: string,
): readonly GraphQLFormattedError[] {
  const isTooRepetitive = repeatsFieldsTooOften(document);
  const rules = isTooRepetitive ? rulesWithoutComparisons : specifiedRules;
  if (validate(schema, document, rules, { maxErrors: 1 }).length === 0)
    return isTooRepetitive ? [formatCatalogueError(errors.tooManyRepeatedFields())] : [];
  // After the maximum number of errors, graphql-js appends one more error, which says that
  // validation stopped. `slice` drops this error.
  return validate(schema, parse(query), rules, { maxErrors: maxValidationErrors })
    .slice(0, maxValidationErrors)
    .map((error) => errorWithCode(error, errors.validationFailed.code));
}

/**
 * Returns the operation to execute. Returns an error if the document and the name do not choose
 * exactly one operation, or if they choose a subscription.
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
