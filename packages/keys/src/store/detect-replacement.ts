import { rmSync, statSync } from 'node:fs';
import { createOutageReporter, errorMessage, type Logger } from '@lectern/serving';
import { KeyStoreUnavailableError } from '../types';

/** The time between two checks of the files, in milliseconds. A check takes a few microseconds. */
const checkIntervalMs = 100;

/** Checks whether the open files are still at their paths. Must be called after SQLite's first read. */
export function createReplacedFileCheck(file: string, log: Logger) {
  const [walFile, shmFile] = [`${file}-wal`, `${file}-shm`];
  const opened = new Map([file, walFile, shmFile].map((path) => [path, identityOf(path)]));
  const isOpened = (path: string): boolean => {
    const identity = identityOf(path);
    return identity !== null && identity === opened.get(path);
  };
  const reasonToReject = (): string | null => {
    try {
      if (isOpened(file) && isOpened(walFile)) return null;
      return `The key store ${file} was replaced or removed while it was open. Stop every process that uses it, delete ${walFile} and ${shmFile}, then start again.`;
    } catch (error) {
      return `The key store ${file} cannot be checked (${errorMessage(error)}). Check the permissions of its folder.`;
    }
  };
  let reason: string | null = null;
  let checkedAt = performance.now();
  const outage = createOutageReporter(log, {
    began: 'the key store is unavailable: requests and pages that need it are rejected with 503',
    ended: 'the key store is available again',
  });
  return {
    /** Throws a KeyStoreUnavailableError if a file was replaced: SQLite would miss revocations in the new files. */
    rejectIfReplaced(): void {
      const now = performance.now();
      if (now - checkedAt >= checkIntervalMs) {
        checkedAt = now;
        reason = reasonToReject();
      }
      if (reason === null) return outage.end();
      outage.begin(reason);
      throw new KeyStoreUnavailableError(reason);
    },
    /** Returns whether the files are in place, and false if this cannot be checked. */
    isInPlace(): boolean {
      try {
        return isOpened(file);
      } catch {
        return false;
      }
    },
    /**
     * Deletes the side files, because SQLite would apply the old -wal file to the new file. Spares those of another
     * process.
     */
    deleteSideFiles(): void {
      for (const path of [walFile, shmFile]) if (isOpened(path)) rmSync(path, { force: true });
    },
  };
}

function identityOf(file: string): string | null {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.dev} ${found.ino}` : null;
}
