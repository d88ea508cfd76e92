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
}

export interface AboutRequest {
  readonly requestId: string;
  /** Sent along where it goes over the network. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Asks one subgraph, in this process or over the network. A throw or a rejection means that it does not answer. */
export type SubgraphFetch = (request: SubgraphRequest, about: AboutRequest) => Awaitable<SubgraphAnswer>;
