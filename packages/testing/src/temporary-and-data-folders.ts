import { linkSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The repository's root. The path is correct both from `src` and from `dist`. */
export const repositoryRoot = join(__dirname, '..', '..', '..');

/** The default translations and their indexes, which `npm test` builds before the tests run. */
export const dataDir = join(repositoryRoot, 'data');

/** Calls `use` with an empty temporary folder and removes the folder afterwards. */
export async function withFolder<T>(use: (folder: string) => Promise<T> | T): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Replaces a file by a rename, so that a process that reads the file gets the old or the new text, never a part. */
export function replaceFile(file: string, text: string): void {
  writeFileSync(`${file}.part`, text);
  renameSync(`${file}.part`, file);
}

/** Returns whether a file of the data folder is a data file, and not a key store or a source of an import. */
const isDataFile = (name: string): boolean =>
  /\.(sqlite|sqlite\.gz|vec)$/.test(name) && name !== 'keys.sqlite' && !name.startsWith('sources');

/**
 * Hard-links the data files into this folder, so that a process that starts there builds nothing.
 * `isWanted` may select some of the files by their path below the data folder.
 */
export function linkData(folder: string, isWanted: (name: string) => boolean = () => true): void {
  for (const name of readdirSync(dataDir, { recursive: true, encoding: 'utf8' })) {
    if (!isDataFile(name) || !isWanted(name)) continue;
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    linkSync(join(dataDir, name), join(folder, name));
  }
}

/** Hard-links the texts of the default translations, without any index, into this folder. */
export const linkTexts = (folder: string): void => linkData(folder, (name) => /text(-catalogue)?\.sqlite$/.test(name));
