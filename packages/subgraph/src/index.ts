export { createSubgraph } from './subgraph';
export type { Subgraph } from './subgraph';
export type { AboutOperation } from '@lectern/execution';
export { executeInProcess } from './execute-in-process';
export type { Execute, SubgraphAnswer, SubgraphRequest } from './execute-in-process';
export { runSubgraph } from './run-subgraph';
export { serveSubgraph } from './serve-subgraph';
export { subgraphSettings } from './subgraph-settings';
export { maskError } from './mask-error';
