import { errors } from '@lectern/errors';
import { isJsonObject } from '@lectern/serving';
import type { SubgraphRequest, SubgraphResponse } from '@lectern/subgraph';

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
 * Returns the number of entities that the response must have. Null for a request of other fields. No
 * client's operation has the type `_Any`, which the public schema lacks.
 */
export function countEntities({ query, variables }: SubgraphRequest): number | null {
  const representations = variables?.['representations'];
  const isEntityFetch = Array.isArray(representations) && /^query\s*\w*\(\$representations:\s*\[_Any!\]!/.test(query);
  return isEntityFetch ? representations.length : null;
}

/**
 * Parses a response. A response is invalid if it is not GraphQL, if an error in it has the wrong
 * shape, if it is nested too deep, or if its number of entities is not `expectedEntities`.
 */
export function parseResponse(chunks: readonly Buffer[], expectedEntities: number | null): ParsedResponse {
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
  const entities = value.data?.['_entities'];
  if (expectedEntities !== null && Array.isArray(entities) && entities.length !== expectedEntities)
    return { kind: 'invalid', reason: `has ${entities.length} entities, not ${expectedEntities}` };
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

const dataStart = '{"data":{';
const dataEnd = '}}';

/** Returns the body unparsed, for a subgraph that declares the body to be `{"data":{...}}`. */
export function toRawResponse(chunks: readonly Buffer[]): ParsedResponse {
  const rawBody = concatenate(chunks);
  const start = rawBody.toString('latin1', 0, dataStart.length);
  const end = rawBody.toString('latin1', rawBody.length - dataEnd.length);
  if (start === dataStart && end === dataEnd) return { kind: 'valid', response: { rawBody } };
  return { kind: 'invalid', reason: `is not ${dataStart}...${dataEnd}` };
}

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
