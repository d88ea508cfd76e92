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
export { explainWriteError } from './explain-write-error';
export { fileIdentity } from './file-identity';
export { type LockOptions, unfinishedFiles, withFolderLock } from './folder-lock';
export {
  type OpenChecksummedFileOptions,
  openChecksummedFile,
  readChecksummedFileManifest,
} from './open-checksummed-file';
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
} from './read-translation-catalogue';
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
} from './update-catalogue';
export { storeChecksum, writeChecksummedFile } from './write-checksummed-file';
