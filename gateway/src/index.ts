export { gatewayOptions, settings } from './config';
export type { CloseGatewayOptions, Gateway, GatewayParts } from './gateway';
export { startGateway } from './gateway';
export { readUsageToday } from './read-usage-today';
export type { SubgraphFetch, SubgraphRequest, SubgraphResponse } from './transport/subgraph-fetch';
export { subgraphsWithoutReplicas } from './transport/subgraphs-without-replicas';
export { compareTranslations } from './transport/translation-skew';
export { runDocumentsCommand } from './trusted-documents-command';
