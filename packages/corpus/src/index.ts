export {
  buildDerivedTranslations,
  type DerivedDraft,
  type DerivedTranslation,
  type EnsureOptions,
  ensureCorpus,
  listTranslations,
  staleDerivedTranslations,
} from './build';
export { type BuildIndex, buildIndexes, defaultJobs, runIndexBuilder, staleIndexes } from './build-indexes';
export { runCorpusCommand } from './command';
export { defaultTranslations } from './default-translations';
export { fetchOptionalModules } from './fetch/fetch-sources';
export {
  checkByReading,
  digestModules,
  type FetchOptions,
  findModules,
  type ModuleSources,
  type SourceModule,
} from './fetch/modules';
export { fetchOriginalSources, findOriginalSources, type OriginalSources } from './fetch/originals';
export { parseLinkTarget } from './formats/link-target';
export { codeOfOsisBook } from './formats/osis';
export { readXml } from './formats/xml';
export { importFiles, removeTranslation } from './import';
export { attributionLine, licenceTerms } from './licences';
export { decodeEntities, type MarkupToken, readAttribute, tokenizeMarkup } from './markup/tokens';
export { buildOfflinePackages, staleOfflinePackages } from './offline/build';
export {
  defaultOfflineTranslations,
  type OfflinePackage,
  type OfflinePackages,
  offlineFileKind,
  openOfflinePackages,
  packageFile,
  packagePath,
  parseOfflineTranslations,
  readOfflineTranslations,
} from './offline/package-list';
export {
  createOfflineRoute,
  defaultDownloadsPerMinute,
  offlineRateSetting,
  serveOfflinePackages,
} from './offline/serve';
export { type Corpus, isCorpusError, openCorpus } from './open-corpus';
export { toIso639 } from './resolve-metadata';
export { digestDictionary, readDictionary } from './sword/dictionary';
export { openCommentary, openModule, type SwordEntry } from './sword/module';
export { readModuleNotes } from './sword/translation';
export { textKind } from './text-file';
export type {
  CorpusVerse,
  DocumentParagraph,
  DraftVerse,
  Translation,
  TranslationBook,
  TranslationDocument,
  TranslationFeature,
  WordTag,
} from './translation';
export { isImportError } from './translation';
