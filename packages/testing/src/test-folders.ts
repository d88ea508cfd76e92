import { linkSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The repository's root. The path is correct both from `src` and from `dist`. */
export const repositoryRoot = join(__dirname, '..', '..', '..');

/** The data folder with the default translations and their indexes. `npm test` builds it before the tests run. */
export const dataDir = join(repositoryRoot, 'data');
export const corpusFile = join(dataDir, 'corpus.sqlite');

/** Calls `use` with an empty temporary folder and removes the folder afterwards. */
export async function withFolder<T>(use: (folder: string) => Promise<T> | T): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Hard-links the data files into this folder, so that a process that starts there builds nothing. The keys are left out. */
export function linkData(folder: string): void {
  for (const name of readdirSync(dataDir).filter(
    (each) => /\.(sqlite|vec|words)$/.test(each) && each !== 'keys.sqlite',
  ))
    linkSync(join(dataDir, name), join(folder, name));
}
