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
export { fileIdentity } from './checksum';
export {
  type ChecksummedFileKind,
  checksummedFileError,
  explainWriteError,
  type FileCheck,
  isChecksummedFileError,
  nullIfUnusable,
  unusableFileError,
} from './errors';
export { createTranslationFileCache, defaultTranslationsMemoryBytes, type TranslationFileCache } from './file-cache';
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
export { openChecksummedFile, readChecksummedFileManifest } from './open-file';
export {
  isTooManyOpenFiles,
  openTranslationFiles,
  type TranslationFiles,
  type TranslationFilesOptions,
} from './translation-files';
export { createUsableCheck, isFolderChanged, removeTranslationFiles, updateCatalogue } from './update-catalogue';
export { watchReplacedFile } from './verified-file';
export { storeChecksum, writeChecksummedFile } from './write-file';
