import { dirname } from 'node:path';
import type { Corpus } from '@lectern/corpus';
import { fetchOptionalModules, openCorpus } from '@lectern/corpus';
import { readChecksummedFileManifest, withFolderLock, writeChecksummedFile } from '@lectern/data-files';
import type { Database } from 'better-sqlite3';
import { buildTranslationIndex } from './build-translation-index';
import type { ConcordanceManifest } from './concordance-schema';
import { concordanceFileKind, concordanceTables } from './concordance-schema';
import type { Lexicon } from './lexicon/read-lexicon';
import { digestLexicon, hasNewDictionary, readLexicon, strongsModules } from './lexicon/read-lexicon';

export interface BuildConcordanceIndexOptions {
  /** The path of corpus.sqlite. */
  corpusFile: string;
  /**
   * The path of concordance.sqlite. Dictionaries are fetched into the folder `sources` beside it.
   */
  concordanceFile: string;
  /** Called with one line at a time: progress and warnings. */
  log: (line: string) => void;
  /** SWORD_PATH names folders that may hold Strong's dictionaries. */
  env?: NodeJS.ProcessEnv;
  /** Further folders that may hold Strong's dictionaries. By default those where the system installs modules. */
  swordRoots?: readonly string[];
  now?: () => Date;
}

/**
 * Builds concordance.sqlite from the corpus and Strong's dictionaries, and replaces the old file.
 * Resolves with false, and changes nothing, if the file is up to date:
 * intact, made from this corpus and from each dictionary that this machine has.
 *
 * Missing dictionaries are fetched before a build only, so that a machine without network access
 * builds without them and does not try again at each start.
 */
export async function buildConcordanceIndex({
  corpusFile,
  concordanceFile,
  log,
  env = process.env,
  swordRoots,
  now = () => new Date(),
}: BuildConcordanceIndexOptions): Promise<boolean> {
  const corpus = openCorpus(corpusFile);
  try {
    const dataDir = dirname(concordanceFile);
    const isUpToDate = (): boolean => {
      const manifest = readChecksummedFileManifest(concordanceFile, concordanceFileKind);
      return (
        manifest?.get('corpusDigest') === corpus.manifest.digest &&
        !hasNewDictionary(manifest.get('dictionaries') ?? '{}', { dataDir, env, swordRoots })
      );
    };
    if (isUpToDate()) return false;
    const sources = await fetchOptionalModules(strongsModules(), { dataDir, env, swordRoots, log });
    return await withFolderLock(dataDir, { log }, async () => {
      // Another process may have built the file while this process waited for the lock.
      if (isUpToDate()) return false;
      const lexicon = readLexicon(sources);
      await writeChecksummedFile(concordanceFile, concordanceFileKind, (db): ConcordanceManifest => {
        writeTables(db, corpus, lexicon, log);
        return {
          corpusDigest: corpus.manifest.digest,
          dictionaries: digestLexicon(sources),
          builtAt: `${now().toISOString().slice(0, 19)}Z`,
        };
      });
      return true;
    });
  } finally {
    corpus.close();
  }
}

function writeTables(db: Database, corpus: Corpus, lexicon: Lexicon, log: (line: string) => void): void {
  db.exec(concordanceTables);
  for (const letter of lexicon.missingLetters)
    log(
      `warning: Strong's numbers with ${letter} have no dictionary; install it and run \`npm run data\` to add its words`,
    );
  for (const [index, translation] of corpus.translations.entries()) {
    const startedAt = performance.now();
    const { words, stems } = buildTranslationIndex(db, corpus, translation, index + 1);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    log(`concordance of ${translation.identifier}: ${words} words under ${stems} stems in ${seconds} s`);
  }
  const insertEntry = db.prepare(
    'INSERT INTO lexicon (number, lemma, transliteration, definition) VALUES (?, ?, ?, ?)',
  );
  for (const [number, entry] of lexicon.entries)
    insertEntry.run(number, entry.lemma, entry.transliteration, entry.definition);
  if (lexicon.entries.size > 0) log(`Strong's dictionaries: ${lexicon.entries.size} words`);
}
