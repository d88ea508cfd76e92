/**
 * The members of a subgraph transport that knows no replicas. The transport adds `subgraph`, which opens one subgraph.
 */
export const subgraphsWithoutReplicas = {
  replicas: () => [],
  checkNames() {},
  versionSkew: () => null,
  health: () => ({ isTokenRejected: false, degraded: [] }),
  probed: async () => {},
  datasetVersion: () => null,
  datasetGeneration: () => 0,
  async close() {},
};
