import { join } from 'node:path';
import { fetchOptionalModules } from '@lectern/corpus';
import {
  openChecksummedFile,
  readChecksummedFileManifest,
  withFolderLock,
  writeChecksummedFile,
} from '@lectern/data-files';
import type { StrongsManifest } from './concordance-file-formats';
import { strongsFileKind, strongsTables } from './concordance-file-formats';
import { digestLexicon, hasNewDictionary, readLexicon, strongsModules } from './lexicon/read-lexicon';
import type { StrongsEntry } from './strongs-number';
import { strongsLanguage } from './strongs-number';

/** The file with the Strong's dictionaries, which all translations share. */
export const strongsFile = (dataDir: string): string => join(dataDir, 'strongs.sqlite');

export interface BuildStrongsOptions {
  dataDir: string;
  log: (line: string) => void;
  /** SWORD_PATH names folders that may hold Strong's dictionaries. */
  env: NodeJS.ProcessEnv;
  swordRoots?: readonly string[] | undefined;
  now: () => Date;
}

/** Returns true if strongs.sqlite has every dictionary. Then nothing has to be fetched. */
export function hasAllDictionaries(dataDir: string): boolean {
  const manifest = readChecksummedFileManifest(strongsFile(dataDir), strongsFileKind);
  const digests = JSON.parse(manifest?.get('dictionaries') ?? '{}') as Readonly<Record<string, unknown>>;
  return strongsModules().every(({ module }) => module in digests);
}

/**
 * Returns true if strongs.sqlite is intact and made from each dictionary that this machine has. Nothing is fetched.
 */
export function isStrongsUpToDate({
  dataDir,
  env,
  swordRoots,
}: Pick<BuildStrongsOptions, 'dataDir' | 'env' | 'swordRoots'>): boolean {
  const manifest = readChecksummedFileManifest(strongsFile(dataDir), strongsFileKind);
  return manifest !== null && !hasNewDictionary(manifest.get('dictionaries') ?? '{}', { dataDir, env, swordRoots });
}

/**
 * Fetches missing Strong's dictionaries, and builds strongs.sqlite unless it is up to date.
 * Resolves with false if nothing was built. A machine without dictionaries gets a file without entries.
 */
export async function buildStrongsFile(options: BuildStrongsOptions): Promise<boolean> {
  const { dataDir, log, env, swordRoots, now } = options;
  const sources = await fetchOptionalModules(strongsModules(), { dataDir, env, swordRoots, log });
  if (isStrongsUpToDate(options)) return false;
  return withFolderLock(dataDir, { log }, async () => {
    // Another process may have built the file while this process waited for the lock.
    if (isStrongsUpToDate(options)) return false;
    const lexicon = readLexicon(sources);
    for (const letter of lexicon.missingLetters)
      log(
        `warning: Strong's numbers with ${letter} have no dictionary; install it and run \`npm run data\` to add its words`,
      );
    await writeChecksummedFile(strongsFile(dataDir), strongsFileKind, (db): StrongsManifest => {
      db.exec(strongsTables);
      const insert = db.prepare('INSERT INTO lexicon (number, lemma, transliteration, definition) VALUES (?, ?, ?, ?)');
      for (const [number, { lemma, transliteration, definition }] of lexicon.entries)
        insert.run(number, lemma, transliteration, definition);
      return { dictionaries: digestLexicon(sources), builtAt: `${now().toISOString().slice(0, 19)}Z` };
    });
    if (lexicon.entries.size > 0) log(`Strong's dictionaries: ${lexicon.entries.size} words`);
    return true;
  });
}

/**
 * Reads the entries of the dictionaries. The 14,000 entries take a few megabytes of memory. `Verse.words` needs an entry
 * for every word. Throws a ChecksummedFileError if the file cannot be used.
 */
export function readStrongsEntries(dataDir: string): ReadonlyMap<string, StrongsEntry> {
  const { db } = openChecksummedFile(strongsFile(dataDir), strongsFileKind);
  try {
    const rows = db
      .prepare<[], Omit<StrongsEntry, 'language'>>('SELECT number, lemma, transliteration, definition FROM lexicon')
      .all();
    return new Map(rows.map((entry) => [entry.number, { ...entry, language: strongsLanguage(entry.number) }]));
  } finally {
    db.close();
  }
}
