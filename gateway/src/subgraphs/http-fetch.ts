import { Pool } from 'undici';
import type { SubgraphAnswer, SubgraphFetch } from './subgraph-fetch';

export interface HttpFetchOptions {
  url: string;
  /** From the request's first byte to the answer's last, in milliseconds. */
  timeoutMs: number;
  connections: number;
}

/** The text of Psalms ten times over. A larger answer is no answer of a subgraph of ours. */
const mostAnswerBytes = 32 * 1024 * 1024;

export interface HttpFetch {
  fetch: SubgraphFetch;
  close(): Promise<void>;
}

/** Asks a subgraph over HTTP/1.1, on connections that are kept. Rejects on anything but a GraphQL answer in time. */
export function createHttpFetch({ url, timeoutMs, connections }: HttpFetchOptions): HttpFetch {
  const { origin, pathname, search } = new URL(url);
  // No pipelining: one slow answer would hold up those behind it.
  const pool = new Pool(origin, { connections, pipelining: 1, connect: { timeout: timeoutMs }, headersTimeout: timeoutMs, bodyTimeout: timeoutMs, maxResponseSize: mostAnswerBytes });
  const path = pathname + search;

  const fetch: SubgraphFetch = async (request) => {
    const { body } = await pool.request({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(request),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const answer: unknown = await body.json();
    if (!isAnswer(answer)) throw new Error('the subgraph did not answer with GraphQL');
    return answer;
  };
  return { fetch, close: () => pool.close() };
}

function isAnswer(value: unknown): value is SubgraphAnswer {
  if (typeof value !== 'object' || value === null) return false;
  const { data, errors } = value as SubgraphAnswer;
  return (typeof data === 'object' && data !== null) || Array.isArray(errors);
}
