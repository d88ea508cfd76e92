import { createHash } from 'node:crypto';
import { readSync } from 'node:fs';
import { sqliteHeaderSize } from './sqlite-header';
import { withFileHandle } from './with-file-handle';

const readSize = 1 << 18;

/**
 * Computes a 31-bit checksum over the whole file except SQLite's 100-byte header.
 * The checksum itself is stored in the header, in `user_version`. It reveals a lost or changed byte
 * before the first query. Reading the file takes about a millisecond per megabyte.
 */
export function computeFileChecksum(file: string): number {
  const steps = computeFileChecksumInSteps(file);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/**
 * Computes the checksum like `computeFileChecksum`. Yields after each 256 kB, which take a quarter
 * of a millisecond.
 */
export function* computeFileChecksumInSteps(file: string): Generator<void, number> {
  const hash = createHash('sha256');
  const chunk = Buffer.allocUnsafe(readSize);
  for (let position = sqliteHeaderSize; ; ) {
    const from = position;
    // Each step opens and closes the file, so that no file stays open if the caller never takes the
    // last step.
    const bytesRead = withFileHandle(file, (handle) => readSync(handle, chunk, 0, chunk.length, from));
    if (bytesRead === 0) return hash.digest().readUInt32BE(0) & 0x7fffffff;
    hash.update(chunk.subarray(0, bytesRead));
    position += bytesRead;
    yield;
  }
}
