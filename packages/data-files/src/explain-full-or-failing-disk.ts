import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { checksummedFileError } from './errors';

const fullCodes: ReadonlySet<string> = new Set(['SQLITE_FULL', 'ENOSPC', 'EDQUOT']);
/** EFBIG means that the file exceeds the process's limit on file sizes (`ulimit -f`). */
const failureCodes = /^(?:EFBIG|EIO|SQLITE_IOERR.*)$/;

const remedy = 'or name a folder on another disk with LECTERN_DATA, then run the command again';

/**
 * If the disk is full or fails, or the file exceeds the limit on file sizes, returns an error of
 * one line that names the file and says what to do. Returns any other error of a write unchanged.
 * `neededBytes` is the size of the file, if it is known.
 */
export function explainWriteError(file: string, error: unknown, neededBytes: number | null = null): unknown {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code !== 'string') return error;
  if (fullCodes.has(code)) {
    const needed = neededBytes === null ? 'more is needed' : `${megabytes(neededBytes)} are needed`;
    return checksummedFileError(
      `${file} cannot be written, because the disk is full: ${freeSpace(dirname(file))} and ${needed}. Free some space on the disk of that folder, ${remedy}.`,
    );
  }
  if (!failureCodes.test(code)) return error;
  return checksummedFileError(
    `${file} cannot be written (${String(message)}, ${code}). Check the disk and the limit on file sizes (ulimit -f), ${remedy}.`,
  );
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

function freeSpace(folder: string): string {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return `${megabytes(bavail * bsize)} are free in ${folder}`;
  } catch {
    return `little is free in ${folder}`;
  }
}
