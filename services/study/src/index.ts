export { type BuildStudyDataOptions, buildStudyData } from './build/build-study-data';
export { settings } from './config';
export { studyFileKind } from './study-schema';
export { createStudySubgraph, type StudyOptions } from './subgraph';
