export { buildConcordanceIndex, type BuildOptions } from './build-index';
export { createConcordanceSubgraph, type ConcordanceOptions } from './concordance';
export { settings } from './config';
