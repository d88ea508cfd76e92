import { errors } from '@lectern/errors';
import { bytesOfDocument, compileVariables, createOperationCache, type VariableValues } from '@lectern/execution';
import type { GraphQLFormattedError, GraphQLSchema } from 'graphql';
import { getOperationAST, getVariableValues, isNonNullType, TypeInfo, ValidationContext } from 'graphql';
import type { CacheableRequest } from '../cache/response-cache';
import type { ChosenOperation, ExecutableRequest } from '../execution/operation';
import { parseForErrors } from '../shared/error-locations';
import { isDeeperThan } from '../transport/response';
import {
  chooseOperation,
  createFindDeprecations,
  type PreparedDocument,
  type PreparedOperation,
} from './choose-operation';
import { maxNesting, prepareDocument } from './document';
import { createVerseCounters } from './field-costs';
import { type DeclaredCosts, measureOperation, type OperationCost, type QueryLimits } from './measure';
import { formatPublicError, type Rejection, rejected, rejectedWith } from './rejection';

export interface GraphqlParams {
  query: string;
  variables: Record<string, unknown> | null;
  operationName: string | null;
}

/** A request that may be executed: valid, and with a cost within the limits. */
export interface PreparedRequest extends ExecutableRequest, CacheableRequest {
  readonly kind: 'prepared';
  readonly operation: PreparedOperation;
  readonly variables: Record<string, unknown> | null;
  readonly cost: OperationCost;
}

/** In bytes: enough for 80 to 800 documents, which take 20 to 200 kB each with their plans. */
export const defaultOperationCacheBytes = 16_000_000;

/** The maximum number of errors in variables. graphql-js adds one error that says that there are more. */
const maxVariableErrors = 99;
/**
 * Fields and conditions for each point of the cost limit. Planning 600 takes 5 to 13 ms, and up to 37 ms in a new
 * process. Cost alone does not bound them, because `@fieldCost` may divide it
 * (docs/decisions/0010-limit-planning-by-field-count.md).
 */
export const maxFieldsPerPoint = 2;
const bytesPerErrorCharacter = 4;

/** A rejection has no syntax tree. If it counted like a document, a few large ones would evict other operations. */
const bytesOfEntry = (query: string, entry: PreparedDocument | Rejection): number =>
  entry.kind === 'rejected'
    ? 2 * query.length + bytesPerErrorCharacter * JSON.stringify(entry.errors).length
    : bytesOfDocument(query);

/**
 * Fragments are expanded before planning, and a few that spread each other twice expand to millions of selections. With
 * each fragment spread once, a document has fewer selections than tokens.
 */
function checkPlanningSize({ size }: PreparedOperation, limits: QueryLimits): Rejection | null {
  const { fields, conditions, selections } = size;
  const maxFields = maxFieldsPerPoint * limits.complexity;
  if (fields + conditions > maxFields) return rejectedWith(errors.tooManyFields(fields + conditions, maxFields));
  if (selections > limits.tokens) return rejectedWith(errors.tooManySelections(selections, limits.tokens));
  return null;
}

/** Returns the errors of variables. Parses the document again for locations. */
function variableErrors(
  schema: GraphQLSchema,
  { name, definition }: PreparedOperation,
  { query, variables }: GraphqlParams,
): readonly GraphQLFormattedError[] {
  const { document, formatError } = parseForErrors(query);
  const { variableDefinitions = [] } = getOperationAST(document, name) ?? definition;
  const options = { maxErrors: maxVariableErrors };
  const { errors: found = [] } = getVariableValues(schema, variableDefinitions, variables ?? {}, options);
  return found.map((error) => formatError(error, errors.badUserInput.code));
}

/**
 * Checks tokens, brackets, syntax, validation, depth, cost and variables. What depends only on the document is cached.
 */
export function createOperationValidator({
  schema,
  declaredCosts,
  limits,
  onLookup,
  maxCacheBytes = defaultOperationCacheBytes,
}: {
  schema: GraphQLSchema;
  declaredCosts: DeclaredCosts;
  limits: QueryLimits;
  /** Called with whether the document was in the operation cache. */
  onLookup: (result: 'hit' | 'miss') => void;
  /** The maximum memory of the operation cache, in bytes. */
  maxCacheBytes?: number;
}) {
  const documents = createOperationCache<PreparedDocument | Rejection>({
    maxBytes: maxCacheBytes,
    sizeOf: bytesOfEntry,
    onLookup,
  });
  const findDeprecations = createFindDeprecations(schema);
  const createCounter = createVerseCounters();

  /** Without the values of variables: for the cost, an absent variable has its default. */
  const checkOperation = (
    params: GraphqlParams,
  ): { readonly kind: 'valid'; operation: PreparedOperation; cost: OperationCost } | Rejection => {
    const { query, variables, operationName } = params;
    const document =
      documents.get(query) ?? documents.add(query, (grow) => prepareDocument(schema, limits, query, grow));
    if (document.kind === 'rejected') return document;
    const operation = chooseOperation(document, operationName, limits, (...parts) =>
      measureOperation(schema, declaredCosts, createCounter, ...parts),
    );
    if (operation.kind === 'rejected') return operation;
    const { size } = operation;
    const cost: OperationCost = {
      complexity: size.cost(variables ?? {}),
      maxComplexity: limits.complexity,
      depth: size.depth,
      maxDepth: limits.depth,
    };
    if (cost.complexity > limits.complexity)
      return rejectedWith(errors.tooComplex(cost.complexity, limits.complexity), cost);
    const tooLargeToPlan = checkPlanningSize(operation, limits);
    if (tooLargeToPlan) return tooLargeToPlan;
    operation.deprecations ??= findDeprecations(operation.document, operation.definition);
    return { kind: 'valid', operation, cost };
  };

  const prepare = (params: GraphqlParams): PreparedRequest | Rejection => {
    const checked = checkOperation(params);
    if (checked.kind === 'rejected') return checked;
    const { operation, cost } = checked;
    const { variables, operationName } = params;
    operation.coerceVariables ??= compileVariables(schema, operation.definition, maxVariableErrors);
    const { coerced } = operation.coerceVariables(variables ?? {});
    if (!coerced) return rejected(variableErrors(schema, operation, params), cost);
    const valueErrors = validateVariableValues(schema, operation, coerced);
    return valueErrors.length > 0
      ? rejected(valueErrors, cost)
      : { kind: 'prepared', operation, operationName, variables, coercedVariables: coerced, cost };
  };

  const isCached = ({ query }: GraphqlParams): boolean => documents.has(query);

  return { prepare, checkOperation, isCached };
}

/**
 * Variables of the right type that cannot be executed: nested too deep, or null for a non-null argument with a default,
 * which validation allows.
 */
function validateVariableValues(
  schema: GraphQLSchema,
  { document, definition }: ChosenOperation,
  coerced: VariableValues,
): readonly GraphQLFormattedError[] {
  const values = Object.values(coerced);
  // Numbers, strings and booleans cannot be nested, so they need no check.
  if (!values.some((value) => typeof value === 'object')) return [];
  // A custom scalar accepts any value, and JSON.stringify recurses into each level.
  const nested = Object.keys(coerced).find((name) => isDeeperThan(maxNesting, coerced[name]));
  if (nested !== undefined)
    return [formatPublicError(errors.badUserInput(`Variable "$${nested}" is nested more than ${maxNesting} deep.`))];
  if (!values.includes(null)) return [];
  const context = new ValidationContext(schema, document, new TypeInfo(schema), () => {});
  const names = context
    .getRecursiveVariableUsages(definition)
    .flatMap(({ node, type }) => (isNonNullType(type) && coerced[node.name.value] === null ? [node.name.value] : []));
  return [...new Set(names)].map((name) =>
    formatPublicError(errors.badUserInput(`Variable "$${name}" must not be null: leave it out for its default.`)),
  );
}
