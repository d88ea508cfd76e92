export { type LockOptions, withFolderLock } from './folder-lock';
export { type Manifest, type OpenSealedOptions, openSealed, readSealedManifest, type SealedKind } from './open-sealed';
export { isSealedError } from './sealed-error';
export { sealFile, writeSealed } from './write-sealed';
