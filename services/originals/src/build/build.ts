import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { OriginalSources } from '@lectern/corpus';
import { fetchOriginalSources, findOriginalSources } from '@lectern/corpus';
import type { FileCheck } from '@lectern/data-files';
import { readChecksummedFileManifest, withFolderLock, writeChecksummedFile } from '@lectern/data-files';
import { lexiconTables, readLexicons, writeLexicons } from '../lexicons/read-lexicons';
import { type OriginalsManifest, originalsFile, originalsIndexes, originalsKind, originalsTables } from '../tables';
import { writeTexts } from './write-texts';

interface SourceOptions {
  /** The data folder. Debian's package is downloaded to its folder `sources`. */
  dataDir: string;
  /** The environment variables. ORIGINALS_PATH names folders that may contain the sources. */
  env?: NodeJS.ProcessEnv;
  /** Additional folders that may contain the sources. By default the folder of the installed package. */
  roots?: readonly string[];
  /** How an existing file is checked: by its size, by its header, or by its whole contents. */
  check?: FileCheck;
}

export interface BuildOriginalsOptions extends SourceOptions {
  /** Called with one line at a time: progress and warnings. */
  log: (line: string) => void;
  now?: () => Date;
}

/**
 * Returns whether originals.sqlite is intact and was made from the sources on this machine. The file stays valid if its
 * sources were removed after the build.
 */
export function isOriginalsUpToDate(options: SourceOptions): boolean {
  const { dataDir, env = process.env, roots, check = 'contents' } = options;
  const manifest = readChecksummedFileManifest(originalsFile(dataDir), originalsKind, check);
  if (!manifest) return false;
  const digest = digestSources(findOriginalSources({ dataDir, env, roots }));
  return digest === '' || manifest.get('sources') === digest;
}

/**
 * Returns a digest of the names, sizes and times of the source files. Their contents are not read, because reading 80
 * MB would slow down each start.
 */
function digestSources(sources: OriginalSources): string {
  if (sources.size === 0) return '';
  const hash = createHash('sha256');
  const add = (path: string, name: string): void => {
    const stats = statSync(path);
    if (stats.isDirectory()) for (const each of readdirSync(path).sort()) add(join(path, each), `${name}/${each}`);
    else hash.update(`${name} ${stats.size} ${stats.mtimeMs}\n`);
  };
  for (const [part, path] of sources) add(path, part);
  return hash.digest('hex');
}

/**
 * Builds originals.sqlite if it is damaged or its sources have changed. Missing sources are fetched first. If there are
 * none, writes a file without texts, so that a machine without network access does not try to fetch them at each start.
 * Resolves with false if nothing was built.
 */
export async function buildOriginals(options: BuildOriginalsOptions): Promise<boolean> {
  const { dataDir, env = process.env, roots, log, now = () => new Date() } = options;
  if (isOriginalsUpToDate(options)) return false;
  const sources = await fetchOriginalSources({ dataDir, env, roots, log });
  return withFolderLock(dataDir, { log }, async () => {
    // Another process may have built the file while this process waited for the lock.
    if (isOriginalsUpToDate(options)) return false;
    const startedAt = performance.now();
    await writeChecksummedFile(originalsFile(dataDir), originalsKind, async (db): Promise<OriginalsManifest> => {
      db.exec(originalsTables + lexiconTables);
      const lexicons = await readLexicons(sources, log);
      writeTexts(db, { sources, lexicons, log });
      writeLexicons(db, lexicons);
      db.exec(originalsIndexes);
      return { sources: digestSources(sources), builtAt: `${now().toISOString().slice(0, 19)}Z` };
    });
    log(`original texts: built in ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
    return true;
  });
}
