import type { Span } from '@lectern/telemetry';
import type { GraphQLFormattedError } from 'graphql';
import type { Awaitable } from '../async';

export interface SubgraphRequest {
  query: string;
  variables?: Record<string, unknown> | undefined;
  operationName?: string | undefined;
}

export interface SubgraphResponse {
  data?: Record<string, unknown> | null | undefined;
  errors?: readonly GraphQLFormattedError[] | undefined;
  /** In place of both: the whole answer as JSON, `{"data":{...}}`, of a subgraph that vouches for it. Only to who takes it so. */
  rawBody?: Buffer | undefined;
}

export interface SubgraphFetchOptions {
  readonly requestId: string;
  /** The request's. */
  readonly span?: Span;
  /** The answer is handed on as it comes, and need not be read where it has no errors. */
  readonly acceptsRawBody?: boolean;
  /** Sent along where it goes over the network. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Asks one subgraph, in this process or over the network. A throw or a rejection means that it does not answer. */
export type SubgraphFetch = (request: SubgraphRequest, about: SubgraphFetchOptions) => Awaitable<SubgraphResponse>;
