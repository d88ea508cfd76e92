import type { SubgraphResponse } from './subgraph-fetch';

/**
 * Parses a response. Returns null if it is not a GraphQL response, or an error in it has the wrong
 * shape.
 */
export function parseResponse(chunks: readonly Buffer[]): SubgraphResponse | null {
  try {
    const value: unknown = JSON.parse(concatenate(chunks).toString('utf8'));
    return isSubgraphResponse(value) ? value : null;
  } catch {
    return null;
  }
}

const dataStart = Buffer.from('{"data":{');
const dataEnd = Buffer.from('}}');

/**
 * Returns the body unparsed, for a subgraph that declares it to be `{"data":{...}}`.
 * Returns null if the body does not begin and end like that.
 */
export function toRawResponse(chunks: readonly Buffer[]): SubgraphResponse | null {
  const rawBody = concatenate(chunks);
  const hasData =
    rawBody.subarray(0, dataStart.length).equals(dataStart) && rawBody.subarray(-dataEnd.length).equals(dataEnd);
  return hasData ? { rawBody } : null;
}

function concatenate(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks;
  return chunks.length === 1 && first ? first : Buffer.concat(chunks);
}

function isSubgraphResponse(value: unknown): value is SubgraphResponse {
  if (!isObject(value)) return false;
  const { data, errors = [] } = value;
  if (!Array.isArray(errors) || !errors.every(isGraphqlError)) return false;
  return isObject(data) || errors.length > 0;
}

const isGraphqlError = (value: unknown): boolean =>
  isObject(value) &&
  typeof value['message'] === 'string' &&
  (value['path'] === undefined || Array.isArray(value['path']));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
