import { linkSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The repository's root, seen from source and from dist alike. */
export const repositoryRoot = join(__dirname, '..', '..', '..');

/** The real texts and indexes, which `npm test` builds before the tests run. */
export const dataDir = join(repositoryRoot, 'data');
export const corpusFile = join(dataDir, 'corpus.sqlite');

/** An empty folder for the length of `use`. */
export async function withFolder<T>(use: (folder: string) => Promise<T> | T): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The texts and indexes in this folder, so that a start there has nothing to build. */
export function linkData(folder: string): void {
  for (const name of readdirSync(dataDir).filter(
    (each) => /\.(sqlite|vec|words)$/.test(each) && each !== 'keys.sqlite',
  ))
    linkSync(join(dataDir, name), join(folder, name));
}
