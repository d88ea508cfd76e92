import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type LockOptions, withFolderLock } from '@lectern/data-files';

/** What is still being fetched or unpacked ends so. */
export const partSuffix = '.part';

/** One process at a time fetches sources or makes files of them; what one that was cut off left half fetched goes first. */
export function withDataLock<Result>(
  dataDir: string,
  options: LockOptions,
  work: () => Promise<Result>,
): Promise<Result> {
  return withFolderLock(dataDir, options, () => {
    const sources = join(dataDir, 'sources');
    for (const name of entriesOf(sources))
      if (name.endsWith(partSuffix)) rmSync(join(sources, name), { recursive: true, force: true });
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
