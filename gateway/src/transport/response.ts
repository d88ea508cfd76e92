import { errors } from '@lectern/errors';
import { fragmentsByName } from '@lectern/execution';
import { isJsonObject } from '@lectern/serving';
import type { SubgraphRequest, SubgraphResponse } from '@lectern/subgraph';
import type { DirectiveNode, OperationDefinitionNode, SelectionSetNode } from 'graphql';
import { getOperationAST, Kind, parse } from 'graphql';
import { LRUCache } from 'lru-cache';

type ParsedResponse =
  | { readonly kind: 'valid'; readonly response: SubgraphResponse }
  /** `reason` completes the sentence "the response ...", for the log. */
  | { readonly kind: 'invalid'; readonly reason: string };

/**
 * The maximum number of levels of objects and lists in a response: far more than an operation
 * selects. Merging or writing a value of many thousand levels would overflow the stack.
 */
const maxLevels = 500;

/** The maximum number of errors in the response of a subgraph, and in the response to a request. */
export const maxErrors = 1_000;

/** The data of a body of at most this many bytes is merged in one or two milliseconds. */
const maxSmallBytes = 100_000;

const notGraphql: ParsedResponse = { kind: 'invalid', reason: 'is not a GraphQL response' };
const tooDeep: ParsedResponse = { kind: 'invalid', reason: `is nested more than ${maxLevels} levels deep` };

/**
 * Parses a response. A response is invalid if it is not GraphQL, if an error in it has the wrong
 * shape, if it is nested too deep, or if its data lacks an expected field. If `expected` is null,
 * no field is expected.
 */
export function parseResponse(chunks: readonly Buffer[], expected: ExpectedFields | null): ParsedResponse {
  const body = concatenate(chunks);
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    return notGraphql;
  }
  if (!isSubgraphResponse(value)) return notGraphql;
  // Each level takes two bytes, so a short body cannot be too deep.
  if (body.length > 2 * maxLevels && isDeeperThan(maxLevels, value)) return tooDeep;
  const missing = expected && value.data ? findMissingField(expected, value.data) : null;
  if (missing !== null) return { kind: 'invalid', reason: `lacks the field ${missing}` };
  const response = limitErrors(value);
  return { kind: 'valid', response: body.length > maxSmallBytes ? { ...response, isLarge: true } : response };
}

/**
 * Replaces the data and the errors of a response with too many errors, as Lectern's own subgraphs
 * do. Logging and writing 50,000 errors would block the event loop for seconds.
 */
function limitErrors(response: SubgraphResponse): SubgraphResponse {
  if ((response.errors?.length ?? 0) <= maxErrors) return response;
  const { message, extensions } = errors.tooManyErrors(maxErrors);
  return { data: null, errors: [{ message, extensions }] };
}

const dataEnd = '}}';

/**
 * Returns the body unparsed, for a subgraph that declares the body to be `{"data":{...}}` with all
 * fields. The response is invalid if the body does not begin with the first field or end with `}}`.
 */
export function toRawResponse(chunks: readonly Buffer[], expected: ExpectedFields): ParsedResponse {
  const rawBody = concatenate(chunks);
  const key = firstKey(expected);
  const start = key === null ? '{"data":{' : `{"data":{"${key}":`;
  if (startsWith(rawBody, start) && rawBody.toString('latin1', rawBody.length - dataEnd.length) === dataEnd)
    return { kind: 'valid', response: { rawBody } };
  return { kind: 'invalid', reason: `does not begin with ${start}` };
}

const startsWith = (body: Buffer, start: string): boolean => body.toString('latin1', 0, start.length) === start;

function concatenate(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks;
  return chunks.length === 1 && first ? first : Buffer.concat(chunks);
}

function isSubgraphResponse(value: unknown): value is SubgraphResponse {
  if (!isJsonObject(value)) return false;
  const { data, errors: list = [] } = value;
  if (!Array.isArray(list) || !list.every(isGraphqlError)) return false;
  return isJsonObject(data) || list.length > 0;
}

const isGraphqlError = (value: unknown): boolean =>
  isJsonObject(value) &&
  typeof value['message'] === 'string' &&
  (value['path'] === undefined || Array.isArray(value['path']));

/** Returns whether a parsed JSON value has more levels of objects and lists than `levels`. */
function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) {
    for (const item of value) if (isDeeperThan(levels - 1, item)) return true;
    return false;
  }
  for (const key in value) if (isDeeperThan(levels - 1, (value as Record<string, unknown>)[key])) return true;
  return false;
}

type Variables = Readonly<Record<string, unknown>>;

/** The argument `if` of one @skip or @include. */
interface Condition {
  /**
   * The value of `if` with which the field is in the response: true for @include, false for @skip.
   */
  readonly included: boolean;
  /** The value of `if`, or the name of the variable that has it. */
  readonly value: boolean | { readonly variable: string; readonly default: unknown };
}

/** A field that the data has to have at its key. */
interface ExpectedField {
  readonly key: string;
  readonly conditions: readonly Condition[];
  /** The type conditions of the fragments around the field. */
  readonly types: readonly string[];
  readonly fields: readonly ExpectedField[] | null;
}

/** The fields that the response to one request has to have. */
export interface ExpectedFields {
  readonly fields: readonly ExpectedField[];
  readonly variables: Variables;
}

/** The maximum memory of the compiled queries of one subgraph, as an estimate in bytes. */
const maxBytes = 8_000_000;
const bytesPerField = 150;

/**
 * Returns a function from a request to the fields that its response has to have. Queries are parsed
 * once. A response that lacks such a field is invalid: graphql-js and @apollo/gateway would send
 * null without an error.
 */
export function createExpectedFields() {
  const compiled = new LRUCache<string, readonly ExpectedField[]>({
    maxSize: maxBytes,
    sizeCalculation: (fields, query) => query.length + bytesPerField * (1 + countFields(fields)),
  });
  return ({ query, variables }: SubgraphRequest): ExpectedFields => {
    let fields = compiled.get(query);
    if (!fields) {
      fields = compileFields(query);
      compiled.set(query, fields);
    }
    return { fields, variables: variables ?? {} };
  };
}

const countFields = (fields: readonly ExpectedField[]): number =>
  fields.reduce((count, { fields: children }) => count + 1 + countFields(children ?? []), 0);

function compileFields(query: string): readonly ExpectedField[] {
  const document = parse(query, { noLocation: true });
  const operation = getOperationAST(document) as OperationDefinitionNode;
  const fragments = fragmentsByName(document);
  const defaults = new Map(
    (operation.variableDefinitions ?? []).map(({ variable, defaultValue }) => [
      variable.name.value,
      defaultValue?.kind === Kind.BOOLEAN ? defaultValue.value : undefined,
    ]),
  );

  const conditionsOf = (directives: readonly DirectiveNode[] = []): Condition[] =>
    directives.flatMap(({ name, arguments: [argument] = [] }): Condition[] => {
      if (!argument || (name.value !== 'include' && name.value !== 'skip')) return [];
      const included = name.value === 'include';
      const { value } = argument;
      if (value.kind === Kind.BOOLEAN) return [{ included, value: value.value }];
      if (value.kind !== Kind.VARIABLE) return [];
      return [{ included, value: { variable: value.name.value, default: defaults.get(value.name.value) } }];
    });
  const fieldsOf = (
    { selections }: SelectionSetNode,
    conditions: readonly Condition[],
    types: readonly string[],
  ): ExpectedField[] =>
    selections.flatMap((selection): ExpectedField[] => {
      const all = [...conditions, ...conditionsOf(selection.directives)];
      if (selection.kind === Kind.FIELD) {
        const key = selection.alias?.value ?? selection.name.value;
        const fields = selection.selectionSet ? fieldsOf(selection.selectionSet, [], []) : null;
        return [{ key, conditions: all, types, fields }];
      }
      const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? fragments[selection.name.value] : selection;
      if (!fragment) return [];
      const type = fragment.typeCondition?.name.value;
      return fieldsOf(fragment.selectionSet, all, type === undefined ? types : [...types, type]);
    });
  // A fragment on the root type always applies, so the type conditions of root fields are dropped.
  return fieldsOf(operation.selectionSet, [], []).map((field) => ({ ...field, types: [] }));
}

/** Returns the first key of the data. Null if @skip and @include exclude all fields. */
const firstKey = ({ fields, variables }: ExpectedFields): string | null =>
  fields.find(({ conditions }) => isIncluded(conditions, variables))?.key ?? null;

/**
 * Returns the path of the first field that the data lacks. Null if the data lacks none. A field in
 * a fragment with a type condition is checked only if the type of its object is known. Entities
 * have the type in their representation, and other objects in `__typename`.
 */
function findMissingField({ fields, variables }: ExpectedFields, data: Record<string, unknown>): string | null {
  const { representations } = variables;
  const missing = findMissing(fields, data, variables, null);
  const entities = data['_entities'];
  if (missing !== null || !Array.isArray(representations) || !Array.isArray(entities)) return missing;
  if (entities.length !== representations.length) return `_entities.${entities.length}`;
  for (const { key, fields: entityFields } of fields) {
    for (const [index, entity] of key === '_entities' && entityFields ? entities.entries() : []) {
      const type = typeOf(representations[index]);
      const missingInEntity = isObject(entity) ? findMissing(entityFields ?? [], entity, variables, type) : null;
      if (missingInEntity !== null) return `_entities.${missingInEntity}`;
    }
  }
  return null;
}

function findMissing(
  fields: readonly ExpectedField[],
  object: Readonly<Record<string, unknown>>,
  variables: Variables,
  knownType: string | null,
): string | null {
  for (const { key, conditions, types, fields: children } of fields) {
    if (conditions.length > 0 && !isIncluded(conditions, variables)) continue;
    if (types.length > 0 && !isOfTypes(types, knownType ?? typeOf(object))) continue;
    const value = object[key];
    if (value === undefined) return key;
    const missing = children ? findMissingInValue(children, value, variables) : null;
    if (missing !== null) return `${key}.${missing}`;
  }
  return null;
}

function findMissingInValue(fields: readonly ExpectedField[], value: unknown, variables: Variables): string | null {
  if (Array.isArray(value)) {
    for (const item of value) {
      const missing = findMissingInValue(fields, item, variables);
      if (missing !== null) return missing;
    }
    return null;
  }
  return isObject(value) ? findMissing(fields, value, variables, null) : null;
}

const isIncluded = (conditions: readonly Condition[], variables: Variables): boolean =>
  conditions.every(({ included, value }) => {
    const condition = typeof value === 'boolean' ? value : (variables[value.variable] ?? value.default);
    return condition === included;
  });

const isOfTypes = (types: readonly string[], type: string | null): boolean => types.every((each) => each === type);

const typeOf = (object: unknown): string | null => {
  const type = isObject(object) ? object['__typename'] : null;
  return typeof type === 'string' ? type : null;
};

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
