import type { Awaitable } from '../../async';
import type { SubgraphRequest, SubgraphResponse } from '../../transport/subgraph-fetch';

export type Ask = (subgraph: string, request: SubgraphRequest) => Awaitable<SubgraphResponse>;

/** One call of a plan. */
export interface Run {
  /** What all fetches together have found, as subgraphs call it. */
  readonly data: Record<string, unknown>;
  /** As the client gave them. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly ask: Ask;
}

/** One part of a plan. False where something is not as it should be: then the engine has the rest, and tells what. */
export type Step = (run: Run) => Promise<boolean>;
