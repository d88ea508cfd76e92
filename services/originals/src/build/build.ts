import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fetchOriginalSources, findOriginalSources, type OriginalSources } from '@lectern/corpus';
import {
  type FileCheck,
  formatBuildTime,
  readChecksummedFileManifest,
  secondsSince,
  withFolderLock,
  writeChecksummedFile,
} from '@lectern/data-files';
import { lexiconTables, readLexicons, writeLexicons } from '../lexicons/read-lexicons';
import { type OriginalsManifest, originalsFile, originalsIndexes, originalsKind, originalsTables } from '../tables';
import { writeTexts } from './write-texts';

interface SourceOptions {
  /** The data folder. The Debian package with the sources is downloaded to its subfolder `sources`. */
  dataDir: string;
  /** The environment variables. ORIGINALS_PATH names folders that may contain the sources. */
  env?: NodeJS.ProcessEnv;
  /** Further folders that may contain the sources. By default the folder of the installed Debian package. */
  roots?: readonly string[];
  /** How an existing file is checked: by its size, by its header, or by its whole contents. */
  check?: FileCheck;
}

export interface BuildOriginalsOptions extends SourceOptions {
  /** Receives progress and warnings, one line at a time. */
  log: (line: string) => void;
  now?: () => Date;
}

/** Returns whether originals.sqlite is intact and made from the sources here. It stays valid if these are removed. */
export function isOriginalsUpToDate(options: SourceOptions): boolean {
  const { dataDir, env = process.env, roots, check = 'contents' } = options;
  const manifest = readChecksummedFileManifest(originalsFile(dataDir), originalsKind, check);
  if (!manifest) return false;
  const digest = digestSources(findOriginalSources({ dataDir, env, roots }));
  return digest === '' || manifest.get('sources') === digest;
}

/** Digests names, sizes and times of the sources. Reading their 80 MB of contents would slow down each start. */
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
 * Downloads missing sources first. Without any, writes a file without texts, so that a machine without network access
 * does not try again at each start. Resolves with false if the file is intact and its sources have not changed.
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
      return { sources: digestSources(sources), builtAt: formatBuildTime(now()) };
    });
    log(`original texts: built in ${secondsSince(startedAt)} s`);
    return true;
  });
}
