export { settings } from './config';
export type { CloseGatewayOptions, Gateway, GatewayParts } from './gateway';
export { startGateway } from './gateway';
export { gatewayOptions } from './gateway-options';
export { readUsageToday } from './read-usage-today';
export type { SubgraphFetch, SubgraphRequest, SubgraphResponse } from './transport/subgraph-fetch';
export { compareTranslations } from './transport/translation-skew';
export { transportWithoutReplicas } from './transport/transport-without-replicas';
export { runDocumentsCommand } from './trusted-documents-command';
