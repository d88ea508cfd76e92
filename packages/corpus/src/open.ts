import { type BookCode, firstIndexFrom, ordinalParts, type Place, verseOrdinal } from '@lectern/canon';
import { openTranslationFiles, type TranslationFileCache } from '@lectern/data-files';
import type { VerseLayout } from '@lectern/verse-layout';
import type Database from 'better-sqlite3';
import { createEntryParser, type ListedTranslation, textKind } from './text-file';
import {
  type CorpusVerse,
  decodeLayout,
  decodeTags,
  emptyLayout,
  type StoredTranslation,
  type StoredVerse,
  type Translation,
  type TranslationBook,
  type WordTag,
} from './translation';

export interface OpenCorpusOptions {
  /**
   * Bounds the memory of the open files of this process. By default the corpus creates a
   * `TranslationFileCache`.
   */
  memory?: TranslationFileCache | undefined;
  /** Receives one line when a translation cannot be served. */
  report?: ((line: string) => void) | undefined;
  /**
   * Called with the text of each SQL statement that runs, so that tests can count the statements.
   */
  onStatement?: ((statement: string) => void) | undefined;
  /**
   * The identifiers of the translations that are listed, for a process that needs only a few. By
   * default all.
   */
  only?: readonly string[] | undefined;
}

interface OpenText {
  queries: ReturnType<typeof prepareTextQueries>;
  /** The ordinals (`verseOrdinal`) of all verses of the translation, in canonical order. */
  ordinals: Int32Array;
}

/**
 * Opens the translations of a data folder read-only. Reads the catalogue at once, and opens the
 * text of a translation when it is first used. Throws an error of one line (`isCorpusError`) if the
 * catalogue or every text is unusable.
 */
export function openCorpus(dataDir: string, { memory, report, onStatement, only }: OpenCorpusOptions = {}) {
  const files = openTranslationFiles<ListedTranslation, OpenText>({
    dataDir,
    kind: textKind,
    toEntry: createEntryParser(),
    readContent(db, { translation }) {
      const ordinals = ordinalsOf(translation.books, translation.verseCount);
      return { content: { queries: prepareTextQueries(db), ordinals }, bytes: ordinals.byteLength };
    },
    memory,
    report,
    onStatement,
    only,
  });
  let listed: readonly ListedTranslation[] = [];
  let translations: readonly Translation[] = [];
  const currentTranslations = (): readonly Translation[] => {
    if (listed !== files.entries()) {
      listed = files.entries();
      translations = listed.map(({ translation }) => translation);
    }
    return translations;
  };

  const findVerse = (identifier: string, ordinal: number): CorpusVerse | null => {
    const text = files.use(identifier)?.queries.textOf(ordinal);
    return text === undefined ? null : verseOf(ordinal, text);
  };
  const range = (identifier: string, fromOrdinal: number, toOrdinal: number): CorpusVerse[] => {
    const open = files.use(identifier);
    if (!open) return [];
    const { queries, ordinals } = open;
    const first = firstIndexFrom(ordinals, fromOrdinal);
    return queries.textsBetween(fromOrdinal, toOrdinal).map((text, index) => verseOf(ordinals[first + index], text));
  };

  /**
   * Yields all verses. Reads them in pages of 1,000, because an open SQL cursor would block other
   * statements.
   */
  function* allVerses(identifier: string): IterableIterator<StoredVerse> {
    for (let after = 0; ; ) {
      const page = files.use(identifier)?.queries.pageAfter(after) ?? [];
      if (page.length === 0) return;
      yield* page;
      after = page.at(-1)?.ordinal ?? Infinity;
    }
  }

  return {
    /** The dataset version: a digest of all texts. */
    datasetVersion: files.datasetVersion,
    /** The translations that are served, sorted by identifier. */
    get translations(): readonly Translation[] {
      return currentTranslations();
    },
    /** Parses the translations that `translations` returns, and yields between short steps. */
    parseTranslationsInSteps: files.parseEntriesInSteps,
    /**
     * Returns false if the first read of a translation has to verify its file, which takes up to 20
     * ms.
     */
    isVerified: files.isVerified,
    /** Verifies the file of a translation before its first read, and yields between short steps. */
    verifyInSteps: files.verifyInSteps,
    /** Returns a translation without its verses, or null. Identifiers are case-sensitive. */
    translation: (identifier: string): Translation | null => files.find(identifier)?.translation ?? null,
    /** Calls the listener when translations were added, replaced or removed. */
    onChange: files.onChange,
    /** The identifiers of the translations whose files cannot be used. */
    unavailable: files.unavailable,
    /** The digest of the text of each translation. */
    translationDigests: files.translationDigests,
    /**
     * Returns one verse. Returns null if there is no such translation, or the translation has no
     * such verse.
     */
    verse: (identifier: string, book: BookCode, chapter: number, verse: number): CorpusVerse | null =>
      isThreeDigits(chapter) && isThreeDigits(verse)
        ? findVerse(identifier, verseOrdinal({ book, chapter, verse }))
        : null,
    chapter: (identifier: string, book: BookCode, chapter: number): CorpusVerse[] =>
      isThreeDigits(chapter)
        ? range(identifier, verseOrdinal({ book, chapter, verse: 0 }), verseOrdinal({ book, chapter, verse: 999 }))
        : [],
    /** Returns the verses from one ordinal to another, both included, in canonical order. */
    range,
    /** Returns one verse or null per place, in the order of `places`, with one statement. */
    verses(identifier: string, places: readonly Place[]): (CorpusVerse | null)[] {
      if (places.length === 0) return [];
      const [only, ...more] = places;
      if (only && more.length === 0) return [findVerse(identifier, verseOrdinal(only))];
      const open = files.use(identifier);
      if (!open) return places.map(() => null);
      const { queries } = open;
      const ordinals = places.map(verseOrdinal);
      const [first = 0, last = first] = [ordinals[0], ordinals.at(-1)];
      // Most places are consecutive verses, such as a chapter. One range query reads them.
      if (isContiguous(open.ordinals, ordinals))
        return queries.textsBetween(first, last).map((text, index) => verseOf(ordinals[index], text));
      const texts = queries.textsOf(ordinals);
      return ordinals.map((ordinal, index) => {
        const text = texts[index] ?? null;
        return text === null ? null : verseOf(ordinal, text);
      });
    },
    /**
     * Returns the verse at `index` in canonical order, counted from 0, or null. Runs one statement.
     */
    verseAt(identifier: string, index: number): CorpusVerse | null {
      const ordinal = files.use(identifier)?.ordinals[index];
      return ordinal === undefined ? null : findVerse(identifier, ordinal);
    },
    /**
     * Returns the words with Strong's numbers of each place, in the order of `places`, with one
     * statement.
     */
    words(identifier: string, places: readonly Place[]): WordTag[][] {
      const open = places.length === 0 ? null : files.use(identifier);
      if (!open) return places.map(() => []);
      const tagsByOrdinal = open.queries.tagsOf([...new Set(places.map(verseOrdinal))]);
      return places.map((place) => {
        const tags = tagsByOrdinal.get(verseOrdinal(place));
        return tags === undefined ? [] : decodeTags(tags);
      });
    },
    /** Returns the layout of each place, in the order of `places`, with one statement. */
    layouts(identifier: string, places: readonly Place[]): VerseLayout[] {
      const open = places.length === 0 ? null : files.use(identifier);
      if (!open) return places.map(() => emptyLayout);
      const byOrdinal = open.queries.layoutsOf([...new Set(places.map(verseOrdinal))]);
      return places.map((place) => decodeLayout(byOrdinal.get(verseOrdinal(place))));
    },
    /**
     * Yields every verse with its tags, in canonical order. Other methods may be called during the
     * iteration.
     */
    *eachVerse(identifier: string): IterableIterator<CorpusVerse & { words: readonly WordTag[] }> {
      for (const row of allVerses(identifier))
        yield { ...verseOf(row.ordinal, row.text), words: row.tags === null ? [] : decodeTags(row.tags) };
    },
    /**
     * Returns the digest of a translation, which changes exactly when its text or details change,
     * or null.
     */
    translationDigest: (identifier: string): string | null => files.find(identifier)?.digest ?? null,
    /** Returns the translations in the form in which `text.sqlite` and the catalogue store them. */
    storedTranslations(): (StoredTranslation & Omit<ListedTranslation, 'translation'>)[] {
      return files.entries().map(({ translation: { books, ...details }, ...listing }) => ({
        ...listing,
        details,
        books,
        verses: { [Symbol.iterator]: () => allVerses(details.identifier) },
      }));
    },
    close(): void {
      files.close();
    },
  };
}
export type Corpus = ReturnType<typeof openCorpus>;

/**
 * Returns true for an error about a data file. Callers print it as one line, without a stack trace.
 */
export { isChecksummedFileError as isCorpusError } from '@lectern/data-files';

/** Returns true if a number can be a chapter or a verse: an ordinal has three digits for each. */
const isThreeDigits = (number: number): boolean => Number.isInteger(number) && number > 0 && number < 1000;

/** Returns true if `ordinals` are consecutive elements of `sorted`. */
function isContiguous(sorted: Int32Array, ordinals: readonly number[]): boolean {
  const first = firstIndexFrom(sorted, ordinals[0] ?? 0);
  return ordinals.every((ordinal, index) => sorted[first + index] === ordinal);
}

// Runs for every verse that is read, so it copies field by field: a spread takes several times as
// long.
function verseOf(ordinal: number | undefined, text: string): CorpusVerse {
  const place = ordinal === undefined ? null : ordinalParts(ordinal);
  if (!place) throw new Error(`no verse has the ordinal ${ordinal}`);
  return { book: place.book, chapter: place.chapter, verse: place.verse, text };
}

function ordinalsOf(books: readonly TranslationBook[], verseCount: number): Int32Array {
  const ordinals = new Int32Array(verseCount);
  let index = 0;
  for (const { code, chapters } of books) {
    for (const [chapterIndex, verses] of chapters.entries()) {
      for (const verse of verses) {
        ordinals[index] = verseOrdinal({ book: code, chapter: chapterIndex + 1, verse });
        index += 1;
      }
    }
  }
  return ordinals;
}

/**
 * Prepares the statements that read verses of one translation. An ordinal is the place of a verse
 * as one number, which sorts verses in canonical order.
 */
function prepareTextQueries(db: Database.Database) {
  // Selects only the texts, because a row of one value costs half as much as an object. The caller
  // knows the ordinals.
  const textOf = db.prepare<[number], string>('SELECT text FROM verse WHERE ordinal = ?').pluck();
  const textsBetween = db
    .prepare<[number, number], string>('SELECT text FROM verse WHERE ordinal BETWEEN ? AND ? ORDER BY ordinal')
    .pluck();
  // LEFT JOIN fixes the order of the joins, so SQLite looks up each place by key and never scans
  // the translation. A place without a verse gives null.
  const textsOfPlaces = db
    .prepare<[string], string | null>(
      'SELECT v.text FROM json_each(?) AS place LEFT JOIN verse AS v ON v.ordinal = place.value ORDER BY place.key',
    )
    .pluck();
  // CROSS JOIN fixes the order of the joins too. Unlike LEFT JOIN, it gives no row for a place
  // without tags.
  const tagsOfPlaces = db.prepare<[string], { ordinal: number; tags: string }>(
    'SELECT w.ordinal, w.tags FROM json_each(?) AS place CROSS JOIN word_tags AS w ON w.ordinal = place.value',
  );
  const layoutsOfPlaces = db.prepare<[string], { ordinal: number; layout: string }>(
    'SELECT l.ordinal, l.layout FROM json_each(?) AS place CROSS JOIN layout AS l ON l.ordinal = place.value',
  );
  const pageAfter = db.prepare<[number], StoredVerse>(
    'SELECT v.ordinal, v.text, w.tags, l.layout FROM verse AS v LEFT JOIN word_tags AS w ON w.ordinal = v.ordinal ' +
      'LEFT JOIN layout AS l ON l.ordinal = v.ordinal WHERE v.ordinal > ? ORDER BY v.ordinal LIMIT 1000',
  );

  return {
    textOf: (ordinal: number): string | undefined => textOf.get(ordinal),
    /**
     * Returns the texts of the verses from one ordinal to another, both included, in canonical
     * order.
     */
    textsBetween: (from: number, to: number): string[] => textsBetween.all(from, to),
    /**
     * Returns one text per ordinal, in the order of `ordinals`. A text is null if there is no such
     * verse.
     */
    textsOf: (ordinals: readonly number[]): (string | null)[] => textsOfPlaces.all(JSON.stringify(ordinals)),
    /** Returns the encoded tags by ordinal. Verses without tags are absent. */
    tagsOf: (ordinals: readonly number[]): Map<number, string> =>
      new Map(tagsOfPlaces.all(JSON.stringify(ordinals)).map((row) => [row.ordinal, row.tags])),
    /** Returns the encoded layouts by ordinal. Verses without layout are absent. */
    layoutsOf: (ordinals: readonly number[]): Map<number, string> =>
      new Map(layoutsOfPlaces.all(JSON.stringify(ordinals)).map((row) => [row.ordinal, row.layout])),
    /** Returns the first 1,000 verses after an ordinal, in canonical order. */
    pageAfter: (ordinal: number): StoredVerse[] => pageAfter.all(ordinal),
  };
}
