import type { VersionSkew } from './transport/http-subgraphs';

/** What stands in a graph at one moment, for whoever watches it. */
export interface GraphState {
  readonly kept: { readonly answers: number; readonly bytes: number };
  readonly replicas: readonly ReplicaState[];
  /** Where subgraphs serve different texts, what each serves. */
  readonly versionSkew: VersionSkew | null;
}

/** One URL of a subgraph, and whether it is left out because it failed too often. */
export interface ReplicaState {
  readonly subgraph: string;
  readonly url: string;
  readonly isCircuitOpen: boolean;
}
