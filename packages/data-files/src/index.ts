export {
  type AllocateSection,
  type BinaryFile,
  type BinaryFileKind,
  readBinaryFile,
  unusableFileError,
  viewAsBytes,
  viewAsNumbers,
  writeBinaryFile,
} from './checksummed-binary-file';
export {
  type ChecksummedFileKind,
  checksummedFileError,
  type FileCheck,
  isChecksummedFileError,
  type Manifest,
  nullIfUnusable,
} from './checksummed-file-types-and-errors';
export { explainWriteError } from './explain-full-or-failing-disk';
export { fileIdentity } from './file-identity';
export { type LockOptions, unfinishedFiles, withFolderLock } from './folder-lock-and-unfinished-files';
export {
  type OpenChecksummedFileOptions,
  openChecksummedFile,
  readChecksummedFileManifest,
} from './open-checksummed-sqlite-file';
export { openTranslationFiles, type TranslationFiles, type TranslationFilesOptions } from './open-translation-files';
export {
  type CatalogueKey,
  type CatalogueRow,
  catalogueFile,
  datasetVersionOf,
  readCatalogueIfUsable,
  readCatalogueKeys,
  readCatalogueKeysIfUsable,
  readCatalogueRows,
} from './read-sqlite-translation-catalogue';
export {
  createTranslationFileCache,
  defaultTranslationsMemoryBytes,
  type TranslationFileCache,
} from './translation-file-cache';
export {
  type TranslationFileKind,
  type TranslationManifest,
  translationFile,
  translationFolder,
  translationFolders,
  writeTranslationFile,
} from './translation-file-paths-and-writer';
export {
  createUsableCheck,
  isFolderChanged,
  readRow,
  removeTranslationFiles,
  updateCatalogue,
} from './update-catalogue-from-folders';
export { storeChecksum, writeChecksummedFile } from './write-checksummed-file';
