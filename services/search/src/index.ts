export { createSearchSubgraph } from './search';
export type { SearchOptions } from './search';
export { buildSearchIndex } from './build-search-index';
export type { BuildOptions } from './build-search-index';
export { settings } from './config';
