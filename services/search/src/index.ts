export { buildSearchIndex } from './build';
export { settings } from './config';
export { buildSemanticFiles, findStaleSemanticFiles } from './semantic/build';
export { exportVectors } from './semantic/export-vectors';
export { createSemanticOptions, type SemanticIndexOptions, semanticSettings } from './semantic/semantic-index';
export { searchFileKind } from './store';
export { createSearchSubgraph, type SearchOptions } from './subgraph';
