export { corpusFile } from './corpus-schema';
export { type EnsureOptions, ensureCorpus } from './ensure-corpus';
export { fetchOptionalModules } from './fetch/fetch-optional-modules';
export { type FetchOptions, findModules, type ModuleSources, type SourceModule } from './fetch/find-modules';
export { type ImportOptions, importFiles } from './import-files';
export { isImportError } from './import-messages';
export { type Corpus, isCorpusError, type OpenCorpusOptions, openCorpus } from './open-corpus';

export { findConf, readConf, type SwordConf } from './sword/module-conf';
export type { CorpusVerse, Translation, TranslationBook, TranslationSource, WordTag } from './translation';
