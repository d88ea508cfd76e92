import { statSync } from 'node:fs';
import type { Logger } from '@lectern/serving';
import { createOutageReporter } from '@lectern/serving';
import { KeyStoreUnavailableError } from '../keys-types';

/** The time between two checks of the file, in milliseconds. A check takes a few microseconds. */
const checkIntervalMs = 100;

/**
 * Returns a function that throws a KeyStoreUnavailableError if another file has the path of the open
 * file, or none. SQLite goes on with the open file, so it would see no revocation in the new file.
 */
export function createReplacedFileCheck(file: string, log: Logger): () => void {
  const opened = identityOf(file);
  let isSame = true;
  let checkedAt = performance.now();
  const outage = createOutageReporter(log, {
    began: 'the key store is unavailable: requests and pages that need it are rejected with 503',
    ended: 'the key store is available again',
  });
  return () => {
    const now = performance.now();
    if (now - checkedAt >= checkIntervalMs) {
      checkedAt = now;
      isSame = identityOf(file) === opened;
    }
    if (isSame) return outage.end();
    const error = new KeyStoreUnavailableError(
      `The key store ${file} was replaced or removed while it was open. Restart this process, so that it opens the file that is there now.`,
    );
    outage.begin(error);
    throw error;
  };
}

/** Returns the device and the inode of the file. Returns null if there is no file. */
function identityOf(file: string): string | null {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.dev} ${found.ino}` : null;
}
