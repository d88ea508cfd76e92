export { optionsOf, settings } from './config';
export type { Gateway, GatewayParts } from './gateway';
export { startGateway } from './gateway';
export type { SubgraphAnswer, SubgraphFetch, SubgraphRequest } from './transport/subgraph-fetch';
