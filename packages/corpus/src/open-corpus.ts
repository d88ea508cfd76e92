import { type BookCode, bookByCode, firstIndexFrom, type Place, placeOf, verseOrdinal } from '@lectern/canon';
import { openTranslationFiles, type TranslationFiles, type TranslationFilesOptions } from '@lectern/data-files';
import type { VerseLayout } from '@lectern/verse-layout';
import type Database from 'better-sqlite3';
import {
  createEntryParser,
  decodeLayout,
  decodeTags,
  type ListedTranslation,
  type StoredParagraph,
  type StoredTranslation,
  type StoredVerse,
  textKind,
} from './text-file';
import type { CorpusVerse, DocumentParagraph, Translation, TranslationBook, WordTag } from './translation';

/** Opens the corpus. Reads a text when it is first used. Throws an error for which `isCorpusError` is true. */
export function openCorpus(
  dataDir: string,
  options: Pick<TranslationFilesOptions<ListedTranslation, unknown>, 'memory' | 'report' | 'onStatement' | 'only'> = {},
) {
  const all = openTranslationFiles({
    ...options,
    dataDir,
    kind: textKind,
    toEntry: createEntryParser(),
    readContent(db, { translation }: ListedTranslation) {
      const content = readContent(db, translation);
      return { content, bytes: content.ordinals.byteLength };
    },
  });
  return {
    ...createCorpus(all),
    /** Returns the same corpus, without the restricted translations except those in `granted`. */
    withRights: (granted: ReadonlySet<string>) => createCorpus(all.withRights(granted)),
  };
}

type CorpusFiles = TranslationFiles<ListedTranslation, ReturnType<typeof readContent>>;

function createCorpus(files: CorpusFiles) {
  let listed: readonly ListedTranslation[] = [];
  let translations: readonly Translation[] = [];

  /** Yields all verses. It reads them in pages, because an open SQL cursor would block other statements. */
  function* allVerses(identifier: string): IterableIterator<StoredVerse> {
    for (let after = 0; ; ) {
      const page = files.use(identifier)?.pageAfter.all(after) ?? [];
      if (page.length === 0) return;
      yield* page;
      after = page.at(-1)?.ordinal ?? Infinity;
    }
  }

  const allParagraphs = (identifier: string): Iterator<StoredParagraph> =>
    (files.use(identifier)?.documents?.allParagraphs.all() ?? []).values();

  return {
    /** The dataset version: a digest of all texts. */
    datasetVersion: files.datasetVersion,
    /** The translations that are served, sorted by identifier. */
    get translations(): readonly Translation[] {
      if (listed !== files.entries()) {
        listed = files.entries();
        translations = listed.map(({ translation }) => translation);
      }
      return translations;
    },
    /** Parses the entries of all translations, so that `translations` returns at once. Yields between short steps. */
    parseTranslationsInSteps: files.parseEntriesInSteps,
    /** Returns false if the next read of a translation must first verify its file, which takes up to 20 ms. */
    isVerified: files.isVerified,
    /** Verifies the file of a translation before its first read, and yields between short steps. */
    verifyInSteps: files.verifyInSteps,
    /** Returns a translation without its verses, or null. Identifiers are case-sensitive. */
    translation: (identifier: string): Translation | null => files.find(identifier)?.translation ?? null,
    onChange: files.onChange,
    /** The identifiers of the translations whose files cannot be used. */
    unavailable: files.unavailable,
    translationDigests: files.translationDigests,
    /** The identifiers of the translations that only keys with a grant may read. */
    restricted: files.restricted,
    /** Returns the digest of a translation's text and details, or null for an unknown identifier. */
    translationDigest: (identifier: string): string | null => files.find(identifier)?.digest ?? null,
    ...createVerseReader(files),
    /** Yields every verse in canonical order. Other methods may be called during the iteration. */
    *eachVerse(identifier: string): IterableIterator<CorpusVerse & { words: readonly WordTag[] }> {
      for (const row of allVerses(identifier)) yield { ...verseOf(row.ordinal, row.text), words: decodeTags(row.tags) };
    },
    storedTranslations(): (StoredTranslation & Omit<ListedTranslation, 'translation'>)[] {
      return files.entries().map(({ translation: { identifier, books }, ...listing }) => ({
        ...listing,
        books,
        verses: { [Symbol.iterator]: () => allVerses(identifier) },
        paragraphs: { [Symbol.iterator]: () => allParagraphs(identifier) },
      }));
    },
    close: files.close,
  };
}

export type Corpus = ReturnType<ReturnType<typeof openCorpus>['withRights']>;

function createVerseReader(files: CorpusFiles) {
  const findVerse = (identifier: string, ordinal: number): CorpusVerse | null => {
    const text = files.use(identifier)?.textOf.get(ordinal);
    return text === undefined ? null : verseOf(ordinal, text);
  };
  const range = (identifier: string, fromOrdinal: number, toOrdinal: number): CorpusVerse[] => {
    const open = files.use(identifier);
    if (!open) return [];
    const { textsBetween, ordinals } = open;
    const first = firstIndexFrom(ordinals, fromOrdinal);
    return textsBetween.all(fromOrdinal, toOrdinal).map((text, index) => verseOf(ordinals[first + index], text));
  };
  /** Runs `query`, which selects one value for each place, and decodes the values, in the order of `places`. */
  const decodeAll = <Value>(
    identifier: string,
    places: readonly Place[],
    query: 'tagsOf' | 'layoutsOf' | 'versionsOf',
    decode: (encoded: string | undefined) => Value,
  ): Value[] => {
    const ordinals = places.map(verseOrdinal);
    const open = places.length === 0 ? null : files.use(identifier);
    const encoded = new Map(open?.[query].all(JSON.stringify([...new Set(ordinals)])));
    return ordinals.map((ordinal) => decode(encoded.get(ordinal)));
  };

  return {
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
    /** Returns the verse at each place or null, in the order of `places`. Runs one statement. */
    verses(identifier: string, places: readonly Place[]): (CorpusVerse | null)[] {
      const ordinals = places.map(verseOrdinal);
      const [first, last] = [ordinals[0], ordinals.at(-1)];
      if (first === undefined || last === undefined) return [];
      if (ordinals.length === 1) return [findVerse(identifier, first)];
      const open = files.use(identifier);
      if (!open) return places.map(() => null);
      // Consecutive verses, such as a chapter, are read by one range query, which is faster.
      const texts = isContiguous(open.ordinals, ordinals)
        ? open.textsBetween.all(first, last)
        : open.textsOf.all(JSON.stringify(ordinals));
      return texts.map((text, index) => (text === null ? null : verseOf(ordinals[index], text)));
    },
    /** Returns the tagged words of each place, in the order of `places`. Runs one statement. */
    words: (identifier: string, places: readonly Place[]): WordTag[][] =>
      decodeAll(identifier, places, 'tagsOf', decodeTags),
    /** Returns the layout of each place, in the order of `places`. Runs one statement. */
    layouts: (identifier: string, places: readonly Place[]): VerseLayout[] =>
      decodeAll(identifier, places, 'layoutsOf', decodeLayout),
    /** Returns the version of each chapter, or of the book if a place has the chapter 0. The verses are 0. */
    versions: (identifier: string, places: readonly Place[]): string[] =>
      decodeAll(identifier, places, 'versionsOf', (version = '') => version),
    /** Returns at most `limit` paragraphs of a document, from the index `start`. Returns [] for an unknown document. */
    documentParagraphs: (identifier: string, code: string, start: number, limit: number): DocumentParagraph[] =>
      files.use(identifier)?.documents?.paragraphsFrom.all(code, start, limit) ?? [],
  };
}

/** Returns whether an error is about a data file, so that its message suffices without a stack trace. */
export { isChecksummedFileError as isCorpusError } from '@lectern/data-files';

/** Whether a number can be a chapter or a verse: an ordinal has three digits for each. */
const isThreeDigits = (number: number): boolean => Number.isInteger(number) && number > 0 && number < 1000;

/** Returns whether `ordinals` are adjacent elements of `sorted`. */
function isContiguous(sorted: Int32Array, ordinals: readonly number[]): boolean {
  const first = firstIndexFrom(sorted, ordinals[0] ?? 0);
  return ordinals.every((ordinal, index) => sorted[first + index] === ordinal);
}

// Property by property, because this runs for every verse, and a spread takes several times as long.
function verseOf(ordinal: number | undefined, text: string): CorpusVerse {
  const { book, chapter, verse } = placeOf(ordinal ?? 0);
  return { book, chapter, verse, text };
}

function ordinalsOf(books: readonly TranslationBook[], verseCount: number): Int32Array {
  const ordinals = new Int32Array(verseCount);
  let index = 0;
  // The books are in the order of the source, which may have deuterocanonical books between the testaments.
  const inCanonicalOrder = books.toSorted((a, b) => bookByCode(a.code).position - bookByCode(b.code).position);
  for (const { code, chapters } of inCanonicalOrder) {
    for (const [chapterIndex, verses] of chapters.entries()) {
      for (const verse of verses) {
        ordinals[index] = verseOrdinal({ book: code, chapter: chapterIndex + 1, verse });
        index += 1;
      }
    }
  }
  return ordinals;
}

const readContent = (db: Database.Database, { books, verseCount, documents }: Translation) => ({
  ...prepareQueries(db),
  documents: documents ? prepareDocumentQueries(db) : null,
  /** The ordinals of all verses, in canonical order. */
  ordinals: ordinalsOf(books, verseCount),
});

// LEFT JOIN and CROSS JOIN fix the order of the joins, so that SQLite looks up each place by key and never scans the
// translation. LEFT JOIN also returns a row, with null, for a place without a match.
const prepareQueries = (db: Database.Database) => ({
  // Selects the text alone, because reading a single value takes half as long as reading an object.
  textOf: db.prepare<[number], string>('SELECT text FROM verse WHERE ordinal = ?').pluck(),
  textsBetween: db
    .prepare<[number, number], string>('SELECT text FROM verse WHERE ordinal BETWEEN ? AND ? ORDER BY ordinal')
    .pluck(),
  /** Selects a text for each ordinal of a JSON list, in the order of the list. Null for a missing verse. */
  textsOf: db
    .prepare<[string], string | null>(
      'SELECT v.text FROM json_each(?) AS place LEFT JOIN verse AS v ON v.ordinal = place.value ORDER BY place.key',
    )
    .pluck(),
  tagsOf: db
    .prepare<[string], [ordinal: number, tags: string]>(
      'SELECT w.ordinal, w.tags FROM json_each(?) AS place CROSS JOIN word_tags AS w ON w.ordinal = place.value',
    )
    .raw(),
  layoutsOf: db
    .prepare<[string], [ordinal: number, layout: string]>(
      'SELECT l.ordinal, l.layout FROM json_each(?) AS place CROSS JOIN layout AS l ON l.ordinal = place.value',
    )
    .raw(),
  versionsOf: db
    .prepare<[string], [ordinal: number, version: string]>(
      'SELECT v.ordinal, v.version FROM json_each(?) AS place CROSS JOIN version AS v ON v.ordinal = place.value',
    )
    .raw(),
  pageAfter: db.prepare<[number], StoredVerse>(
    'SELECT v.ordinal, v.text, w.tags, l.layout FROM verse AS v LEFT JOIN word_tags AS w ON w.ordinal = v.ordinal ' +
      'LEFT JOIN layout AS l ON l.ordinal = v.ordinal WHERE v.ordinal > ? ORDER BY v.ordinal LIMIT 1000',
  ),
});

const prepareDocumentQueries = (db: Database.Database) => ({
  paragraphsFrom: db.prepare<[code: string, start: number, limit: number], DocumentParagraph>(
    'SELECT kind, level, keyword, text FROM document_paragraph WHERE code = ? AND position >= ? ORDER BY position LIMIT ?',
  ),
  // The rows were inserted in the order of the documents.
  allParagraphs: db.prepare<[], StoredParagraph>(
    'SELECT code, position, kind, level, keyword, text FROM document_paragraph ORDER BY rowid',
  ),
});
