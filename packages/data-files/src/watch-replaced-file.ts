import { stat, statSync } from 'node:fs';
import { fileIdentity } from './file-identity';

const checkMs = 500;

/**
 * Checks twice a second whether a file was replaced, and calls `onReplaced` if it was. The timer
 * does not keep the process running. Call this function before reading the file: then a replacement
 * between both calls is noticed too.
 */
export function watchReplacedFile(file: string, onReplaced: () => void) {
  let identity = fileIdentity(statSync(file, { throwIfNoEntry: false }));
  let isClosed = false;

  /** Calls `onReplaced` and returns true if the file was replaced since the last check. */
  function checkNow(): boolean {
    const found = fileIdentity(statSync(file, { throwIfNoEntry: false }));
    if (isClosed || found === identity) return false;
    identity = found;
    onReplaced();
    return true;
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
