export { areVectorsUpToDate, type BuildVectorsOptions, buildVectors } from './build';
export { builtInModel, createBuiltInEmbedder } from './built-in';
export { embeddingsSettings } from './config';
export { createEmbedder } from './create';
export { type Embedder, type EmbedderError, isEmbedderError } from './embedder';
export { createEndpointEmbedder, type EndpointOptions } from './endpoint';
export { createFolderEmbedder, type ModelFolderOptions } from './folder';
export type { LexicalOverlap, RowValues, StemOccurrences, TranslationWords } from './overlap';
export { createLexicalOverlap, indexWords, wordWeight } from './overlap';
export type { AddPhraseBonus, OpenPhrases, TopicMatch } from './phrases';
export { openPhrases, phrasesFile, readPhrasesHeader, shippedPhrases } from './phrases';
export { buildPhrases } from './phrases-build';
export type { ScanMatches } from './scan';
export type { OpenVectors, Ranked, SharedRows, SimilarVerses } from './search';
export {
  areSharedVectorsShipped,
  createSharedRows,
  lexicalBonus,
  noSimilarVerses,
  openVectors,
  rankSimilar,
  sharedTranslation,
  sharedVectorsFile,
  toSimilarity,
} from './search';
export { createEmbeddingsServer } from './server';
export { readVectors, shippedVectors, type VectorsHeader } from './vectors';
export { eachVerseText, secondTranslation, textsDigest } from './verses';
