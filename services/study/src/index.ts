export { type BuildStudyFileOptions, buildStudyFile } from './build/build-study-file';
export { settings } from './config';
export { createStudySubgraph, type StudyOptions } from './subgraph';
