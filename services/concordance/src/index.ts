export { type BuildConcordanceIndexOptions, buildConcordanceIndex } from './build-concordance-index';
export { concordanceFileKind } from './concordance-file-formats';
export { settings } from './config';
export { type ConcordanceOptions, createConcordanceSubgraph } from './subgraph';
