import type { Received } from './send';
import { send } from './send';

export interface GraphqlAnswer {
  data?: Record<string, unknown> | null;
  errors?: { message: string; path?: (string | number)[]; locations?: unknown; extensions?: Record<string, unknown> }[];
}

export type Ask = (
  query: string,
  variables?: Record<string, unknown>,
  operationName?: string,
) => Promise<GraphqlAnswer>;

/** The headers of an ordinary GraphQL request with this key. */
export const graphqlHeaders = (token: string): string[] => [
  'Authorization',
  `Bearer ${token}`,
  'Content-Type',
  'application/json',
];

/** Sends GraphQL as a client does and gives back the parsed answer. */
export const createAsk =
  (url: string, token: string): Ask =>
  async (query, variables, operationName) => {
    const received: Received = await send(url, {
      headers: graphqlHeaders(token),
      body: JSON.stringify({ query, variables, operationName }),
    });
    return received.json() as GraphqlAnswer;
  };
