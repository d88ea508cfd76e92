export { type BuildConcordanceIndexOptions, buildConcordanceIndex } from './build-concordance-index';
export { concordanceFileKind } from './concordance-schema';
export { settings } from './config';
export { type ConcordanceOptions, createConcordanceSubgraph } from './subgraph';
