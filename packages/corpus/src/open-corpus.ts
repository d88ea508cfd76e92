import { type BookCode, ordinalParts, type Place, verseOrdinal } from '@lectern/canon';
import { openChecksummedFile } from '@lectern/data-files';
import { prepareCorpusQueries } from './corpus-queries';
import { corpusKind } from './corpus-schema';
import type { Origin, StoredTranslation } from './stored-translation';
import { decodeTags } from './strongs-tags';
import type { CorpusVerse, Translation, TranslationBook, WordTag } from './translation';

export interface OpenCorpusOptions {
  /**
   * The function that is called with the text of each SQL statement that runs. Tests count the
   * statements.
   */
  onStatement?: (statement: string) => void;
}

interface TranslationRow {
  number: number;
  origin: Origin;
  details: string;
  books: string;
  digest: string;
}

interface OpenTranslation {
  number: number;
  origin: Origin;
  digest: string;
  translation: Translation;
  /** The ordinals of all verses of the translation, in canonical order. */
  ordinals: Int32Array;
}

/**
 * Opens the corpus read-only. Throws an error (`isCorpusError`) if the file is missing, truncated,
 * damaged or of another format. The error's message is one line and names the command that builds
 * the file again.
 */
export function openCorpus(file: string, { onStatement }: OpenCorpusOptions = {}) {
  const { db, manifest } = openChecksummedFile(file, corpusKind, { ...(onStatement && { onStatement }) });
  const opened = db
    .prepare<[], TranslationRow>('SELECT number, origin, details, books, digest FROM edition ORDER BY identifier')
    .all()
    .map(openTranslation);
  const byIdentifier = new Map(opened.map((open) => [open.translation.identifier, open]));
  const queries = prepareCorpusQueries(db);

  const findVerse = (identifier: string, ordinal: number): CorpusVerse | null => {
    const open = byIdentifier.get(identifier);
    const row = open && queries.verse(open.number, ordinal);
    return row ? verseOf(row.ordinal, row.text) : null;
  };
  const range = (identifier: string, fromOrdinal: number, toOrdinal: number): CorpusVerse[] => {
    const open = byIdentifier.get(identifier);
    if (!open) return [];
    const first = firstIndexFrom(open.ordinals, fromOrdinal);
    return queries
      .textsBetween(open.number, fromOrdinal, toOrdinal)
      .map((text, index) => verseOf(open.ordinals[first + index], text));
  };

  return {
    manifest: {
      formatVersion: Number(manifest.get('formatVersion')),
      digest: manifest.get('digest') ?? '',
      builtAt: manifest.get('builtAt') ?? '',
    },
    /** The translations of the corpus, sorted by identifier. */
    translations: opened.map(({ translation }) => translation) as readonly Translation[],
    /**
     * Returns a translation without its verses. Returns null if there is no such translation.
     * Identifiers are case-sensitive.
     */
    translation: (identifier: string): Translation | null => byIdentifier.get(identifier)?.translation ?? null,
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
    /**
     * Returns one verse per place, in the order of `places`. An item is null if the translation has
     * no such verse. Runs one statement.
     */
    verses(identifier: string, places: readonly Place[]): (CorpusVerse | null)[] {
      const open = byIdentifier.get(identifier);
      if (!open || places.length === 0) return places.map(() => null);
      const [only, ...more] = places;
      if (only && more.length === 0) return [findVerse(identifier, verseOrdinal(only))];
      const ordinals = places.map(verseOrdinal);
      const [first = 0, last = first] = [ordinals[0], ordinals.at(-1)];
      // Chapters and most passages are contiguous: one walk over the key reads them.
      if (isContiguous(open.ordinals, ordinals))
        return queries.textsBetween(open.number, first, last).map((text, index) => verseOf(ordinals[index], text));
      const texts = queries.textsOf(open.number, ordinals);
      return ordinals.map((ordinal, index) => {
        const text = texts[index] ?? null;
        return text === null ? null : verseOf(ordinal, text);
      });
    },
    /**
     * Returns the verse at `index` in canonical order, counted from 0. Returns null for an index
     * out of range. Runs one look-up for any index.
     */
    verseAt(identifier: string, index: number): CorpusVerse | null {
      const ordinal = byIdentifier.get(identifier)?.ordinals[index];
      return ordinal === undefined ? null : findVerse(identifier, ordinal);
    },
    /**
     * Returns the tagged words of each place, in the order of `places`. An item is [] if the verse
     * has no tags. Runs one statement.
     */
    words(identifier: string, places: readonly Place[]): WordTag[][] {
      const open = byIdentifier.get(identifier);
      if (!open || places.length === 0) return places.map(() => []);
      const tagsByOrdinal = queries.tagsOf(open.number, new Set(places.map(verseOrdinal)));
      return places.map((place) => {
        const tags = tagsByOrdinal.get(verseOrdinal(place));
        return tags === undefined ? [] : decodeTags(tags);
      });
    },
    /**
     * Yields every verse with its tags, in canonical order, for index builders. Other methods may
     * be called during the iteration.
     */
    *eachVerse(identifier: string): IterableIterator<CorpusVerse & { words: readonly WordTag[] }> {
      const open = byIdentifier.get(identifier);
      if (!open) return;
      for (const row of queries.allVerses(open.number))
        yield { ...verseOf(row.ordinal, row.text), words: row.tags === null ? [] : decodeTags(row.tags) };
    },
    /**
     * Returns the digest of a translation, which changes exactly when the translation's text or
     * details change. Returns null if there is no such translation.
     */
    translationDigest: (identifier: string): string | null => byIdentifier.get(identifier)?.digest ?? null,
    /** Returns the translations in their stored form, for copying into another corpus. */
    storedTranslations(): (StoredTranslation & { digest: string })[] {
      return opened.map(({ number, origin, digest, translation: { books, ...details } }) => ({
        origin,
        details,
        books,
        digest,
        verses: { [Symbol.iterator]: () => queries.allVerses(number) },
      }));
    },
    /** The version of the importers that made the default translations. */
    importer: manifest.get('importer') ?? '',
    close(): void {
      db.close();
    },
  };
}
export type Corpus = ReturnType<typeof openCorpus>;

/**
 * Returns true for the errors of `openCorpus` about the file. Callers print such an error as one
 * line, without a stack trace.
 */
export { isChecksummedFileError as isCorpusError } from '@lectern/data-files';

function openTranslation({ number, origin, details, books: json, digest }: TranslationRow): OpenTranslation {
  const books = JSON.parse(json) as TranslationBook[];
  const translation = { ...(JSON.parse(details) as StoredTranslation['details']), books };
  return { number, origin, digest, translation, ordinals: ordinalsOf(books, translation.verseCount) };
}

/** An ordinal has three digits for the chapter and three for the verse. A larger number would be another verse's ordinal. */
const isThreeDigits = (number: number): boolean => Number.isInteger(number) && number > 0 && number < 1000;

/**
 * Returns the index of the first element that is not less than `ordinal`, by binary search.
 * `sorted` is ascending.
 */
function firstIndexFrom(sorted: Int32Array, ordinal: number): number {
  let low = 0;
  for (let high = sorted.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < ordinal) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns true if `ordinals` are consecutive elements of `sorted`. */
function isContiguous(sorted: Int32Array, ordinals: readonly number[]): boolean {
  const first = firstIndexFrom(sorted, ordinals[0] ?? 0);
  return ordinals.every((ordinal, index) => sorted[first + index] === ordinal);
}

// Converts a row to a verse. The function copies field by field, because it runs for every verse
// that is read and a spread costs several times as much.
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
