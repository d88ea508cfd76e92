import type { Hint } from '@lectern/serving';
import type { GraphQLFormattedError } from 'graphql';

/**
 * The request that the gateway sends to a subgraph, in this process or as the JSON body of a POST
 * request.
 */
export interface SubgraphRequest {
  query: string;
  variables?: Record<string, unknown> | undefined;
  operationName?: string | undefined;
}

/** A GraphQL response. A response has `data` or `errors` or both, or `rawBody` instead. */
export interface SubgraphResponse {
  data?: Record<string, unknown> | null | undefined;
  errors?: readonly GraphQLFormattedError[] | undefined;
  /**
   * The response as unparsed JSON, `{"data":{...}}` without errors. Only the gateway's HTTP client
   * sets it, if the gateway's call has the option `acceptsRawBody`.
   */
  rawBody?: Buffer | undefined;
  /** Whether it takes several milliseconds to merge the data or to write it as JSON. */
  isLarge?: boolean | undefined;
  /**
   * The number of embedding calls (executed fields that search by meaning). Absent if there were none.
   */
  embeddingCalls?: number | undefined;
  /** The hints for the developer of the client. Absent if there are none. */
  hints?: readonly Hint[] | undefined;
}

/**
 * Executes a request in this process. Returns a promise only if a resolver does, or if the
 * execution pauses.
 */
export type Execute = (request: SubgraphRequest) => SubgraphResponse | Promise<SubgraphResponse>;
