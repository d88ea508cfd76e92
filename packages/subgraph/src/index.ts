export type { AboutOperation } from '@lectern/execution';
export type { Execute, SubgraphRequest, SubgraphResponse } from './execute-in-process';
export { executeInProcess } from './execute-in-process';
export { maskError } from './mask-error';
export { runSubgraph } from './run-subgraph';
export { serveSubgraph } from './serve-subgraph';
export type { Subgraph } from './subgraph';
export { createSubgraph } from './subgraph';
export { subgraphSettings } from './subgraph-settings';
