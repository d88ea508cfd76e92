import { createHash } from 'node:crypto';
import { errors, isPublicError, type PublicError } from '@lectern/errors';
import type { compileVariables, Grow } from '@lectern/execution';
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import {
  getOperationAST,
  isInterfaceType,
  isObjectType,
  Kind,
  TypeInfo,
  ValidationContext,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { CacheableOperation } from '../cache/response-cache';
import type { ExecutableOperation } from '../execution/strategy';
import type { createMeasureOperation, OperationSize, QueryLimits } from './measure';
import { type Rejection, rejectedWith } from './rejection';

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
   * The deprecated fields and arguments of the operation. Null until a request with it was within
   * the limits.
   */
  deprecations: readonly Deprecation[] | null;
}

/**
 * Creates the function that returns the operation that the operation name chooses. An operation is
 * measured once. Depth and conditions do not depend on variables, so an operation with too many is
 * rejected here.
 */
export function createChooseOperation(measure: ReturnType<typeof createMeasureOperation>, limits: QueryLimits) {
  return (prepared: PreparedDocument, operationName: string | null): PreparedOperation | Rejection => {
    const definition = chooseDefinition(prepared.document, operationName);
    if (isPublicError(definition)) return rejectedWith(definition);
    const known = prepared.operations.get(definition);
    if (known) return known;
    const operation = prepareOperation(prepared, definition, measure(prepared.document, definition), limits);
    prepared.operations.set(definition, operation);
    return operation;
  };
}

function prepareOperation(
  { query, document, grow }: PreparedDocument,
  definition: OperationDefinitionNode,
  size: OperationSize,
  limits: QueryLimits,
): PreparedOperation | Rejection {
  if (size.depth > limits.depth) return rejectedWith(errors.tooDeep(size.depth, limits.depth));
  if (size.conditions > limits.complexity) return rejectedWith(errors.tooComplex(size.conditions, limits.complexity));
  const name = definition.name?.value ?? null;
  const key = JSON.stringify([name, query]);
  return {
    kind: 'operation',
    document,
    definition,
    name,
    hash: createHash('sha256').update(key).digest('hex'),
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
}

/**
 * Estimates how long the planner takes for an operation, as a number of fields. Nested conditions
 * double the number of cases that the planner visits. Selections without fields are visited too.
 * Each field of a mutation is planned again for each later field.
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

/** A deprecated field or argument that an operation uses. */
export interface Deprecation {
  /** The schema coordinate: `Verse.text` or `Query.search(limit:)`. */
  readonly coordinate: string;
  /** The reason in the schema. */
  readonly reason: string;
  /** The date of the deprecation, as YYYY-MM-DD. Null if the reason does not begin with a date. */
  readonly since: string | null;
}

const none: readonly Deprecation[] = [];

/**
 * Creates a function that finds the deprecated fields and arguments of a valid operation, each
 * once: first those of the operation itself, then those of its fragments. If the schema deprecates
 * none, no document is read.
 */
export function createFindDeprecations(schema: GraphQLSchema) {
  if (!deprecates(schema)) return () => none;
  return (document: DocumentNode, definition: OperationDefinitionNode): readonly Deprecation[] => {
    const found = new Map<string, Deprecation>();
    const add = (coordinate: string, reason: string | null | undefined): void => {
      if (typeof reason !== 'string') return;
      found.set(coordinate, { coordinate, reason, since: dateIn(reason) });
    };
    const types = new TypeInfo(schema);
    const findInFields = visitWithTypeInfo(types, {
      Field(node) {
        const field = types.getFieldDef();
        if (!field) return;
        const coordinate = `${types.getParentType()?.name ?? ''}.${field.name}`;
        add(coordinate, field.deprecationReason);
        for (const { name } of node.arguments ?? [])
          add(
            `${coordinate}(${name.value}:)`,
            field.args.find((argument) => argument.name === name.value)?.deprecationReason,
          );
      },
    });
    const context = new ValidationContext(schema, document, types, () => {});
    for (const part of [definition, ...context.getRecursivelyReferencedFragments(definition)])
      visit(part, findInFields);
    return [...found.values()];
  };
}

const deprecates = (schema: GraphQLSchema): boolean =>
  Object.values(schema.getTypeMap())
    .flatMap((type) => (isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : []))
    .some((field) => [field, ...field.args].some(({ deprecationReason }) => typeof deprecationReason === 'string'));

/**
 * Returns the date of a reason such as `Since 2026-12-01: use Verse.text.` Returns null without a
 * valid date.
 */
function dateIn(reason: string): string | null {
  const [, date = ''] = /^Since (\d{4}-\d\d-\d\d)\b/.exec(reason) ?? [];
  return Number.isNaN(Date.parse(date)) ? null : date;
}
