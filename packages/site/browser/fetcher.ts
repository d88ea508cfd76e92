import type { Fetcher } from '@graphiql/toolkit';

/**
 * The state of the key according to a response. `unchecked`: the response has an error that does
 * not concern the key.
 */
export type CheckedKey = { kind: 'valid' } | { kind: 'rejected' | 'unchecked'; message: string };

export interface GraphqlFetcherOptions {
  endpoint: string;
  /** The API key. Without a key (null), the fetcher sends no request. */
  apiKey: string | null;
  fetch: typeof fetch;
  /** Called for each response, with the state of the key. */
  onResponse: (keyState: CheckedKey) => void;
}

/**
 * Creates the `fetcher` of GraphiQL. The key goes into the Authorization header and nowhere else.
 */
export const createGraphqlFetcher =
  ({ endpoint, apiKey, fetch, onResponse }: GraphqlFetcherOptions): Fetcher =>
  async ({ query, variables, operationName }) => {
    if (apiKey === null)
      return { errors: [{ message: 'Enter an API key above first: the service rejects requests without a key.' }] };
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', accept: 'application/json' },
      // The key alone identifies the caller; cookies are not sent.
      credentials: 'omit',
      body: JSON.stringify({ query, variables, operationName }),
    }).catch(() => {
      throw new Error('The service could not be reached. Check your connection and try again.');
    });
    const body = await response.json();
    onResponse(checkedKey(response, body));
    return body;
  };

function checkedKey({ ok, status }: Response, body: unknown): CheckedKey {
  if (ok || !isRequestError(body)) return { kind: 'valid' };
  const message = body.errors.map((error) => error.message).join(' ');
  return { kind: status === 401 ? 'rejected' : 'unchecked', message };
}

/** Returns whether a response is a GraphQL request error, with `errors` and without `data`. */
const isRequestError = (body: unknown): body is { errors: { message: string }[] } =>
  typeof body === 'object' && body !== null && 'errors' in body && !('data' in body);
