import type { SubgraphRequest, SubgraphResponse } from '../transport/subgraph-fetch-types';

/**
 * A subgraph's response that another strategy has fetched for the same request of a client.
 * @apollo/gateway uses this response instead of fetching it again.
 */
export interface PrefetchedResponse {
  readonly subgraph: string;
  /** The request that was sent. Null if the response stands for any request to the subgraph. */
  readonly request: SubgraphRequest | null;
  /** The response. Null if the subgraph was unavailable. */
  readonly response: SubgraphResponse | null;
}

/**
 * Removes and returns the first response to this request. Each response is used once:
 * @apollo/gateway changes the responses that it receives, and two fetches of a plan may send the
 * same request.
 */
export function takePrefetched(
  prefetched: PrefetchedResponse[],
  subgraph: string,
  { query, variables }: SubgraphRequest,
): PrefetchedResponse | undefined {
  const index = prefetched.findIndex(
    (each) =>
      each.subgraph === subgraph && (each.request === null || isSameRequest(each.request, { query, variables })),
  );
  return index === -1 ? undefined : prefetched.splice(index, 1)[0];
}

const isSameRequest = (one: SubgraphRequest, other: SubgraphRequest): boolean =>
  one.query === other.query && JSON.stringify(one.variables) === JSON.stringify(other.variables);
