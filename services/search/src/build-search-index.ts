import { dirname } from 'node:path';
import { verseOrdinal } from '@lectern/canon';
import type { Corpus, Translation } from '@lectern/corpus';
import { openCorpus } from '@lectern/corpus';
import { readChecksummedFileManifest, withFolderLock, writeChecksummedFile } from '@lectern/data-files';
import type { Database } from 'better-sqlite3';
import { writeFullTextIndex } from './full-text/write-full-text-index';
import { searchFileKind, searchTables } from './search-file';
import type { IndexedTranslation, VerseToIndex } from './store';

export interface BuildSearchIndexOptions {
  /** The path of corpus.sqlite. */
  corpusFile: string;
  /** The path of search.sqlite. */
  searchFile: string;
  /** Called with one line at a time. */
  log: (line: string) => void;
  now?: () => Date;
}

/**
 * Builds search.sqlite from the corpus and replaces the old file.
 * Resolves with false, and changes nothing, if the file is intact and made from this corpus.
 */
export async function buildSearchIndex({
  corpusFile,
  searchFile,
  log,
  now = () => new Date(),
}: BuildSearchIndexOptions): Promise<boolean> {
  const corpus = openCorpus(corpusFile);
  try {
    const { digest } = corpus.manifest;
    const isUpToDate = () => readChecksummedFileManifest(searchFile, searchFileKind)?.get('corpusDigest') === digest;
    if (isUpToDate()) return false;
    return await withFolderLock(dirname(searchFile), { log }, async () => {
      // Another process may have built the file while this process waited for the lock.
      if (isUpToDate()) return false;
      log(`building ${searchFile}`);
      await writeChecksummedFile(searchFile, searchFileKind, (db) => {
        db.exec(searchTables);
        for (const [index, translation] of corpus.translations.entries())
          writeTranslation(db, corpus, translation, { number: index + 1, log });
        return { corpusDigest: digest, builtAt: now().toISOString() };
      });
      return true;
    });
  } finally {
    corpus.close();
  }
}

function writeTranslation(
  db: Database,
  corpus: Corpus,
  translation: Translation,
  { number, log }: { number: number; log: (line: string) => void },
): void {
  const startedAt = performance.now();
  const { identifier, language } = translation;
  const indexed: IndexedTranslation = {
    number,
    identifier,
    language,
    books: translation.books.map(({ code, name }) => ({ code, name })),
  };
  db.prepare('INSERT INTO edition (number, identifier, details) VALUES (?, ?, ?)').run(
    number,
    identifier,
    JSON.stringify(indexed),
  );

  const insert = db.prepare('INSERT INTO verse (edition, ordinal, text) VALUES (?, ?, ?)');
  const counts = writeFullTextIndex(
    db,
    indexed,
    insertedVerses(corpus, translation, ({ ordinal, text }) => insert.run(number, ordinal, text)),
  );
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  log(`${identifier}: indexed ${counts.verses} verses and ${counts.terms} words in ${seconds} s`);
}

/**
 * Yields the verses in canonical order and calls `insert` with each.
 * Reads one book at a time, so that memory never holds a whole translation.
 */
function* insertedVerses(
  corpus: Corpus,
  translation: Translation,
  insert: (verse: VerseToIndex) => void,
): Generator<VerseToIndex> {
  for (const { code } of translation.books) {
    const verses = corpus.range(
      translation.identifier,
      verseOrdinal({ book: code, chapter: 0, verse: 0 }),
      verseOrdinal({ book: code, chapter: 999, verse: 999 }),
    );
    for (const place of verses) {
      const verse = { ordinal: verseOrdinal(place), text: place.text };
      insert(verse);
      yield verse;
    }
  }
}
