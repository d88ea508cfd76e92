export { startGateway } from './gateway';
export type { Gateway, GatewayParts } from './gateway';
export { optionsOf, settings } from './config';
export type { SubgraphAnswer, SubgraphFetch, SubgraphRequest } from './subgraphs/subgraph-fetch';
export { runPrimary } from './workers/run-primary';
export { shareMetrics } from './workers/worker-metrics';
