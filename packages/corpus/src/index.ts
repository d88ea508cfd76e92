export { type EnsureOptions, ensureCorpus, listTranslations } from './build';
export { type CommandIo, runCorpusCommand } from './command';
export { digestModules, type FetchOptions, findModules, type ModuleSources, type SourceModule } from './fetch/modules';
export { fetchOptionalModules } from './fetch/sources';
export { codeOfOsisBook } from './formats/osis';
export { type ImportOptions, importFiles, removeTranslation } from './import';
export { type BuildIndex, buildIndexes, defaultJobs, runIndexBuilder, staleIndexes } from './indexes';
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
} from './offline/list';
export { type Corpus, isCorpusError, type OpenCorpusOptions, openCorpus } from './open';
export { type DictionaryEntry, digestDictionary, readDictionary } from './sword/dictionary';
export {
  findConf,
  openCommentary,
  openModule,
  readConf,
  type SwordConf,
  type SwordEntry,
  type SwordModule,
} from './sword/module';
export { readModuleNotes } from './sword/translation';
export { standardVerseCounts } from './sword/versification';
export { textKind } from './text-file';
export {
  type CorpusVerse,
  isImportError,
  type Licence,
  type Translation,
  type TranslationBook,
  type TranslationFeature,
  type TranslationSource,
  type WordTag,
} from './translation';
