export { createSubgraph } from './subgraph';
export type { AboutOperation, Subgraph } from './subgraph';
export { executeInProcess } from './execute-in-process';
export type { Execute, SubgraphAnswer, SubgraphRequest } from './execute-in-process';
export { serveSubgraph } from './serve-subgraph';
export { maskError } from './mask-error';
