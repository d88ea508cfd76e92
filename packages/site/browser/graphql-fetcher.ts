import type { Fetcher } from '@graphiql/toolkit';

export interface FetcherParts {
  endpoint: string;
  /** Null before one is entered: then nothing is sent. */
  apiKey: string | null;
  fetch: typeof fetch;
  /** Told of each answer: null when the key was good for it, else why it was refused, in the API's own words. */
  onAnswer: (refusal: string | null) => void;
}

const isRefusal = (answer: unknown): answer is { errors: { message: string }[] } =>
  typeof answer === 'object' && answer !== null && 'errors' in answer && !('data' in answer);

/** How GraphiQL asks the API. The key is an argument and goes into one header: nothing else here knows it. */
export const createFetcher =
  ({ endpoint, apiKey, fetch, onAnswer }: FetcherParts): Fetcher =>
  async ({ query, variables, operationName }) => {
    if (apiKey === null)
      return { errors: [{ message: 'Enter an API key above first: the service answers nothing without one.' }] };
    const response = await fetch(endpoint, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', accept: 'application/json' },
      // The key alone speaks for the caller.
      credentials: 'omit',
      body: JSON.stringify({ query, variables, operationName }),
    }).catch(() => {
      throw new Error('The service could not be reached. Look at your connection and try again.');
    });
    const answer = await response.json();
    onAnswer(!response.ok && isRefusal(answer) ? answer.errors.map(({ message }) => message).join(' ') : null);
    return answer;
  };
