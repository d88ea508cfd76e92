/**
 * The transport of subgraphs that run in this process. The caller adds `subgraph`, the function that opens a subgraph.
 */
export const transportWithoutReplicas = {
  replicas: () => [],
  checkNames: (): void => {},
  versionSkew: () => null,
  health: () => ({ isTokenRejected: false, degraded: [], notInSubgraphUrls: [] }),
  probed: async (): Promise<void> => {},
  isAvailable: async (): Promise<boolean> => true,
  datasetGeneration: () => 0,
  close: async (): Promise<void> => {},
};
