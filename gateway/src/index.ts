export { startGateway } from './gateway';
export type { GatewayParts } from './gateway';
export { optionsOf, settings } from './config';
export type { SubgraphAnswer, SubgraphFetch, SubgraphRequest } from './subgraphs/subgraph-fetch';
