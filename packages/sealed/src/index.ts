export { withFolderLock, type LockOptions } from './folder-lock';
export { isSealedError } from './sealed-error';
export { openSealed, readSealedManifest, type Manifest, type OpenSealedOptions, type SealedKind } from './open-sealed';
export { sealFile, writeSealed } from './write-sealed';
