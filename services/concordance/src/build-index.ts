import { openCorpus } from '@lectern/corpus';
import type { Corpus } from '@lectern/corpus';
import type Database from 'better-sqlite3';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { indexEdition } from './index-edition';
import { formatVersion, isIndexError, openIndexFile } from './index-file';
import type { Manifest } from './index-file';
import { findLexicon } from './lexicon/find-lexicon';
import type { Lexicon } from './lexicon/find-lexicon';
import { withIndexLock, writeIndexFile } from './write-index-file';

export interface BuildOptions {
  /** The path of corpus.sqlite. */
  corpusFile: string;
  /** The path of concordance.sqlite. Dictionaries that were fetched lie in the folder `sources` beside it. */
  file: string;
  /** Called with one line at a time: progress and warnings. */
  log: (line: string) => void;
  /** SWORD_PATH names folders that may hold Strong's dictionaries. */
  env?: NodeJS.ProcessEnv;
  now?: () => Date;
}

/**
 * Sees to it that the index is there and belongs to this corpus. Gives whether it had to be built. It is built anew also when
 * Strong's dictionaries have come or changed; when they are gone, an index that has them stays.
 */
export async function buildConcordanceIndex({ corpusFile, file, log, env = process.env, now = () => new Date() }: BuildOptions): Promise<boolean> {
  const corpus = openCorpus(corpusFile);
  try {
    const lexicon = findLexicon({ dataDir: dirname(file), env });
    if (isUpToDate(file, corpus, lexicon)) return false;
    return withIndexLock(file, log, () => {
      // Another process may have made it while this one waited.
      if (isUpToDate(file, corpus, lexicon)) return false;
      const builtAt = `${now().toISOString().slice(0, 19)}Z`;
      writeIndexFile(file, (db) => fill(db, corpus, lexicon, { formatVersion, corpusDigest: corpus.manifest.digest, lexiconDigest: lexicon.digest, builtAt }, log));
      return true;
    });
  } finally {
    corpus.close();
  }
}

function isUpToDate(file: string, corpus: Corpus, lexicon: Lexicon): boolean {
  if (!existsSync(file)) return false;
  try {
    const { db, manifest } = openIndexFile(file);
    db.close();
    return manifest.corpusDigest === corpus.manifest.digest && (lexicon.digest === '' || manifest.lexiconDigest === lexicon.digest);
  } catch (error) {
    if (isIndexError(error)) return false;
    throw error;
  }
}

function fill(db: Database.Database, corpus: Corpus, lexicon: Lexicon, manifest: Manifest, log: (line: string) => void): void {
  for (const remark of lexicon.remarks) log(remark);
  for (const [index, edition] of corpus.editions.entries()) {
    const started = performance.now();
    const { words, stems } = indexEdition(db, corpus, edition, index + 1);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    log(`concordance of ${edition.identifier}: ${words} words under ${stems} stems in ${seconds} s`);
  }
  const insertEntry = db.prepare('INSERT INTO lexicon (number, lemma, transliteration, definition) VALUES (?, ?, ?, ?)');
  for (const [number, entry] of lexicon.entries) insertEntry.run(number, entry.lemma, entry.transliteration, entry.definition);
  if (lexicon.entries.size > 0) log(`Strong's dictionaries: ${lexicon.entries.size} words`);
  const insertManifest = db.prepare('INSERT INTO manifest (key, value) VALUES (?, ?)');
  for (const [key, value] of Object.entries(manifest)) insertManifest.run(key, value);
}
