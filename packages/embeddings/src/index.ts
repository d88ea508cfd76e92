export { buildPhrases, questionsDigest, readQuestions } from './build-phrases';
export { areVectorsUpToDate, type BuildVectorsOptions, buildVectors } from './build-vectors';
export { builtInModel, createBuiltInEmbedder } from './built-in';
export { embeddingsSettings } from './config';
export { createEmbedder } from './create-embedder';
export { type Embedder, isEmbedderError } from './embedder';
export { createEndpointEmbedder, type EndpointOptions } from './endpoint-embedder';
export { createFolderEmbedder, type ModelFolderOptions } from './folder-embedder';
export type { LexicalOverlap, RowValues, StemOccurrences, TranslationWords } from './lexical-overlap';
export { createLexicalOverlap, indexWords, joinValues, noValues, wordWeight } from './lexical-overlap';
export type { FindPhraseBonus, OpenPhrases, TopicMatch } from './phrases-file';
export { openPhrases, phrasesFile, readPhrasesHeader } from './phrases-file';
export { createClassifyQuery, type QueryKind, type RecognizedNeed } from './query-kind';
export { createRowProperties, openRanking, requiredRows, rerank } from './ranking';
export type { OpenVectors, Ranked, SharedRows, SimilarVerses } from './search';
export {
  areSharedVectorsShipped,
  createSharedRows,
  lexicalBonus,
  lexicalOverlapOf,
  noSimilarVerses,
  openVectors,
  rankSimilar,
  sharedTranslation,
  sharedVectorsFile,
  toSimilarity,
} from './search';
export type { ScanMatches } from './vector-scan';
export { dot, readVectors, shippedVectors, unitVector } from './vectors';
export { eachVerseText, secondTranslation, textsDigest } from './verse-texts';
