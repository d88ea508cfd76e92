export {
  type BuildStudyDataOptions,
  buildStudyData,
  isReferenceWorksUpToDate,
  listUnresolvedReferences,
} from './build/build';
export { settings } from './config';
export { createStudySubgraph, type StudyOptions } from './subgraph';
export { referenceWorksFile, studyFileKind } from './tables';
