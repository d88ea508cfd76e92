import type { BookCode, Numbering } from '@lectern/canon';
import type { TranslationFileCache, TranslationFiles } from '@lectern/data-files';
import { openTranslationFiles } from '@lectern/data-files';
import type { IndexReader } from './full-text/lazy-index-reader';
import { createIndexReader } from './full-text/lazy-index-reader';
import type { TranslationIndex } from './full-text/translation-index';
import { bytesOfIndex } from './full-text/translation-index';
import { searchFileKind } from './search-sqlite-tables';

/** A translation in search-catalogue.sqlite, the file that lists the searchable translations. */
export interface IndexedTranslation {
  readonly identifier: string;
  /** The language code of ISO 639-3. */
  readonly language: string;
  /** How the translation numbers its verses. */
  readonly numbering: Numbering;
  /** The books in canonical order, with the translation's own names. */
  readonly books: readonly { readonly code: BookCode; readonly name: string }[];
}

/** Reads from the open search.sqlite of a translation. */
export interface SearchContent {
  readonly index: IndexReader;
  /**
   * Reads the texts of verses (43003016 is JHN 3:16) with one SQL statement, in the order of
   * `ordinals`. A missing verse is null.
   */
  textsOf(ordinals: readonly number[]): (string | null)[];
}

export type SearchFiles = TranslationFiles<IndexedTranslation, SearchContent>;

export interface SearchFilesOptions {
  /** The data folder. */
  dataDir: string;
  memory?: TranslationFileCache | undefined;
  /** Receives one line when a translation cannot be served. */
  report?: ((line: string) => void) | undefined;
  onStatement?: ((statement: string) => void) | undefined;
}

/**
 * Opens the search.sqlite of each translation when a request needs it. Throws an error of one line
 * if the catalogue that lists the translations cannot be read.
 */
export function openSearchFiles(options: SearchFilesOptions): SearchFiles {
  return openTranslationFiles<IndexedTranslation, SearchContent>({
    ...options,
    kind: searchFileKind,
    toEntry: ({ entry }) => JSON.parse(entry) as IndexedTranslation,
    readContent(db, { language }) {
      // LEFT JOIN returns a row for each ordinal, also for a missing verse. It also fixes the join
      // order, so that SQLite looks up each ordinal by key and never scans the table of verses.
      const selectTexts = db
        .prepare<[string], string | null>(
          'SELECT v.text FROM json_each(?) AS wanted LEFT JOIN verse AS v ON v.ordinal = wanted.value ORDER BY wanted.key',
        )
        .pluck();
      const content: SearchContent = {
        index: createIndexReader(db, language),
        textsOf: (ordinals) => selectTexts.all(JSON.stringify(ordinals)),
      };
      return { content, bytes: bytesOfIndex(db) };
    },
  });
}

/**
 * Opens the search.sqlite of a translation and reads its index. Returns null if there is no such
 * translation, or if its file cannot be used. Yields between short steps, so that other requests
 * are executed in between.
 */
export function* readIndexInSteps(files: SearchFiles, identifier: string): Generator<void, TranslationIndex | null> {
  yield* files.verifyInSteps(identifier);
  yield;
  const reader = files.use(identifier)?.index;
  if (!reader) return null;
  // If the memory for open files is so small that the file was closed between two steps, it could
  // be closed again and again. So the index is then read at once.
  return (yield* reader.readInSteps()) ?? files.use(identifier)?.index.read() ?? null;
}
