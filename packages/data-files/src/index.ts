export { type BinaryFileKind, readBinaryFile, viewAsBytes, viewAsNumbers, writeBinaryFile } from './binary-file';
export type { CatalogueKey, CatalogueRow } from './catalogue';
export {
  catalogueFile,
  createUsableCheck,
  isFolderChanged,
  readCatalogueIfUsable,
  readCatalogueKeys,
  readCatalogueKeysIfUsable,
  readCatalogueRows,
  removeTranslationFiles,
  updateCatalogue,
} from './catalogue';
export type { ChecksummedFileKind, FileCheck } from './errors';
export {
  checksummedFileError,
  explainWriteError,
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
export type { TranslationFileCache, TranslationFiles, TranslationFilesOptions } from './translation-files';
export {
  createTranslationFileCache,
  defaultTranslationsMemoryBytes,
  isTooManyOpenFiles,
  openTranslationFiles,
} from './translation-files';
export { watchReplacedFile } from './verified-file';
export { formatBuildTime, secondsSince, storeChecksum, writeChecksummedFile } from './write-file';
