import { type Book, type BookCode, createBookNames, type Place, placeOf } from '@lectern/canon';
import type { WordTag } from '@lectern/corpus';
import {
  type ChecksummedFileKind,
  openTranslationFiles,
  type TranslationFileKind,
  type TranslationFiles,
  type TranslationFilesOptions,
} from '@lectern/data-files';
import { foldWord, spellingTest, withoutCantillation } from '@lectern/words';
import type { Database } from 'better-sqlite3';
import { decodePostings, noPostings, type Postings, uniteAll } from './postings';
import { decodeTags, decodeWords, encodeStrongsNumber, type IndexedWord } from './words';

/** The application id is "Lcon" in ASCII. Increase the version if the tables, or the rules for words, change. */
export const concordanceFileKind: TranslationFileKind = {
  name: 'concordance',
  fileName: 'concordance',
  applicationId: 0x4c636f6e,
  formatVersion: '8',
};

/** Verses are ordinals (43003016 for JHN 3:16). words.ts and postings.ts encode the BLOBs. */
export const concordanceTables = `
CREATE TABLE verse (
  ordinal INTEGER PRIMARY KEY,
  text TEXT NOT NULL,
  words BLOB NOT NULL,      -- the span (start and length) and the stem of each word
  tags BLOB                 -- the spans with Strong's numbers; null if there is none
);
CREATE TABLE stem (
  text TEXT PRIMARY KEY,
  number INTEGER NOT NULL,
  place INTEGER,            -- the position in the alphabetical index; null for function words, which are not in the index
  display_form TEXT NOT NULL,
  verses INTEGER NOT NULL,
  occurrences INTEGER NOT NULL
) WITHOUT ROWID;
CREATE UNIQUE INDEX stem_place ON stem (place, occurrences) WHERE place IS NOT NULL;
-- The spellings of each stem, those of its commonest form first, and the verses of each. firstFormId computes the ids.
CREATE TABLE form (id INTEGER PRIMARY KEY, text TEXT NOT NULL, postings BLOB NOT NULL);
-- How readers may write the words of a translation that has lemmas, which are its stems: each spelling without cantillation
-- marks, and folded. written is the lemma itself if is_lemma is 1. Empty for other translations.
CREATE TABLE spelling (folded TEXT NOT NULL, written TEXT NOT NULL, stem TEXT NOT NULL, is_lemma INTEGER NOT NULL, PRIMARY KEY (folded, written, stem, is_lemma)) WITHOUT ROWID;
-- The Strong's numbers of the translation, as integers (encodeStrongsNumber); forms: JSON, the commonest renderings with their counts.
CREATE TABLE tagged (number INTEGER PRIMARY KEY, forms TEXT NOT NULL, postings BLOB NOT NULL);
`;

/** Returns the id of a stem's first spelling. Fewer than 2^20 others follow. A single integer key halves the pages. */
export const firstFormId = (stemNumber: number): number => stemNumber * 2 ** 20;

/** The entry of a translation in concordance-catalogue.sqlite. */
export interface ConcordanceEntry {
  readonly identifier: string;
  /** The language code of ISO 639-3. */
  readonly language: string;
  /** True if only keys with a grant may read the translation. */
  readonly restricted?: true;
  readonly books: readonly (readonly [code: BookCode, name: string])[];
  /** The time at which the file was built: ISO 8601, in UTC. */
  readonly builtAt: string;
  readonly strongsNumbers: StrongsRanges;
}

/** Strong's numbers as ranges, by letter: `{ G: [1, 3, 5, 6] }` means G1 to G3, and G5 to G6. */
export type StrongsRanges = Readonly<Record<string, readonly number[]>>;

/** The application id is "LStr" in ASCII. Increase the version if the table, or the rules for reading, change. */
export const strongsFileKind: ChecksummedFileKind = {
  name: "file of Strong's dictionaries",
  applicationId: 0x4c537472,
  formatVersion: '3',
};

export const strongsTables =
  'CREATE TABLE lexicon (number TEXT PRIMARY KEY, lemma TEXT, spellings TEXT NOT NULL, transliteration TEXT, definition TEXT) WITHOUT ROWID';

export interface VerseRow {
  ordinal: number;
  text: string;
  words: Buffer;
  tags: Buffer | null;
}

/** A verse whose words and tags are decoded at their first use. */
export interface IndexedVerse extends Place {
  readonly translation: ConcordanceTranslation;
  readonly text: string;
  words(): readonly IndexedWord[];
  /** Returns the spans that are tagged with Strong's numbers, sorted by start. */
  tags(): readonly WordTag[];
}

export function indexedVerse(
  translation: ConcordanceTranslation,
  { ordinal, text, words, tags }: VerseRow,
): IndexedVerse {
  let decodedWords: readonly IndexedWord[] | undefined;
  let decodedTags: readonly WordTag[] | undefined;
  return {
    ...placeOf(ordinal),
    translation,
    text,
    words: () => (decodedWords ??= decodeWords(words)),
    tags: () => (decodedTags ??= tags === null ? [] : decodeTags(tags)),
  };
}

/** A stem, which is common to all forms of a word: `misericordi` for `misericordia` and `misericordioso`. */
export interface StemEntry {
  /** The stem itself, or its lemmas separated by commas if there are several. */
  readonly lemma: string;
  /** The numbers of the stem in the index, one for each of its lemmas. Empty if the translation lacks the word. */
  readonly numbers: readonly number[];
  /** The entries of the separate lemmas, if there are several. */
  readonly parts?: readonly StemEntry[];
  /** The spellings with their verses, those of the most frequent form first. */
  readonly spellings: readonly { readonly text: string; readonly postings: Postings }[];
  readonly postings: Postings;
}

/** A stem in the word index, which lists stems alphabetically. */
export interface WordIndexEntry {
  readonly lemma: string;
  /** The most frequent form of the stem. */
  readonly displayForm: string;
  readonly verseCount: number;
  readonly totalOccurrences: number;
}

export type ConcordanceFiles = TranslationFiles<ConcordanceTranslation, ConcordanceContent>;

export type ConcordanceFilesOptions = Pick<
  TranslationFilesOptions<ConcordanceTranslation, ConcordanceContent>,
  'dataDir' | 'memory' | 'report' | 'onStatement'
>;

/** Opens each concordance.sqlite at need. Throws an error of one line if the catalogue cannot be read. */
export const openConcordanceFiles = (options: ConcordanceFilesOptions) =>
  openTranslationFiles<ConcordanceTranslation, ConcordanceContent>({
    ...options,
    kind: concordanceFileKind,
    toEntry: ({ entry, textDigest }) => concordanceTranslation(JSON.parse(entry) as ConcordanceEntry, textDigest),
    readContent: (db) => ({ content: readContent(db), bytes: 0 }),
  });

export type ConcordanceContent = ReturnType<typeof readContent>;

function readContent(db: Database) {
  const selectTagged = db.prepare<[number], { forms: string; postings: Buffer }>(
    'SELECT forms, postings FROM tagged WHERE number = ?',
  );
  // CROSS JOIN fixes the join order: SQLite looks up each ordinal by key and never scans the table of verses.
  const ofVerses = 'FROM json_each(?) AS place CROSS JOIN verse AS v ON v.ordinal = place.value';
  const selectVerses = db.prepare<[string], VerseRow>(`SELECT v.ordinal, v.text, v.words, v.tags ${ofVerses}`);
  // Rows are read as arrays, which takes half the time of objects.
  const selectTexts = db
    .prepare<[string], [ordinal: number, text: string, words: Buffer]>(`SELECT v.ordinal, v.text, v.words ${ofVerses}`)
    .raw(true);
  const selectWords = db.prepare<[string], Buffer>(`SELECT v.words ${ofVerses}`).pluck();
  const selectStem = db.prepare<[string], number>('SELECT number FROM stem WHERE text = ?').pluck();
  const selectForms = db.prepare<[number, number], { text: string; postings: Buffer }>(
    'SELECT text, postings FROM form WHERE id >= ? AND id < ? ORDER BY id',
  );
  const selectStemCounts = db
    .prepare<[string, number], [text: string, number: number, occurrences: number, isInIndex: 0 | 1]>(
      'SELECT text, number, occurrences, place IS NOT NULL FROM stem WHERE text > ? ORDER BY text LIMIT ?',
    )
    .raw(true);
  const selectDisplayForm = db.prepare<[number], string>('SELECT text FROM form WHERE id = ?').pluck();
  const selectPlace = db.prepare<[string], number | null>('SELECT place FROM stem WHERE text = ?').pluck();
  const selectSpellings = db.prepare<[string], { written: string; stem: string; isLemma: number }>(
    'SELECT written, stem, is_lemma AS isLemma FROM spelling WHERE folded = ? ORDER BY is_lemma DESC, stem',
  );
  const selectLemma = db
    .prepare<[string, number], string>(
      'SELECT s.text FROM spelling CROSS JOIN stem AS s ON s.text = stem WHERE folded = ? AND s.number = ?',
    )
    .pluck();
  const hasLemmas = db.prepare('SELECT 1 FROM spelling LIMIT 1').get() !== undefined;

  return {
    readStem(lemma: string): StemEntry {
      const number = selectStem.get(lemma);
      if (number === undefined) return { lemma, numbers: [], spellings: [], postings: noPostings };
      const spellings = selectForms
        .all(firstFormId(number), firstFormId(number + 1))
        .map(({ text, postings }) => ({ text, postings: decodePostings(postings) }));
      return { lemma, numbers: [number], spellings, postings: uniteAll(spellings.map(({ postings }) => postings)) };
    },

    /** Whether the stems are lemmas (dictionary forms), which the source marks. Otherwise a stemmer makes them. */
    hasLemmas,

    /** Finds a word's possible lemmas, or only that with its spelling. Compares points and accents if it has some. */
    findLemmas(word: string): string[] {
      const written = withoutCantillation(word.normalize('NFC'));
      const rows = selectSpellings.all(foldWord(word));
      const exact = rows.find((row) => row.isLemma === 1 && withoutCantillation(row.written) === written);
      if (exact) return [exact.stem];
      const matches = spellingTest(written);
      return [...new Set(rows.filter((row) => matches(row.written)).map(({ stem }) => stem))];
    },

    /** Reads the lemma that has this form. `stem` is the number of its stem. */
    readLemma: (stem: number, form: string): string | undefined => selectLemma.get(foldWord(form), stem),

    /** Reads the verses with a Strong's number, and the number's most frequent renderings as JSON (`FormCount`). */
    readTagged: (strongsNumber: string) => selectTagged.get(encodeStrongsNumber(strongsNumber)),

    /** Reads verses with one SQL statement. Leaves out missing verses. */
    readVerses: (ordinals: readonly number[]) =>
      ordinals.length === 0 ? [] : selectVerses.all(JSON.stringify(ordinals)),
    readTexts: (ordinals: readonly number[]) => selectTexts.all(JSON.stringify(ordinals)),
    /** Reads the words of verses, as encoded bytes, with one SQL statement. */
    readWords: (ordinals: readonly number[]) => selectWords.all(JSON.stringify(ordinals)),

    /** Reads the counts of at most `limit` stems, in the order of their texts, starting after `afterText`. */
    readStemCounts: (afterText: string, limit: number) => selectStemCounts.all(afterText, limit),

    readDisplayForm: (stem: number) => selectDisplayForm.get(firstFormId(stem)),

    /** Returns the position of a stem in the word index. Null for a function word or an unknown stem. */
    readPlace: (lemma: string): number | null => selectPlace.get(lemma) ?? null,

    readWordIndex: createReadWordIndex(db, hasLemmas),
  };
}

/** Reads at most `limit` stems of the word index, starting after the position `afterPlace`. */
function createReadWordIndex(db: Database, hasLemmas: boolean) {
  const columns = 'text AS lemma, display_form AS displayForm, verses AS verseCount, occurrences AS totalOccurrences';
  const isListed = 'place IS NOT NULL AND place > ? AND occurrences >= ? ORDER BY place LIMIT ?';
  const selectIndex = db.prepare<[number, number, number], WordIndexEntry>(
    `SELECT ${columns} FROM stem WHERE ${isListed}`,
  );
  const hasPrefix = hasLemmas
    ? 'text IN (SELECT stem FROM spelling WHERE folded >= ? AND folded < ? AND is_lemma = 1)'
    : 'text >= ? AND text < ?';
  const selectByPrefix = db.prepare<[string, string, number, number, number], WordIndexEntry>(
    `SELECT ${columns} FROM stem WHERE ${hasPrefix} AND ${isListed}`,
  );
  return (afterPlace: number, prefix: string | null, minOccurrences: number, limit: number) =>
    prefix === null
      ? selectIndex.all(afterPlace, minOccurrences, limit)
      : selectByPrefix.all(prefix, `${prefix}\u{10ffff}`, afterPlace, minOccurrences, limit);
}

/** Joins Strong's numbers (such as G26, which identifies a Greek word) into ranges. */
export function toStrongsRanges(numbers: Iterable<string>): StrongsRanges {
  const ranges: Record<string, number[]> = {};
  const sorted = Array.from(numbers, (number) => ({ letter: number.slice(0, 1), value: Number(number.slice(1)) }));
  for (const { letter, value } of sorted.sort((a, b) => a.value - b.value)) {
    const bounds = (ranges[letter] ??= []);
    if (bounds.at(-1) === value - 1) bounds[bounds.length - 1] = value;
    else bounds.push(value, value);
  }
  return ranges;
}

function isInStrongsRanges(ranges: StrongsRanges, number: string): boolean {
  const bounds = ranges[number.slice(0, 1)] ?? [];
  const value = Number(number.slice(1));
  for (let index = 0; index < bounds.length; index += 2)
    if (value >= (bounds[index] ?? 0) && value <= (bounds[index + 1] ?? 0)) return true;
  return false;
}

export type Compare = (a: string, b: string) => number;

/** Compares in the alphabetical order of a language (ISO 639-3): ñ after n. Unsupported ones sort like English. */
export function alphabetical(language: string): Compare {
  const isSupported = Intl.Collator.supportedLocalesOf([language]).length > 0;
  const collator = new Intl.Collator(isSupported ? [language] : ['en']);
  return (a, b) => collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
}

export interface SurfaceForm {
  readonly text: string;
  readonly occurrences: number;
}

/** The maximum number of forms in the lists `surfaceForms` and `formCounts` of a word. */
export const maxSurfaceForms = 10;
export const maxFormCounts = 100;

/** Returns a key that ignores case (`Amor`, `amor`), cantillation marks, soft hyphens and word joiners. */
export const formKey = (written: string): string =>
  withoutCantillation(
    written
      .replace(/[\u00ad\u2060]/g, '')
      .normalize('NFC')
      .replaceAll('\u2019', "'")
      .toLowerCase(),
  );

/** Compares by count, the largest first, and equal counts with `compare`. */
export const byCount =
  (compare: Compare) =>
  (a: SurfaceForm, b: SurfaceForm): number =>
    b.occurrences - a.occurrences || compare(a.text, b.text);

/** A translation as the concordance index stores it. */
export interface ConcordanceTranslation extends Pick<ConcordanceEntry, 'identifier' | 'language' | 'builtAt'> {
  /** A part of cache keys. It changes when the words of the translation change. */
  readonly cacheKey: string;
  /** Returns whether a word of the translation is tagged with this Strong's number. */
  hasStrongsNumber(number: string): boolean;
  bookName(code: BookCode): string;
  /** Finds a book by its code, name or abbreviation. Returns null if the text names no book, or several. */
  findBook(text: string): Book | null;
  compare: Compare;
}

function concordanceTranslation(
  { identifier, language, books, builtAt, strongsNumbers }: ConcordanceEntry,
  textDigest: string,
): ConcordanceTranslation {
  let compare: Compare | undefined;
  return {
    identifier,
    language,
    cacheKey: `${identifier} ${textDigest.slice(0, 16)}`,
    builtAt,
    hasStrongsNumber: (number) => isInStrongsRanges(strongsNumbers, number),
    ...createBookNames({ language, books: books.map(([code, name]) => ({ code, name })) }),
    compare(a, b) {
      // Created at its first use, because a collator takes a millisecond and 10 kB of memory.
      compare ??= alphabetical(language);
      return compare(a, b);
    },
  };
}
