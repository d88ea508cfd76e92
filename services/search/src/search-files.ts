import type { BookCode, Numbering } from '@lectern/canon';
import type { TranslationFileCache, TranslationFiles } from '@lectern/data-files';
import { openTranslationFiles } from '@lectern/data-files';
import type { TranslationIndex } from './full-text/translation-index';
import { createTranslationIndex } from './full-text/translation-index';
import { searchFileKind } from './search-file-format';

/**
 * A translation as search-catalogue.sqlite lists it, the file that lists the searchable
 * translations.
 */
export interface IndexedTranslation {
  readonly identifier: string;
  /** The language code of ISO 639-3. */
  readonly language: string;
  /** How the translation numbers its verses. */
  readonly numbering: Numbering;
  /** The books in canonical order, with the translation's own names. */
  readonly books: readonly { readonly code: BookCode; readonly name: string }[];
}

/** The functions and the index that read from the open search.sqlite of a translation. */
export interface SearchContent {
  readonly index: TranslationIndex;
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
      const index = createTranslationIndex(db, language);
      const content: SearchContent = { index, textsOf: (ordinals) => selectTexts.all(JSON.stringify(ordinals)) };
      return { content, bytes: index.bytes };
    },
  });
}
