import { closeSync, fstatSync, openSync, type Stats } from 'node:fs';

/** Opens a file for reading, calls `use`, and closes the file. */
export function withFileHandle<Result>(file: string, use: (handle: number, stats: Stats) => Result): Result {
  const handle = openSync(file, 'r');
  try {
    return use(handle, fstatSync(handle));
  } finally {
    closeSync(handle);
  }
}
