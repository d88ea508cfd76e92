export { buildConcordanceIndex } from './build';
export { settings } from './config';
export { concordanceFileKind } from './data/formats';
export { createConcordanceSubgraph } from './subgraph';
