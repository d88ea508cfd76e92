import { createHash } from 'node:crypto';
import type { PublicError } from '@lectern/errors';
import { errors, isPublicError } from '@lectern/errors';
import type { compileVariables, Grow } from '@lectern/execution';
import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import { getOperationAST, Kind } from 'graphql';
import type { CacheableOperation } from '../cache/response-cache';
import type { ExecutableOperation } from '../execution/operation';
import type { Deprecation } from './find-deprecated-fields-and-arguments';
import type { createMeasureOperation, OperationSize, QueryLimits } from './measure';
import type { Rejection } from './rejection';
import { formatPublicError, rejected } from './rejection';

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

/** Returns the operation that the operation name chooses. */
export function chooseOperation(
  prepared: PreparedDocument,
  operationName: string | null,
  prepareOperation: (prepared: PreparedDocument, definition: OperationDefinitionNode) => PreparedOperation | Rejection,
): PreparedOperation | Rejection {
  const definition = chooseDefinition(prepared.document, operationName);
  if (isPublicError(definition)) return rejected([formatPublicError(definition)]);
  const known = prepared.operations.get(definition);
  if (known) return known;
  const operation = prepareOperation(prepared, definition);
  prepared.operations.set(definition, operation);
  return operation;
}

/**
 * Creates the function that measures an operation. Its depth and its number of conditions do not
 * depend on variables, so the function rejects an operation that exceeds one of these two limits.
 */
export function createPrepareOperation(measure: ReturnType<typeof createMeasureOperation>, limits: QueryLimits) {
  return (
    { query, document, grow }: PreparedDocument,
    definition: OperationDefinitionNode,
  ): PreparedOperation | Rejection => {
    const size = measure(document, definition);
    if (size.depth > limits.depth) return rejected([formatPublicError(errors.tooDeep(size.depth, limits.depth))]);
    if (size.conditions > limits.complexity)
      return rejected([formatPublicError(errors.tooComplex(size.conditions, limits.complexity))]);
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
      planningSize: estimatePlanning(definition, size),
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
 * Estimates how long the planner takes for an operation, as a number of fields. Nested conditions
 * double the number of cases that the planner visits. Selections without fields are visited too. Each
 * field of a mutation is planned again for each later one.
 */
function estimatePlanning({ operation }: OperationDefinitionNode, size: OperationSize): number {
  const estimate = size.fields + 4 * size.conditions + size.selections / 50;
  return operation === 'mutation' ? 3 * estimate : estimate;
}

/**
 * Returns the operation to execute. Returns an error if the document and the name do not choose
 * exactly one operation, or if they choose a subscription.
 */
function chooseDefinition(document: DocumentNode, operationName: string | null): OperationDefinitionNode | PublicError {
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
