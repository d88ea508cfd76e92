export type { BuildVectorsOptions, BuiltVectors } from './build';
export { areVectorsUpToDate, buildVectors } from './build';
export { builtInModel, createBuiltInEmbedder } from './built-in';
export { embeddingsSettings } from './config';
export type { EmbeddingsSettings } from './create';
export { createEmbedder } from './create';
export type { Embedder, EmbedderError, EmbedderFailure, EmbedOptions } from './embedder';
export { isEmbedderError } from './embedder';
export type { EndpointOptions } from './endpoint';
export { createEndpointEmbedder } from './endpoint';
export type { ModelFolderOptions } from './folder';
export { createFolderEmbedder } from './folder';
export type { LexicalOverlap, RowValues, StemOccurrences, TranslationWords } from './overlap';
export { createLexicalOverlap, indexWords, wordWeight } from './overlap';
export type { AddPhraseBonus, OpenPhrases, TopicMatch } from './phrases';
export { openPhrases, phrasesFile, readPhrasesHeader, shippedPhrases } from './phrases';
export type { Phrase } from './phrases-build';
export { buildPhrases } from './phrases-build';
export type { ScanMatches } from './scan';
export type { Nearest, OpenVectors, Ranked, SharedRows, SimilarVerses } from './search';
export {
  areSharedVectorsShipped,
  createSharedRows,
  lexicalBonus,
  noSimilarVerses,
  openVectors,
  rank,
  rankSimilar,
  sharedTranslation,
  sharedVectorsFile,
  toSimilarity,
} from './search';
export type { EmbeddingsServerOptions } from './server';
export { createEmbeddingsServer } from './server';
export type { Expected, VectorsHeader } from './vectors';
export { readVectors, shippedVectors, vectorsFile } from './vectors';
export { eachVerseText, secondTranslation, textsDigest } from './verses';
