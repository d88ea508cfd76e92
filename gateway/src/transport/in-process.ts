/** The transport of subgraphs in this process. The caller adds `subgraph`, which opens one. */
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
