export { isReferenceWorksUpToDate, listUnresolvedReferences } from './build/build-reference-works';
export { type BuildStudyDataOptions, buildStudyData } from './build/build-study-data';
export { settings } from './config';
export { referenceWorksFile, studyFileKind } from './study-file-formats';
export { createStudySubgraph, type StudyOptions } from './subgraph';
