export { listTranslations } from './build-default-translations';
export {
  type BuildIndex,
  buildIndexes,
  defaultJobs,
  runIndexBuilder,
  staleIndexes,
} from './build-missing-or-stale-indexes';
export { type CommandIo, runCorpusCommand } from './corpus-command';
export { type EnsureOptions, ensureCorpus } from './ensure-corpus';
export {
  digestModules,
  type FetchOptions,
  findModules,
  type ModuleSources,
  type SourceModule,
} from './fetch/find-and-install-modules-on-disk';
export { fetchOptionalModules } from './fetch/find-or-download-optional-modules';
export { codeOfOsisBook } from './formats/osis-books';
export { isImportError } from './import-errors-and-remarks';
export { type ImportOptions, importFiles, removeTranslation } from './import-files';
export { buildOfflinePackages, staleOfflinePackages } from './offline/build-offline-packages';
export {
  type OfflinePackage,
  offlineFileKind,
  packageFile,
  packagePath,
} from './offline/offline-package-entries-and-paths';
export {
  defaultOfflineTranslations,
  parseOfflineTranslations,
  readOfflineTranslations,
} from './offline/offline-translations-setting';
export { type OfflinePackages, openOfflinePackages } from './offline/open-offline-package-lists';
export { type Corpus, isCorpusError, type OpenCorpusOptions, openCorpus } from './open-corpus';
export { findConf, readConf, type SwordConf } from './sword/module-conf';
export { openCommentary, openModule, type SwordEntry, type SwordModule } from './sword/open-verse-module';
export { type DictionaryEntry, digestDictionary, readDictionary } from './sword/read-dictionary';
export { readModuleNotes } from './sword/read-sword-translation';
export { standardVerseCounts } from './sword/versification';
export { textKind } from './text-sqlite-tables';
export { decodeEntities, type MarkupToken, readAttribute, tokenizeMarkup } from './tokenize-markup';
export type {
  CorpusVerse,
  Licence,
  Translation,
  TranslationBook,
  TranslationFeature,
  TranslationSource,
  WordTag,
} from './translation-types';
