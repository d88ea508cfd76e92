export { buildPhrases, type Phrase } from './build-topic-phrase-vectors';
export { areVectorsUpToDate, type BuildVectorsOptions, type BuiltVectors, buildVectors } from './build-verse-vectors';
export { builtInModel, createBuiltInEmbedder } from './built-in-embedder';
export { createEmbedder, type EmbeddingsSettings } from './create-embedder';
export {
  type Embedder,
  type EmbedderError,
  type EmbedderFailure,
  type EmbedOptions,
  isEmbedderError,
} from './embedder-interface';
export { embeddingsSettings } from './embedder-settings';
export { createEmbeddingsServer, type EmbeddingsServerOptions } from './embeddings-server';
export { createEndpointEmbedder, type EndpointOptions } from './endpoint-embedder';
export { indexWords } from './index-verse-words-in-memory';
export {
  createLexicalOverlap,
  type LexicalOverlap,
  type RowValues,
  type StemOccurrences,
  type TranslationWords,
  wordWeight,
} from './lexical-overlap';
export {
  areSharedVectorsShipped,
  createSharedRows,
  type SharedRows,
  sharedTranslation,
  sharedVectorsFile,
} from './look-up-shared-verse-vectors';
export { createFolderEmbedder, type ModelFolderOptions } from './model-folder-embedder';
export type { TopicMatch } from './nearest-topics';
export { type AddPhraseBonus, type OpenPhrases, openPhrases } from './open-phrases';
export { type Nearest, type OpenVectors, openVectors } from './open-verse-vector-search';
export { phrasesFile, readPhrasesHeader, shippedPhrases } from './phrases-file';
export {
  lexicalBonus,
  noSimilarVerses,
  type Ranked,
  rank,
  rankSimilar,
  type SimilarVerses,
  toSimilarity,
} from './rank-verses-by-cosine-and-bonus';
export type { ScanMatches } from './scan-vectors-in-worker-thread';
export { type Expected, readVectors, shippedVectors, type VectorsHeader, vectorsFile } from './vectors-file';
export { eachVerseText, secondTranslation, textsDigest } from './verse-texts';
