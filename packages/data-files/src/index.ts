export {
  type BinaryFileKind,
  readBinaryFile,
  viewAsBytes,
  viewAsNumbers,
  writeBinaryFile,
} from './binary-file';
export {
  type CatalogueKey,
  type CatalogueRow,
  catalogueFile,
  readCatalogueIfUsable,
  readCatalogueKeys,
  readCatalogueKeysIfUsable,
  readCatalogueRows,
} from './catalogue';
export {
  type ChecksummedFileKind,
  checksummedFileError,
  explainWriteError,
  type FileCheck,
  isChecksummedFileError,
  nullIfUnusable,
  unusableFileError,
} from './errors';
export {
  type LockOptions,
  type TranslationFileKind,
  translationFile,
  translationFolder,
  translationFolders,
  unfinishedFiles,
  withFolderLock,
  writeTranslationFile,
} from './folder';
export { fileIdentity, openChecksummedFile, readChecksummedFileManifest } from './open-file';
export {
  createTranslationFileCache,
  defaultTranslationsMemoryBytes,
  isTooManyOpenFiles,
  openTranslationFiles,
  type TranslationFileCache,
  type TranslationFiles,
  type TranslationFilesOptions,
} from './translation-files';
export { createUsableCheck, isFolderChanged, removeTranslationFiles, updateCatalogue } from './update-catalogue';
export { watchReplacedFile } from './verified-file';
export { storeChecksum, writeChecksummedFile } from './write-file';
