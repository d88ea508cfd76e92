export { type BuildConcordanceIndexOptions, buildConcordanceIndex } from './build-concordance-index';
export { concordanceFileKind } from './concordance-tables';
export { settings } from './config';
export { type ConcordanceOptions, createConcordanceSubgraph } from './subgraph';
