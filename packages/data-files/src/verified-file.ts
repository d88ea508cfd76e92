import { stat, statSync } from 'node:fs';
import { type TranslationFileKind, translationFile } from './folder';
import { checkHeader, computeFileChecksumInSteps, damagedError, fileIdentity, openChecksummedFile } from './open-file';

/** Creates the functions that open a translation's file. They verify each version of the file once. */
export function createVerifiedFile(dataDir: string, kind: TranslationFileKind, identifier: string) {
  const file = translationFile(dataDir, kind, identifier);
  /** The identities (see `fileIdentity`) of the last file with a right checksum, and of the last with a wrong one. */
  let verifiedIdentity: string | null = null;
  let damagedIdentity: string | null = null;
  /** The remaining steps of a verification that is in progress. */
  let verification: Generator<void, void> | null = null;

  /** Returns false if the current file was not verified yet, or is damaged. */
  function isVerified(): boolean {
    if (verifiedIdentity === null) return false;
    try {
      return fileIdentity(statSync(file, { throwIfNoEntry: false })) === verifiedIdentity;
    } catch {
      // A file that cannot be read counts as not verified. `open` throws the error to its caller.
      return false;
    }
  }

  /** Checks only the header of the file. Throws a ChecksummedFileError if the file was found damaged earlier. */
  function check(): void {
    if (checkHeader(file, kind).identity === damagedIdentity) throw damagedError(file);
  }

  function* verify(): Generator<void, void> {
    try {
      const { identity, checksum } = checkHeader(file, kind);
      if (identity === damagedIdentity) return;
      const isIntact = (yield* computeFileChecksumInSteps(file)) === checksum;
      // The identity has changed, so the file was replaced between two steps.
      if (checkHeader(file, kind).identity !== identity) return;
      if (isIntact) verifiedIdentity = identity;
      else damagedIdentity = identity;
    } catch {
      // A file that cannot be read stays unverified. `open` throws the error to its caller.
    }
  }

  /** Verifies the file, and yields between short steps, which concurrent calls share. */
  function* verifyInSteps(): Generator<void, void> {
    if (isVerified()) return;
    verification ??= verify();
    while (verification?.next().done === false) yield;
    verification = null;
  }

  return {
    check,
    isVerified,
    verifyInSteps,
    /** Opens the file like `openChecksummedFile`, but does not verify an unchanged file again. */
    open(onStatement?: (statement: string) => void) {
      const steps = verifyInSteps();
      while (steps.next().done === false);
      check();
      const onWrongChecksum = (identity: string) => void (damagedIdentity = identity);
      const opened = openChecksummedFile(file, kind, { onStatement, identifier, verifiedIdentity, onWrongChecksum });
      verifiedIdentity = opened.identity;
      return opened;
    },
  };
}

export type VerifiedFile = ReturnType<typeof createVerifiedFile>;

const checkMs = 500;

/**
 * Calls `onReplaced` within half a second after a file is replaced, and again at each check while it returns false. The
 * timer does not keep the process running. Call it before you read the file, so that it misses no replacement.
 */
export function watchReplacedFile(file: string, onReplaced: () => boolean) {
  let identity = fileIdentity(statSync(file, { throwIfNoEntry: false }));
  let isClosed = false;

  /** Checks at once. Returns true if the file was replaced and `onReplaced` has returned true. */
  function checkNow(): boolean {
    const found = fileIdentity(statSync(file, { throwIfNoEntry: false }));
    if (isClosed || found === identity) return false;
    const before = identity;
    identity = found;
    const isDone = onReplaced();
    if (!isDone) identity = before;
    return isDone;
  }

  const timer = setInterval(() => stat(file, (_, stats) => fileIdentity(stats) !== identity && checkNow()), checkMs);
  timer.unref();
  return {
    checkNow,
    close(): void {
      isClosed = true;
      clearInterval(timer);
    },
  };
}
