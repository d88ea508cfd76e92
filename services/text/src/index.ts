export { settings } from './config';
export type { TextOptions } from './subgraph';
export { createTextSubgraph } from './subgraph';
