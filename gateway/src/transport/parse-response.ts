import type { SubgraphResponse } from './subgraph-fetch';

/** Null for what is no answer of GraphQL, down to the shape of its errors: a peer of another team may send anything. */
export function parseResponse(chunks: readonly Buffer[]): SubgraphResponse | null {
  try {
    const value: unknown = JSON.parse(joined(chunks).toString('utf8'));
    return isAnswer(value) ? value : null;
  } catch {
    return null;
  }
}

const begin = Buffer.from('{"data":{');
const end = Buffer.from('}}');

/** The answer as it came, of a peer that says of it that it has data and nothing else. Null where it does not look like that. */
export function rawResponse(chunks: readonly Buffer[]): SubgraphResponse | null {
  const whole = joined(chunks);
  return whole.subarray(0, begin.length).equals(begin) && whole.subarray(-end.length).equals(end)
    ? { rawBody: whole }
    : null;
}

function joined(chunks: readonly Buffer[]): Buffer {
  const [only] = chunks;
  return chunks.length === 1 && only ? only : Buffer.concat(chunks);
}

function isAnswer(value: unknown): value is SubgraphResponse {
  if (!isObject(value)) return false;
  const { data, errors = [] } = value;
  if (!Array.isArray(errors) || !errors.every(isError)) return false;
  return isObject(data) || errors.length > 0;
}

const isError = (value: unknown): boolean =>
  isObject(value) &&
  typeof value['message'] === 'string' &&
  (value['path'] === undefined || Array.isArray(value['path']));

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
