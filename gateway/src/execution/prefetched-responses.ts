import type { SubgraphRequest, SubgraphResponse } from '../transport/subgraph-fetch';

/** What a subgraph was asked for a request already, and is not asked again for it. */
export interface KnownAnswer {
  readonly subgraph: string;
  /** Null for whatever it is asked. */
  readonly request: SubgraphRequest | null;
  /** Null where none came. */
  readonly answer: SubgraphResponse | null;
}

/**
 * The first that is of this subgraph and of this question. It is taken out: the engine writes into the answers that it gets, and two parts of a plan may ask the same.
 */
export function takeKnown(
  known: KnownAnswer[],
  subgraph: string,
  { query, variables }: SubgraphRequest,
): KnownAnswer | undefined {
  const at = known.findIndex(
    (each) =>
      each.subgraph === subgraph &&
      (each.request === null ||
        (each.request.query === query && JSON.stringify(each.request.variables) === JSON.stringify(variables))),
  );
  return at === -1 ? undefined : known.splice(at, 1)[0];
}
