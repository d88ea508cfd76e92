import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type LockOptions, withFolderLock } from '@lectern/data-files';
import { convertOldDataFiles } from './convert-old-data-files';

/** The suffix of files and folders that are being downloaded or unpacked. */
export const partSuffix = '.part';

/**
 * Runs `work` while this process holds the lock of the data folder (`withFolderLock`).
 * Before `work` starts, unfinished downloads of killed processes are deleted, and data files of an
 * earlier version of Lectern are converted.
 */
export function withDataLock<Result>(
  dataDir: string,
  options: LockOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  return withFolderLock(dataDir, options, async () => {
    const sources = join(dataDir, 'sources');
    for (const name of entriesOf(sources))
      if (name.endsWith(partSuffix)) rmSync(join(sources, name), { recursive: true, force: true });
    await convertOldDataFiles(dataDir, options.log);
    return work();
  });
}

function entriesOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
