export { type BuildOptions, buildConcordanceIndex } from './build-index';
export { type ConcordanceOptions, createConcordanceSubgraph } from './concordance';
export { settings } from './config';
