import { dirname } from 'node:path';
import type { Corpus } from '@lectern/corpus';
import { ensureModules, openCorpus } from '@lectern/corpus';
import { readChecksummedFileManifest, withFolderLock, writeChecksummedFile } from '@lectern/data-files';
import type Database from 'better-sqlite3';
import { buildTranslationIndex } from './build-translation-index';
import type { ConcordanceManifest } from './concordance-file';
import { concordanceFileKind, concordanceTables } from './concordance-file';
import type { Lexicon } from './lexicon/read-lexicon';
import { digestLexicon, findNewDictionary, readLexicon, strongsModules } from './lexicon/read-lexicon';

export interface BuildConcordanceIndexOptions {
  /** The path of corpus.sqlite. */
  corpusFile: string;
  /** The path of concordance.sqlite. Dictionaries are fetched into the folder `sources` beside it. */
  concordanceFile: string;
  /** Called with one line at a time: progress and warnings. */
  log: (line: string) => void;
  /** SWORD_PATH names folders that may hold Strong's dictionaries. */
  env?: NodeJS.ProcessEnv;
  now?: () => Date;
}

/**
 * Sees to it that the index is there and belongs to this corpus. Gives whether it had to be built. Strong's dictionaries are fetched
 * only then: a machine that could not get them builds without, and does not ask again at each start. It is built anew also when a
 * dictionary has come or changed; when one is gone, an index that has it stays.
 */
export async function buildConcordanceIndex({
  corpusFile,
  concordanceFile,
  log,
  env = process.env,
  now = () => new Date(),
}: BuildConcordanceIndexOptions): Promise<boolean> {
  const corpus = openCorpus(corpusFile);
  try {
    const dataDir = dirname(concordanceFile);
    const isUpToDate = (): boolean => {
      const manifest = readChecksummedFileManifest(concordanceFile, concordanceFileKind);
      return (
        manifest?.get('corpusDigest') === corpus.manifest.digest &&
        !findNewDictionary(manifest.get('dictionaries') ?? '{}', { dataDir, env })
      );
    };
    if (isUpToDate()) return false;
    const sources = await ensureModules(strongsModules(), { dataDir, env, log });
    return await withFolderLock(dataDir, { log }, async () => {
      // Another process may have made it while this one waited.
      if (isUpToDate()) return false;
      const lexicon = readLexicon(sources);
      await writeChecksummedFile(concordanceFile, concordanceFileKind, (db): ConcordanceManifest => {
        fill(db, corpus, lexicon, log);
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

function fill(db: Database.Database, corpus: Corpus, lexicon: Lexicon, log: (line: string) => void): void {
  db.exec(concordanceTables);
  for (const letter of lexicon.without)
    log(
      `warning: Strong's numbers with ${letter} come without their words; once the dictionary is there, npm run data adds them`,
    );
  for (const [index, edition] of corpus.translations.entries()) {
    const started = performance.now();
    const { words, stems } = buildTranslationIndex(db, corpus, edition, index + 1);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    log(`concordance of ${edition.identifier}: ${words} words under ${stems} stems in ${seconds} s`);
  }
  const insertEntry = db.prepare(
    'INSERT INTO lexicon (number, lemma, transliteration, definition) VALUES (?, ?, ?, ?)',
  );
  for (const [number, entry] of lexicon.entries)
    insertEntry.run(number, entry.lemma, entry.transliteration, entry.definition);
  if (lexicon.entries.size > 0) log(`Strong's dictionaries: ${lexicon.entries.size} words`);
}
