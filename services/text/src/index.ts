export { settings } from './config';
export { createTextSubgraph, type TextOptions } from './subgraph';
