import type { HttpResponse } from './send-http-request';
import { send } from './send-http-request';

export interface GraphqlResponse {
  data?: Record<string, unknown> | null;
  errors?: { message: string; path?: (string | number)[]; locations?: unknown; extensions?: Record<string, unknown> }[];
}

/** Rejects if the connection fails or the body is not JSON. */
export type GraphqlClient = (
  query: string,
  variables?: Record<string, unknown>,
  operationName?: string,
) => Promise<GraphqlResponse>;

/** The headers of a GraphQL request, as alternating names and values for `send`. */
export const graphqlHeaders = (token: string): string[] => [
  'Authorization',
  `Bearer ${token}`,
  'Content-Type',
  'application/json',
];

/** Returns a function that sends one GraphQL request and resolves with the parsed response body. */
export const createGraphqlClient =
  (url: string, token: string): GraphqlClient =>
  async (query, variables, operationName) => {
    const response: HttpResponse = await send(url, {
      headers: graphqlHeaders(token),
      body: JSON.stringify({ query, variables, operationName }),
    });
    return response.json() as GraphqlResponse;
  };
