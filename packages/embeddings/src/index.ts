export { areVectorsUpToDate, type BuildVectorsOptions, type BuiltVectors, buildVectors } from './build';
export { builtInModel, createBuiltInEmbedder } from './built-in';
export { createEmbedder, type EmbeddingsSettings } from './create';
export {
  type Embedder,
  type EmbedderError,
  type EmbedderFailure,
  type EmbedOptions,
  isEmbedderError,
} from './embedder';
export { embeddingsSettings } from './embedder-settings';
export { createEndpointEmbedder, type EndpointOptions } from './endpoint';
export { indexWords } from './index-verse-words-in-memory';
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
export {
  createLexicalOverlap,
  type LexicalOverlap,
  type RowValues,
  type StemOccurrences,
  type TranslationWords,
  wordWeight,
} from './overlap';
export { phrasesFile, readPhrasesHeader, shippedPhrases } from './phrases';
export { buildPhrases, type Phrase } from './phrases-build';
export {
  lexicalBonus,
  noSimilarVerses,
  type Ranked,
  rank,
  rankSimilar,
  type SimilarVerses,
  toSimilarity,
} from './rank-verses-by-cosine-and-bonus';
export type { ScanMatches } from './scan';
export { type Nearest, type OpenVectors, openVectors } from './search';
export { createEmbeddingsServer, type EmbeddingsServerOptions } from './server';
export { type Expected, readVectors, shippedVectors, type VectorsHeader, vectorsFile } from './vectors';
export { eachVerseText, secondTranslation, textsDigest } from './verse-texts';
