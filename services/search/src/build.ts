import { join } from 'node:path';
import { verseOrdinal } from '@lectern/canon';
import type { BuildIndex, Corpus } from '@lectern/corpus';
import { buildIndexes, defaultJobs } from '@lectern/corpus';
import type { FileCheck } from '@lectern/data-files';
import { writeTranslationFile } from '@lectern/data-files';
import { writeFullTextIndex } from './full-text/write-full-text-index';
import type { IndexedTranslation } from './open-search-indexes-on-demand';
import { searchFileKind, searchTables } from './search-sqlite-tables';
import type { VerseToIndex } from './store';

export interface BuildSearchIndexOptions {
  /** The data folder. */
  dataDir: string;
  /** Called with one line at a time. */
  log: (line: string) => void;
  /**
   * The maximum number of translations that are built at the same time. The default is one for each
   * CPU core.
   */
  jobs?: number;
  /** Whether existing files are checked by size, header or whole contents (the default). */
  check?: FileCheck;
}

/**
 * Builds the search.sqlite of each translation whose file is missing, damaged, of another format
 * version or made from another text. Resolves with false if all files were up to date.
 */
export async function buildSearchIndex({
  dataDir,
  log,
  jobs = defaultJobs(),
  check = 'contents',
}: BuildSearchIndexOptions): Promise<boolean> {
  const built = await buildIndexes({
    dataDir,
    kind: searchFileKind,
    check,
    jobs,
    build: buildSearchFile,
    workerFile: join(__dirname, '..', 'dist', 'build-worker.js'),
    log,
  });
  return built.length > 0;
}

/** Builds the search.sqlite of one translation. */
export const buildSearchFile: BuildIndex = async ({ dataDir, corpus, identifier }) => {
  const startedAt = performance.now();
  const translation = corpus.translation(identifier);
  if (!translation) throw new Error(`the corpus has no translation ${identifier}`);
  const { language, numbering, books } = translation;
  const indexed: IndexedTranslation = {
    identifier,
    language,
    numbering,
    books: books.map(({ code, name }) => ({ code, name })),
  };
  let counts = { verses: 0, terms: 0 };
  await writeTranslationFile(dataDir, searchFileKind, identifier, (db) => {
    db.exec(searchTables);
    const insert = db.prepare('INSERT INTO verse (ordinal, text) VALUES (?, ?)');
    const verses = insertedVerses(corpus, indexed, ({ ordinal, text }) => insert.run(ordinal, text));
    counts = writeFullTextIndex(db, language, verses);
    return {
      identifier,
      textDigest: corpus.translationDigest(identifier) ?? '',
      entry: JSON.stringify(indexed),
      builtAt: new Date().toISOString(),
    };
  });
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  return `${identifier}: indexed ${counts.verses} verses and ${counts.terms} words in ${seconds} s`;
};

/**
 * Yields the verses in canonical order and calls `insert` with each. Reads one book at a time, so
 * that memory never holds the texts of a whole translation.
 */
function* insertedVerses(
  corpus: Corpus,
  { identifier, books }: IndexedTranslation,
  insert: (verse: VerseToIndex) => void,
): Generator<VerseToIndex> {
  for (const { code } of books) {
    const verses = corpus.range(
      identifier,
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
