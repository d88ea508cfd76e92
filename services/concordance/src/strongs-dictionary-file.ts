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

/** Returns the path of the file with Strong's dictionaries, which all translations share. */
export const strongsFile = (dataDir: string): string => join(dataDir, 'strongs.sqlite');

export interface BuildStrongsOptions {
  dataDir: string;
  log: (line: string) => void;
  /** The environment variables. SWORD_PATH names folders that may hold Strong's dictionaries. */
  env: NodeJS.ProcessEnv;
  swordRoots?: readonly string[] | undefined;
  now: () => Date;
}

/**
 * Returns true if strongs.sqlite was made from the Hebrew and the Greek dictionary. Then no
 * dictionary has to be fetched.
 */
export function hasAllDictionaries(dataDir: string): boolean {
  const manifest = readChecksummedFileManifest(strongsFile(dataDir), strongsFileKind);
  const digests = JSON.parse(manifest?.get('dictionaries') ?? '{}') as Readonly<Record<string, unknown>>;
  return strongsModules().every(({ module }) => module in digests);
}

/**
 * Returns true if strongs.sqlite is intact and was made from the present version of each dictionary
 * that this machine has. Fetches nothing.
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
 * Resolves with false if the file was up to date. A machine without dictionaries gets a file
 * without entries.
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
 * Reads all entries of the dictionaries into memory, because `Verse.words` looks up an entry for
 * every word. The 14,000 entries take a few megabytes. Throws a ChecksummedFileError if the file
 * cannot be used.
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
