import { createHash } from 'node:crypto';
import type { CatalogueError } from '@lectern/errors';
import { errors, isCatalogueError } from '@lectern/errors';
import type { VariableValues } from '@lectern/execution';
import { compileVariables } from '@lectern/execution';
import type { FieldCost } from '@lectern/site';
import type { Span } from '@lectern/telemetry';
import type { DocumentNode, GraphQLFormattedError, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import {
  GraphQLError,
  getOperationAST,
  isNonNullType,
  Kind,
  parse,
  TypeInfo,
  ValidationContext,
  validate,
} from 'graphql';
import { LRUCache } from 'lru-cache';
import { countTokens } from './count-tokens';
import type { Measured } from './measure-operation';
import { createMeasure } from './measure-operation';

/** What one query may be; each is a setting of the gateway. */
export interface QueryLimits {
  tokens: number;
  depth: number;
  complexity: number;
}

export interface GraphqlParams {
  query: string;
  variables: Record<string, unknown> | null;
  operationName: string | null;
}

export interface GraphRequest extends GraphqlParams {
  requestId: string;
  /** What it is a part of, where that is traced. */
  span: Span;
}

/** An operation that may be run: it fits the schema, its variables fit it, and it is within the limits. */
export interface ValidOperation {
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** Names the document to the planner's cache. */
  readonly hash: string;
  readonly measured: Measurement;
  /** The variables with their defaults, as the schema takes them. */
  readonly coerced: Readonly<Record<string, unknown>>;
}

/** How large an operation is with this call's variables, beside how large it may be. */
export interface Measurement {
  readonly complexity: number;
  readonly maxComplexity: number;
  readonly depth: number;
  readonly maxDepth: number;
}

type Refusal = readonly GraphQLFormattedError[];

/** Why nothing was run. */
export interface Refused {
  readonly refusal: Refusal;
  /** Where it came so far that it was measured. */
  readonly measured?: Measurement;
}

/** A syntax tree without places takes some forty times the memory of its text. */
const cachedCharacters = 2_000_000;
const mostValidationErrors = 100;
/** Brackets in brackets, also those of lists and arguments: the parser and the planner recurse into each. */
const mostNesting = 200;
/** A field's name stands in the answer as often as the field: a long one in a list of a thousand chapters would make an answer of a hundred megabytes. */
const mostNameCharacters = 100;
/** Of the limit of complexity. Prices are divided, so fragments within cheap fields could unfold to hundreds of thousands of fields at the price of ten, and planning takes its time for each. */
export const maxFieldsPerCost = 5;

interface AboutOperation {
  readonly size: Measured;
  /** Null until its document has been found valid. */
  coerce: ReturnType<typeof compileVariables> | null;
}

interface Known {
  readonly document: DocumentNode;
  readonly hash: string;
  readonly about: Map<OperationDefinitionNode, AboutOperation>;
  /** Undefined until somebody has validated it. */
  validation?: Refusal;
}

/**
 * Judges what clients send, the cheap bounds first: tokens and brackets, parse, depth, complexity, validation, variables. What depends on the
 * text alone is done once a text, within a bound; complexity is computed for every call, because variables change it.
 */
export function createOperationValidator(
  schema: GraphQLSchema,
  prices: ReadonlyMap<string, FieldCost>,
  limits: QueryLimits,
  onDocument: (result: 'hit' | 'miss') => void = () => {},
) {
  const cache = new LRUCache<string, Known | Refused>({
    maxSize: cachedCharacters,
    sizeCalculation: (_, text) => text.length + 100,
  });
  const measure = createMeasure(schema, prices);

  const known = (text: string): Known | Refused => {
    const cached = cache.get(text);
    onDocument(cached ? 'hit' : 'miss');
    if (cached) return cached;
    const read = readDocument(text, limits);
    cache.set(text, read);
    return read;
  };

  const validation = (read: Known, text: string): Refusal =>
    (read.validation ??= validated(schema, read.document, text));

  return ({ query, variables, operationName }: GraphqlParams): ValidOperation | Refused => {
    const read = known(query);
    if ('refusal' in read) return read;
    const { document, hash, about } = read;
    const operation = chosenOperation(document, operationName);
    if (isCatalogueError(operation))
      return { refusal: validation(read, query).length > 0 ? validation(read, query) : [formatted(operation)] };
    const own = about.get(operation) ?? { size: measure(document, operation), coerce: null };
    about.set(operation, own);
    const { depth, conditions, fields, cost } = own.size;
    if (depth > limits.depth) return { refusal: [formatted(errors.tooDeep(depth, limits.depth))] };
    if (conditions > limits.complexity)
      return { refusal: [formatted(errors.tooComplex(conditions, limits.complexity))] };
    const measured: Measurement = {
      complexity: cost(variables ?? {}),
      maxComplexity: limits.complexity,
      depth,
      maxDepth: limits.depth,
    };
    if (measured.complexity > limits.complexity)
      return { refusal: [formatted(errors.tooComplex(measured.complexity, limits.complexity))], measured };
    if (fields > maxFieldsPerCost * limits.complexity)
      return { refusal: [formatted(errors.tooComplex(fields, limits.complexity))] };
    if (validation(read, query).length > 0) return { refusal: validation(read, query), measured };
    own.coerce ??= compileVariables(schema, operation, mostValidationErrors - 1);
    const { coerced, errors: misfits } = own.coerce(variables ?? {});
    if (!coerced) return { refusal: misfits.map((error) => withCode(error, errors.badUserInput.code)), measured };
    const wrong = valuesThatCannotBe(schema, document, operation, coerced);
    return wrong.length > 0 ? { refusal: wrong, measured } : { document, operation, hash, measured, coerced };
  };
}

function readDocument(text: string, limits: QueryLimits): Known | Refused {
  const { tokens, nesting, longestName } = countTokens(text, limits.tokens);
  if (tokens > limits.tokens) return { refusal: [formatted(errors.tooManyTokens(limits.tokens))] };
  if (longestName > mostNameCharacters) return { refusal: [formatted(errors.tooLongName(mostNameCharacters))] };
  if (nesting > mostNesting) return { refusal: [formatted(errors.tooDeep(nesting, limits.depth))] };
  try {
    // Without the chain of tokens, which takes most of a syntax tree's memory; whoever needs places parses again.
    return {
      document: parse(text, { noLocation: true }),
      hash: createHash('sha256').update(text).digest('hex'),
      about: new Map(),
    };
  } catch (error) {
    if (error instanceof GraphQLError) return { refusal: [withCode(error, errors.parseFailed.code)] };
    throw error;
  }
}

function validated(schema: GraphQLSchema, document: DocumentNode, text: string): Refusal {
  if (validate(schema, document, undefined, { maxErrors: 1 }).length === 0) return [];
  const faults = validate(schema, parse(text), undefined, { maxErrors: mostValidationErrors });
  // graphql-js appends one more, without a place, to say that it gave up.
  const listed = faults
    .filter((fault) => fault.nodes !== undefined)
    .slice(0, mostValidationErrors)
    .map((fault) => withCode(fault, errors.validationFailed.code));
  return faults.length > 0 && listed.length === 0 ? [formatted(errors.tooManyValidationErrors())] : listed;
}

/** The operation to run, or why it is not clear which. */
function chosenOperation(
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

/** What is wrong with values that fit their types; with numbers, strings and booleans nothing is. */
function valuesThatCannotBe(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  coerced: VariableValues,
): Refusal {
  if (!Object.values(coerced).some((value) => typeof value === 'object')) return [];
  const nested = Object.keys(coerced).find((name) => isNestedOver(mostNesting, coerced[name]));
  return nested === undefined
    ? nullsThatCannotBe(schema, document, operation, coerced)
    : [formatted(errors.badUserInput(`Variable "$${nested}" is nested more than ${mostNesting} deep.`))];
}

/**
 * GraphQL lets a nullable variable with a default stand where no null may; when the client then sends null, the operation fails while it
 * runs. Said here instead, as what it is.
 */
function nullsThatCannotBe(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  coerced: VariableValues,
): Refusal {
  if (!Object.values(coerced).includes(null)) return [];
  const usages = new ValidationContext(schema, document, new TypeInfo(schema), () => {}).getRecursiveVariableUsages(
    operation,
  );
  const names = new Set(
    usages.flatMap(({ node, type }) =>
      isNonNullType(type) && coerced[node.name.value] === null ? [node.name.value] : [],
    ),
  );
  return [...names].map((name) =>
    formatted(errors.badUserInput(`Variable "$${name}" must not be null: leave it out for its default.`)),
  );
}

/** Whatever writes a value as JSON recurses into it. A scalar of a subgraph's own may be anything to us: what it takes is known there alone. */
const isNestedOver = (levels: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isNestedOver(levels - 1, inner)));

const withCode = (error: GraphQLError, code: string): GraphQLFormattedError => {
  const { message, locations } = error.toJSON();
  return { message, ...(locations && { locations }), extensions: { code } };
};

const formatted = ({ message, extensions }: CatalogueError): GraphQLFormattedError => ({ message, extensions });
