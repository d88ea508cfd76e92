export { corpusFile } from './build';
export type { CorpusVerse, Edition, EditionBook, EditionSource, WordTag } from './edition';
export { ensureCorpus, type EnsureOptions } from './ensure-corpus';
export { isImportError } from './import-error';
export { isCorpusError, openCorpus, type Corpus, type OpenCorpusOptions } from './reader';
