import { dirname } from 'node:path';
import { verseOrdinal } from '@lectern/canon';
import type { Corpus, Translation } from '@lectern/corpus';
import { openCorpus } from '@lectern/corpus';
import { withFolderLock } from '@lectern/data-files';
import type { Database } from 'better-sqlite3';
import { fullTextSchema, writeFullTextIndex } from './full-text/write-full-text-index';
import { isIndexCurrent, writeIndexFile } from './search-file';
import type { IndexedTranslation, IndexedVerse } from './store';
import { storeSchema } from './store';

export interface BuildSearchIndexOptions {
  /** The path of corpus.sqlite. */
  corpusFile: string;
  /** The path of search.sqlite. */
  searchFile: string;
  /** Called with one line at a time. */
  log: (line: string) => void;
  now?: () => Date;
}

/** Builds search.sqlite from the corpus; true when it did, false when the file was already the right one. */
export async function buildSearchIndex({
  corpusFile,
  searchFile,
  log,
  now = () => new Date(),
}: BuildSearchIndexOptions): Promise<boolean> {
  const corpus = openCorpus(corpusFile);
  try {
    const { digest } = corpus.manifest;
    if (isIndexCurrent(searchFile, digest)) return false;
    return await withFolderLock(dirname(searchFile), { log }, async () => {
      // Another process may have made it while this one waited.
      if (isIndexCurrent(searchFile, digest)) return false;
      log(`making ${searchFile}`);
      await writeIndexFile(searchFile, { corpusDigest: digest, builtAt: now().toISOString() }, (db) => {
        db.exec(storeSchema);
        db.exec(fullTextSchema);
        for (const [index, edition] of corpus.translations.entries())
          writeEdition(db, corpus, edition, { number: index + 1, log });
      });
      return true;
    });
  } finally {
    corpus.close();
  }
}

function writeEdition(
  db: Database,
  corpus: Corpus,
  edition: Translation,
  { number, log }: { number: number; log: (line: string) => void },
): void {
  const started = performance.now();
  const { identifier, language } = edition;
  const indexed: IndexedTranslation = {
    number,
    identifier,
    language,
    books: edition.books.map(({ code, name }) => ({ code, name })),
  };
  db.prepare('INSERT INTO edition (number, identifier, details) VALUES (?, ?, ?)').run(
    number,
    identifier,
    JSON.stringify(indexed),
  );

  const insert = db.prepare('INSERT INTO verse (edition, ordinal, text) VALUES (?, ?, ?)');
  const written = writeFullTextIndex(
    db,
    indexed,
    stored(corpus, edition, ({ ordinal, text }) => insert.run(number, ordinal, text)),
  );
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  log(`${identifier}: ${written.verses} verses and ${written.terms} words to search in ${seconds} s`);
}

/** A book at a time, so that no edition is held whole; each verse is handed to `store` on its way. */
function* stored(corpus: Corpus, edition: Translation, store: (verse: IndexedVerse) => void): Generator<IndexedVerse> {
  for (const { code } of edition.books) {
    const verses = corpus.range(
      edition.identifier,
      verseOrdinal({ book: code, chapter: 0, verse: 0 }),
      verseOrdinal({ book: code, chapter: 999, verse: 999 }),
    );
    for (const place of verses) {
      const verse = { ordinal: verseOrdinal(place), text: place.text };
      store(verse);
      yield verse;
    }
  }
}
