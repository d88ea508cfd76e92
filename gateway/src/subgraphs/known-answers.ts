import type { SubgraphAnswer, SubgraphRequest } from './subgraph-fetch';

/** What a subgraph was asked for a request already, and is not asked again for it. */
export interface KnownAnswer {
  readonly subgraph: string;
  /** Null for whatever it is asked. */
  readonly request: SubgraphRequest | null;
  /** Null where none came. */
  readonly answer: SubgraphAnswer | null;
}

/** The first that is of this subgraph and of this question. */
export function findKnown(known: readonly KnownAnswer[], subgraph: string, { query, variables }: SubgraphRequest): KnownAnswer | undefined {
  return known.find((each) => each.subgraph === subgraph && (each.request === null || (each.request.query === query && JSON.stringify(each.request.variables) === JSON.stringify(variables))));
}
