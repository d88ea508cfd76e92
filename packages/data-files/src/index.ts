export {
  type AllocateSection,
  type BinaryFile,
  type BinaryFileKind,
  readBinaryFile,
  unusableFileError,
  viewAsBytes,
  viewAsNumbers,
  writeBinaryFile,
} from './binary';
export {
  createTranslationFileCache,
  defaultTranslationsMemoryBytes,
  type TranslationFileCache,
} from './cache';
export {
  type CatalogueKey,
  type CatalogueRow,
  catalogueFile,
  datasetVersionOf,
  readCatalogueIfUsable,
  readCatalogueKeys,
  readCatalogueKeysIfUsable,
  readCatalogueRows,
} from './catalogue';
export {
  type ChecksummedFileKind,
  checksummedFileError,
  type FileCheck,
  isChecksummedFileError,
  type Manifest,
  nullIfUnusable,
} from './errors';
export { explainWriteError } from './explain-full-or-failing-disk';
export { fileIdentity } from './file-identity';
export { type LockOptions, unfinishedFiles, withFolderLock } from './folder';
export {
  type OpenChecksummedFileOptions,
  openChecksummedFile,
  readChecksummedFileManifest,
} from './open';
export {
  type TranslationFileKind,
  type TranslationManifest,
  translationFile,
  translationFolder,
  translationFolders,
  writeTranslationFile,
} from './translation-file-paths-and-writer';
export { openTranslationFiles, type TranslationFiles, type TranslationFilesOptions } from './translations';
export {
  createUsableCheck,
  isFolderChanged,
  readRow,
  removeTranslationFiles,
  updateCatalogue,
} from './update';
export { storeChecksum, writeChecksummedFile } from './write';
