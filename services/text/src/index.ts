export { settings } from './config';
export type { TextOptions } from './text';
export { createTextSubgraph } from './text';
