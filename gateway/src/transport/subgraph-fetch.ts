import type { Span } from '@lectern/telemetry';
import type { GraphQLFormattedError } from 'graphql';
import type { Awaitable } from '../when-known';

export interface SubgraphRequest {
  query: string;
  variables?: Record<string, unknown> | undefined;
  operationName?: string | undefined;
}

export interface SubgraphAnswer {
  data?: Record<string, unknown> | null | undefined;
  errors?: readonly GraphQLFormattedError[] | undefined;
  /** In place of both: the whole answer as JSON, `{"data":{...}}`, of a subgraph that vouches for it. Only to who takes it so. */
  whole?: Buffer | undefined;
}

export interface AboutRequest {
  readonly requestId: string;
  /** The request's. */
  readonly span?: Span;
  /** The answer is handed on as it comes, and need not be read where it has no errors. */
  readonly takesWhole?: boolean;
  /** Sent along where it goes over the network. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Asks one subgraph, in this process or over the network. A throw or a rejection means that it does not answer. */
export type SubgraphFetch = (request: SubgraphRequest, about: AboutRequest) => Awaitable<SubgraphAnswer>;
