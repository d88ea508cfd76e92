import type { SubgraphAnswer } from './subgraph-fetch';

/** Null for what is no answer of GraphQL, down to the shape of its errors: a peer of another team may send anything. */
export function readAnswer(chunks: readonly Buffer[]): SubgraphAnswer | null {
  const [only] = chunks;
  const text = (chunks.length === 1 && only ? only : Buffer.concat(chunks)).toString('utf8');
  try {
    const value: unknown = JSON.parse(text);
    return isAnswer(value) ? value : null;
  } catch {
    return null;
  }
}

function isAnswer(value: unknown): value is SubgraphAnswer {
  if (!isObject(value)) return false;
  const { data, errors = [] } = value;
  if (!Array.isArray(errors) || !errors.every(isError)) return false;
  return isObject(data) || errors.length > 0;
}

const isError = (value: unknown): boolean => isObject(value) && typeof value['message'] === 'string' && (value['path'] === undefined || Array.isArray(value['path']));

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
