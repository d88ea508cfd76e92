import { type Stats, stat, statSync } from 'node:fs';

const checkMs = 500;

const identityOf = (stats: Stats | undefined): string => (stats ? `${stats.ino} ${stats.size} ${stats.mtimeMs}` : '');

/**
 * Looks twice a second whether a file was replaced, and calls `onReplaced` then. The timer does not keep the process
 * running. A file that is replaced after this call is never missed, so call it before the file is read.
 */
export function watchReplacedFile(file: string, onReplaced: () => void) {
  let identity = identityOf(statSync(file, { throwIfNoEntry: false }));
  let isClosed = false;

  /** Returns false if the file was not replaced since the last look. */
  function checkNow(): boolean {
    const found = identityOf(statSync(file, { throwIfNoEntry: false }));
    if (isClosed || found === identity) return false;
    identity = found;
    onReplaced();
    return true;
  }

  const timer = setInterval(() => stat(file, (_, stats) => identityOf(stats) !== identity && checkNow()), checkMs);
  timer.unref();
  return {
    checkNow,
    close(): void {
      isClosed = true;
      clearInterval(timer);
    },
  };
}
