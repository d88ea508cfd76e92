export { buildConcordanceIndex } from './build';
export { settings } from './config';
export { concordanceFileKind } from './data/files';
export { createConcordanceSubgraph } from './subgraph';
