/** What stands in a graph at one moment, for whoever watches it. */
export interface GraphState {
  readonly kept: { readonly answers: number; readonly bytes: number };
  readonly replicas: readonly ReplicaState[];
}

/** One URL of a subgraph, and whether it is left out because it failed too often. */
export interface ReplicaState {
  readonly subgraph: string;
  readonly url: string;
  readonly isOut: boolean;
}
