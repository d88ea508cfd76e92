export {
  type AllocateSection,
  type BinaryFile,
  type BinaryFileKind,
  readBinaryFile,
  unusableFileError,
  viewAsBytes,
  viewAsNumbers,
  writeBinaryFile,
} from './binary-file';
export { type ChecksummedFileKind, isChecksummedFileError, type Manifest } from './checksummed-file';
export { type LockOptions, withFolderLock } from './folder-lock';
export {
  type OpenChecksummedFileOptions,
  openChecksummedFile,
  readChecksummedFileManifest,
} from './open-checksummed-file';
export { storeChecksum, writeChecksummedFile } from './write-checksummed-file';
export { writeError } from './write-error';
