export { type BuildConcordanceIndexOptions, buildConcordanceIndex } from './build';
export { settings } from './config';
export { concordanceFileKind } from './data/formats';
export { type ConcordanceOptions, createConcordanceSubgraph } from './subgraph';
