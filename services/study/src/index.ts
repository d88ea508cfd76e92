export { isReferenceWorksUpToDate, listUnresolvedReferences } from './build/build-reference-works';
export { type BuildStudyDataOptions, buildStudyData } from './build/build-study-data';
export { settings } from './config';
export { referenceWorksFile, studyFileKind } from './study-sqlite-tables-and-versions';
export { createStudySubgraph, type StudyOptions } from './subgraph';
