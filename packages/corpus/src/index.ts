export { listTranslations } from './build';
export { type CommandIo, runCorpusCommand } from './command';
export { type EnsureOptions, ensureCorpus } from './ensure-corpus';
export { fetchOptionalModules } from './fetch/find-or-download-optional-modules';
export {
  digestModules,
  type FetchOptions,
  findModules,
  type ModuleSources,
  type SourceModule,
} from './fetch/modules';
export { codeOfOsisBook } from './formats/osis-books';
export { type ImportOptions, importFiles, removeTranslation } from './import';
export { isImportError } from './import-errors-and-remarks';
export {
  type BuildIndex,
  buildIndexes,
  defaultJobs,
  runIndexBuilder,
  staleIndexes,
} from './indexes';
export { decodeEntities, type MarkupToken, readAttribute, tokenizeMarkup } from './markup/tokens';
export { buildOfflinePackages, staleOfflinePackages } from './offline/build';
export {
  type OfflinePackage,
  offlineFileKind,
  packageFile,
  packagePath,
} from './offline/list';
export {
  defaultOfflineTranslations,
  parseOfflineTranslations,
  readOfflineTranslations,
} from './offline/offline-translations-setting';
export { type OfflinePackages, openOfflinePackages } from './offline/open-offline-package-lists';
export { type Corpus, isCorpusError, type OpenCorpusOptions, openCorpus } from './open';
export { type DictionaryEntry, digestDictionary, readDictionary } from './sword/dictionary';
export { openCommentary, openModule, type SwordEntry, type SwordModule } from './sword/module';
export { findConf, readConf, type SwordConf } from './sword/module-conf';
export { readModuleNotes } from './sword/translation';
export { standardVerseCounts } from './sword/versification';
export { textKind } from './text-sqlite-tables';
export type {
  CorpusVerse,
  Licence,
  Translation,
  TranslationBook,
  TranslationFeature,
  TranslationSource,
  WordTag,
} from './translation';
