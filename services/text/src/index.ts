export { createTextSubgraph } from './text';
export type { TextOptions } from './text';
export { settings } from './config';
