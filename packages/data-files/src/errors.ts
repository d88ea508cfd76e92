import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';

export interface ChecksummedFileKind {
  /** The name of the kind in error messages such as `is not a <name> of Lectern`. */
  readonly name: string;
  /** SQLite's application id: four ASCII letters as a number, which tell the kind of a file. */
  readonly applicationId: number;
  /** The version of the tables. Increase it when they change, so that other files are built again. */
  readonly formatVersion: string;
  /** Whether SQLite maps the file: reads are faster, but the pages count as memory of the process. */
  readonly isMemoryMapped?: boolean;
}

/**
 * How thoroughly a file is compared with the catalogue that lists it:
 * - `sizes`: its size, and the header if it is not older than the catalogue. Fast for 1,000 translations.
 * - `headers`: the kind, the size and the stored checksum, in the first 100 bytes.
 * - `contents`: also the checksum of the whole file.
 */
export type FileCheck = 'sizes' | 'headers' | 'contents';

/** A file's table `manifest`: the format version and the writer's entries, such as the build time. */
export type Manifest = ReadonlyMap<string, string>;

const errorName = 'ChecksummedFileError';

/** Creates the error for a data file that cannot be used. The message is one line: the problem, then what to do. */
export const checksummedFileError = (message: string): Error => Object.assign(new Error(message), { name: errorName });

/** Creates the error for a file that must be built again. */
export const unusableFileError = (file: string, problem: string): Error =>
  checksummedFileError(`${file} ${problem}: run \`npm run data\` to make it anew`);

/** Returns whether an error is about a data file. Callers print its message, one line, without a stack trace. */
export const isChecksummedFileError = (error: unknown): error is Error =>
  error instanceof Error && error.name === errorName;

export function nullIfUnusable(error: unknown): null {
  if (isChecksummedFileError(error)) return null;
  throw error;
}

/** Returns the result of `read`, or null if `read` throws a ChecksummedFileError. */
export function ifUsable<Value>(read: () => Value): Value | null {
  try {
    return read();
  } catch (error) {
    return nullIfUnusable(error);
  }
}

const fullDisk = /^(?:SQLITE_FULL|ENOSPC|EDQUOT)$/;
/** The error codes of a failing disk, or of a file above the process's limit (EFBIG, `ulimit -f`). */
const failingDisk = /^(?:EFBIG|EIO|SQLITE_IOERR.*)$/;

const remedy = 'or name a folder on another disk with LECTERN_DATA, then run the command again';

/** Turns the error of a full or failing disk into a line that says what to do. Returns others unchanged. */
export function explainWriteError(file: string, error: unknown, neededBytes: number | null = null): unknown {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code !== 'string') return error;
  if (fullDisk.test(code)) {
    const needed = neededBytes === null ? 'more is needed' : `${megabytes(neededBytes)} are needed`;
    return checksummedFileError(
      `${file} cannot be written, because the disk is full: ${freeSpace(dirname(file))} and ${needed}. Free some space on the disk of that folder, ${remedy}.`,
    );
  }
  if (!failingDisk.test(code)) return error;
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
