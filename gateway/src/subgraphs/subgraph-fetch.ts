import type { GraphQLFormattedError } from 'graphql';

export interface SubgraphRequest {
  query: string;
  variables?: Record<string, unknown> | undefined;
  operationName?: string | undefined;
}

export interface SubgraphAnswer {
  data?: Record<string, unknown> | null | undefined;
  errors?: readonly GraphQLFormattedError[] | undefined;
}

/** Asks one subgraph, in this process or over the network. A rejection means that it does not answer. */
export type SubgraphFetch = (request: SubgraphRequest, about: { requestId: string }) => Promise<SubgraphAnswer>;
