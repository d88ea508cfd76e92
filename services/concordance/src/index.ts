export { type BuildConcordanceIndexOptions, buildConcordanceIndex } from './build-concordance-index';
export { settings } from './config';
export { type ConcordanceOptions, createConcordanceSubgraph } from './subgraph';
