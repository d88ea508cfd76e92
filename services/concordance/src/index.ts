export { buildConcordanceIndex } from './build';
export { settings } from './config';
export { concordanceFileKind } from './data/tables';
export { createConcordanceSubgraph } from './subgraph';
