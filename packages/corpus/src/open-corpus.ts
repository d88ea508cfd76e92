import { type BookCode, ordinalParts, type Place, verseOrdinal } from '@lectern/canon';
import { openChecksummedFile } from '@lectern/data-files';
import { corpusKind } from './corpus-file';
import type { Origin, StoredTranslation } from './stored-translation';
import type { CorpusVerse, Translation, TranslationBook, WordTag } from './translation';
import { decodeTags } from './word-tags';

export interface OpenCorpusOptions {
  /** Called with each SQL statement that runs: tests count them. */
  onStatement?: (statement: string) => void;
}

interface TranslationRow {
  number: number;
  origin: Origin;
  details: string;
  books: string;
  digest: string;
}

interface VerseRow {
  ordinal: number;
  text: string;
}

interface OpenTranslation {
  number: number;
  translation: Translation;
  /** All its verses in canonical order. */
  ordinals: Int32Array;
}

/**
 * Opens the corpus to read. A file that is missing, cut off, damaged or of another format is refused with one
 * line that names the command which makes it anew.
 */
export function openCorpus(file: string, options: OpenCorpusOptions = {}) {
  const { onStatement } = options;
  const { db, manifest } = openChecksummedFile(file, corpusKind, { ...(onStatement && { onStatement }) });
  const rows = db
    .prepare<[], TranslationRow>('SELECT number, origin, details, books, digest FROM edition ORDER BY identifier')
    .all();

  const translations = rows.map((row): OpenTranslation => {
    const translationBooks = JSON.parse(row.books) as TranslationBook[];
    const translation = { ...(JSON.parse(row.details) as StoredTranslation['details']), books: translationBooks };
    return { number: row.number, translation, ordinals: ordinalsOf(translationBooks, translation.verseCount) };
  });
  const byIdentifier = new Map(translations.map((open) => [open.translation.identifier, open]));

  const one = db.prepare<[number, number], VerseRow>(
    'SELECT ordinal, text FROM verse WHERE edition = ? AND ordinal = ?',
  );
  // The texts alone: which verses they are is known, and a row of one value costs half of an object.
  const between = db
    .prepare<[number, number, number], string>(
      'SELECT text FROM verse WHERE edition = ? AND ordinal BETWEEN ? AND ? ORDER BY ordinal',
    )
    .pluck();
  // LEFT JOIN keeps the planner to this order, a look-up by key for each place and never a scan of the translation, and gives a row for each that is asked for.
  const several = db
    .prepare<[string, number], string | null>(
      'SELECT v.text FROM json_each(?) AS place LEFT JOIN verse AS v ON v.edition = ? AND v.ordinal = place.value ORDER BY place.key',
    )
    .pluck();
  // CROSS JOIN does so as well, without the rows of those that have none.
  const tagsOfSeveral = db.prepare<[string, number], { ordinal: number; tags: string }>(
    'SELECT w.ordinal, w.tags FROM json_each(?) AS place CROSS JOIN word_tags AS w ON w.edition = ? AND w.ordinal = place.value',
  );
  const nextPage = db.prepare<[number, number], VerseRow & { tags: string | null }>(
    'SELECT v.ordinal, v.text, w.tags FROM verse AS v LEFT JOIN word_tags AS w ON w.edition = v.edition AND w.ordinal = v.ordinal ' +
      'WHERE v.edition = ? AND v.ordinal > ? ORDER BY v.ordinal LIMIT 1000',
  );

  const find = (identifier: string, ordinal: number): CorpusVerse | null => {
    const open = byIdentifier.get(identifier);
    const row = open && one.get(open.number, ordinal);
    return row ? verseOf(row.ordinal, row.text) : null;
  };
  // In pages: whoever walks through a translation may ask for other verses on the way, which an open cursor would forbid.
  function* walk(number: number): IterableIterator<VerseRow & { tags: string | null }> {
    for (
      let page = nextPage.all(number, 0);
      page.length > 0;
      page = nextPage.all(number, page.at(-1)?.ordinal ?? Infinity)
    )
      yield* page;
  }
  const range = (identifier: string, fromOrdinal: number, toOrdinal: number): CorpusVerse[] => {
    const open = byIdentifier.get(identifier);
    if (!open) return [];
    const first = indexFrom(open.ordinals, fromOrdinal);
    return between
      .all(open.number, fromOrdinal, toOrdinal)
      .map((text, index) => verseOf(open.ordinals[first + index], text));
  };

  return {
    manifest: {
      formatVersion: Number(manifest.get('formatVersion')),
      digest: manifest.get('digest') ?? '',
      builtAt: manifest.get('builtAt') ?? '',
    },
    /** Sorted by identifier. */
    translations: translations.map(({ translation }) => translation) as readonly Translation[],
    /** Null when there is no such translation; identifiers are exact. */
    translation: (identifier: string): Translation | null => byIdentifier.get(identifier)?.translation ?? null,
    /** Null when the translation has no such verse, or there is no such translation. */
    verse: (identifier: string, book: BookCode, chapter: number, verse: number): CorpusVerse | null =>
      inBounds(chapter) && inBounds(verse) ? find(identifier, verseOrdinal({ book, chapter, verse })) : null,
    chapter: (identifier: string, book: BookCode, chapter: number): CorpusVerse[] =>
      inBounds(chapter)
        ? range(identifier, verseOrdinal({ book, chapter, verse: 0 }), verseOrdinal({ book, chapter, verse: 999 }))
        : [],
    /** In canonical order, both ends included. */
    range,
    /** One verse for each place, in the order asked; null where the translation has none. One statement for all. */
    verses(identifier: string, places: readonly Place[]): (CorpusVerse | null)[] {
      const open = byIdentifier.get(identifier);
      if (!open || places.length === 0) return places.map(() => null);
      const [only, ...more] = places;
      if (only && more.length === 0) return [find(identifier, verseOrdinal(only))];
      const ordinals = places.map(verseOrdinal);
      const [first = 0, last = first] = [ordinals[0], ordinals.at(-1)];
      // A verse, a chapter, most passages: a run of the translation's own order, which one walk over the key reads.
      if (isRun(open.ordinals, ordinals))
        return between.all(open.number, first, last).map((text, index) => verseOf(ordinals[index], text));
      const texts = several.all(JSON.stringify(ordinals), open.number);
      return ordinals.map((ordinal, index) => {
        const text = texts[index] ?? null;
        return text === null ? null : verseOf(ordinal, text);
      });
    },
    /** The nth verse in canonical order, from 0; null outside. Costs one look-up, wherever it stands. */
    verseAt(identifier: string, index: number): CorpusVerse | null {
      const ordinal = byIdentifier.get(identifier)?.ordinals[index];
      return ordinal === undefined ? null : find(identifier, ordinal);
    },
    /** The tagged words of each place, in the order asked; [] where a verse has none. One statement for all. */
    words(identifier: string, places: readonly Place[]): WordTag[][] {
      const open = byIdentifier.get(identifier);
      if (!open || places.length === 0) return places.map(() => []);
      const found = new Map(tagsOfSeveral.all(ordinalList(places), open.number).map((row) => [row.ordinal, row.tags]));
      return places.map((place) => {
        const tags = found.get(verseOrdinal(place));
        return tags === undefined ? [] : decodeTags(tags);
      });
    },
    /** Every verse with its tags, in canonical order, for builders of indexes. */
    *eachVerse(identifier: string): IterableIterator<CorpusVerse & { words: readonly WordTag[] }> {
      const open = byIdentifier.get(identifier);
      if (!open) return;
      for (const row of walk(open.number))
        yield { ...verseOf(row.ordinal, row.text), words: row.tags === null ? [] : decodeTags(row.tags) };
    },
    /** Changes when the translation's text or what it says of itself does, and with nothing else; null when there is no such translation. */
    translationDigest: (identifier: string): string | null =>
      rows.find(({ number }) => number === byIdentifier.get(identifier)?.number)?.digest ?? null,
    /** What the file keeps, as it keeps it: for writing another file from this one. */
    storedTranslations(): (StoredTranslation & { digest: string })[] {
      return rows.map((row) => {
        const { books: translationBooks, ...details } = byNumber(translations, row.number).translation;
        return {
          origin: row.origin,
          details,
          books: translationBooks,
          digest: row.digest,
          verses: { [Symbol.iterator]: () => walk(row.number) },
        };
      });
    },
    /** Which state of our importers made the default translations. */
    importer: manifest.get('importer') ?? '',
    close(): void {
      db.close();
    },
  };
}
export type Corpus = ReturnType<typeof openCorpus>;

/** True for what `openCorpus` throws about a file: such an error is shown as one line, without a stack. */
export { isChecksummedFileError as isCorpusError } from '@lectern/data-files';

/** Chapters and verses are kept in three digits each; a number outside would run into its neighbour. */
const inBounds = (number: number): boolean => Number.isInteger(number) && number > 0 && number < 1000;

const ordinalList = (places: readonly Place[]): string => JSON.stringify([...new Set(places.map(verseOrdinal))]);

/** The index of the first that is not less. `all` is sorted. */
function indexFrom(all: Int32Array, ordinal: number): number {
  let low = 0;
  for (let high = all.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if ((all[middle] ?? 0) < ordinal) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Whether these are neighbours in the translation, one by one and in its order. */
function isRun(all: Int32Array, ordinals: readonly number[]): boolean {
  const first = indexFrom(all, ordinals[0] ?? 0);
  return ordinals.every((ordinal, index) => all[first + index] === ordinal);
}

// Field by field: it runs for every verse that is read, and a spread costs several times as much.
function verseOf(ordinal: number | undefined, text: string): CorpusVerse {
  const place = ordinal === undefined ? null : ordinalParts(ordinal);
  if (!place) throw new Error(`no verse has the number ${ordinal}`);
  return { book: place.book, chapter: place.chapter, verse: place.verse, text };
}

function byNumber(translations: readonly OpenTranslation[], number: number): OpenTranslation {
  const open = translations.find((translation) => translation.number === number);
  if (!open) throw new Error(`no translation has the number ${number}`);
  return open;
}

function ordinalsOf(translationBooks: readonly TranslationBook[], verseCount: number): Int32Array {
  const ordinals = new Int32Array(verseCount);
  let index = 0;
  for (const { code, chapters } of translationBooks) {
    for (const [at, verses] of chapters.entries()) {
      for (const verse of verses) {
        ordinals[index] = verseOrdinal({ book: code, chapter: at + 1, verse });
        index += 1;
      }
    }
  }
  return ordinals;
}
