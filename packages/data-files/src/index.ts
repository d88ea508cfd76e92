export {
  type BinaryFileKind,
  readBinaryFile,
  viewAsBytes,
  viewAsNumbers,
  writeBinaryFile,
} from './binary';
export { createTranslationFileCache, defaultTranslationsMemoryBytes, type TranslationFileCache } from './cache';
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
export { openChecksummedFile, readChecksummedFileManifest } from './open';
export { openTranslationFiles, type TranslationFiles, type TranslationFilesOptions } from './translations';
export { createUsableCheck, isFolderChanged, removeTranslationFiles, updateCatalogue } from './update';
export { storeChecksum, writeChecksummedFile } from './write';
