export { type BuildVectorsOptions, type BuiltVectors, buildVectors } from './build-vectors';
export { builtInModel, createBuiltInEmbedder } from './built-in';
export { type Coverage, createCoverage, indexStems, type OfVerses, type StemIndex } from './coverage';
export { buildCoverage, openCoverage } from './coverage-file';
export { createEmbedder, type EmbeddingsSettings } from './create-embedder';
export { coverageFile, shippedVectors, vectorsFile } from './data-files';
export {
  type Embedder,
  type EmbedderError,
  type EmbedderFailure,
  type EmbedOptions,
  isEmbedderError,
} from './embedder';
export { createEmbeddingsServer, type EmbeddingsServerOptions } from './embeddings-server';
export { createEndpointEmbedder, type EndpointOptions } from './endpoint';
export { createFolderEmbedder, type ModelFolderOptions } from './model-folder';
export { type Nearest, type OpenVectors, openVectors } from './open-vectors';
export { coverageBonus, type Ranked, rank } from './rank';
export { isVectorsError } from './sealed-file';
export { settings } from './settings';
export { type Expected, type VectorsHeader } from './vectors-file';
export { secondEdition } from './verse-texts';
