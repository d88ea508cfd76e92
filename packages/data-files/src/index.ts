export { isChecksummedFileError } from './checksummed-file';
export { type LockOptions, withFolderLock } from './folder-lock';
export {
  type ChecksummedFileKind,
  type Manifest,
  type OpenChecksummedFileOptions,
  openChecksummedFile,
  readChecksummedFileManifest,
} from './open-checksummed-file';
export { storeChecksum, writeChecksummedFile } from './write-checksummed-file';
