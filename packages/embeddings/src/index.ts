export { areVectorsUpToDate, type BuildVectorsOptions, type BuiltVectors, buildVectors } from './build-vectors';
export { builtInModel, createBuiltInEmbedder } from './built-in-embedder';
export { createEmbedder, type EmbeddingsSettings } from './create-embedder';
export {
  type Embedder,
  type EmbedderError,
  type EmbedderFailure,
  type EmbedOptions,
  isEmbedderError,
} from './embedder';
export { createEmbeddingsServer, type EmbeddingsServerOptions } from './embeddings-server';
export { createEndpointEmbedder, type EndpointOptions } from './endpoint-embedder';
export { createFolderEmbedder, type ModelFolderOptions } from './folder-embedder';
export {
  createLexicalOverlap,
  indexStems,
  type LexicalOverlap,
  type StemIndex,
  type VerseValues,
} from './lexical-overlap';
export {
  buildLexicalOverlap,
  isLexicalOverlapUpToDate,
  lexicalOverlapFile,
  openLexicalOverlap,
} from './lexical-overlap-file';
export { type Nearest, type OpenVectors, openVectors } from './open-vectors';
export { lexicalBonus, type Ranked, rank } from './rank-verses';
export { embeddingsSettings } from './settings';
export { type Expected, shippedVectors, type VectorsHeader, vectorsFile } from './vectors-file';
export { secondTranslation, textsDigest } from './verse-texts';
