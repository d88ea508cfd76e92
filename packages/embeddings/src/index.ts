export { areVectorsUpToDate, type BuildVectorsOptions, buildVectors } from './build-vectors';
export { builtInModel, createBuiltInEmbedder } from './built-in';
export { embeddingsSettings } from './config';
export { createEmbedder } from './create-embedder';
export { type Embedder, isEmbedderError } from './embedder';
export { createEndpointEmbedder, type EndpointOptions } from './endpoint-embedder';
export { createFolderEmbedder, type ModelFolderOptions } from './folder-embedder';
export { type OpenVectors, openVectors } from './open-vectors';
export { createVectorScan, noValues, type RowValues, type ScanMatches } from './vector-scan';
export {
  buildRows,
  checkEmbedder,
  dot,
  type Expected,
  readVectors,
  shippedVectors,
  unitVector,
  vectorsFile,
} from './vectors';
export { eachVerseText, hashLength, secondTranslation, textsDigest, versesOfBook } from './verse-texts';
