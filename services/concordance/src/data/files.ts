import { ordinalParts, type Place } from '@lectern/canon';
import type { WordTag } from '@lectern/corpus';
import { openTranslationFiles, type TranslationFiles, type TranslationFilesOptions } from '@lectern/data-files';
import { foldWord, spellingTest, withoutCantillation } from '@lectern/words';
import type { Database } from 'better-sqlite3';
import { type ConcordanceEntry, concordanceFileKind, firstFormId } from './tables';
import { type ConcordanceTranslation, concordanceTranslation } from './translation';
import { decodePostings, noPostings, type Postings, uniteAll } from './postings';
import { decodeTags, decodeWords, encodeStrongsNumber, type IndexedWord } from './words';

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
  const place = ordinalParts(ordinal);
  if (!place) throw new Error(`${ordinal} is not the ordinal of a verse`);
  let decodedWords: readonly IndexedWord[] | undefined;
  let decodedTags: readonly WordTag[] | undefined;
  return {
    ...place,
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

/**
 * Opens the concordance.sqlite of each translation when a request needs it. Throws an error of one line if the
 * catalogue that lists the translations cannot be read.
 */
export const openConcordanceFiles = (options: ConcordanceFilesOptions): ConcordanceFiles =>
  openTranslationFiles<ConcordanceTranslation, ConcordanceContent>({
    ...options,
    kind: concordanceFileKind,
    toEntry: ({ entry, textDigest }) => concordanceTranslation(JSON.parse(entry) as ConcordanceEntry, textDigest),
    readContent: (db) => ({ content: readContent(db), bytes: 0 }),
  });

/** The functions that read an open concordance.sqlite. */
export type ConcordanceContent = ReturnType<typeof readContent>;

function readContent(db: Database) {
  const selectTagged = db.prepare<[number], { forms: string; postings: Buffer }>(
    'SELECT forms, postings FROM tagged WHERE number = ?',
  );
  // CROSS JOIN fixes the join order, so that SQLite looks up each ordinal by key and never scans
  // the table of verses.
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
  const columns = 'text AS lemma, display_form AS displayForm, verses AS verseCount, occurrences AS totalOccurrences';
  const isListed = 'place IS NOT NULL AND place > ? AND occurrences >= ? ORDER BY place LIMIT ?';
  const selectIndex = db.prepare<[number, number, number], WordIndexEntry>(
    `SELECT ${columns} FROM stem WHERE ${isListed}`,
  );
  const selectIndexByPrefix = db.prepare<[string, string, number, number, number], WordIndexEntry>(
    `SELECT ${columns} FROM stem WHERE text >= ? AND text < ? AND ${isListed}`,
  );

  const selectSpellings = db.prepare<[string], { written: string; stem: string; isLemma: number }>(
    'SELECT written, stem, is_lemma AS isLemma FROM spelling WHERE folded = ? ORDER BY is_lemma DESC, stem',
  );
  const selectLemma = db
    .prepare<[string, number], string>(
      'SELECT s.text FROM spelling CROSS JOIN stem AS s ON s.text = stem WHERE folded = ? AND s.number = ?',
    )
    .pluck();
  const selectIndexByLemmaPrefix = db.prepare<[string, string, number, number, number], WordIndexEntry>(
    `SELECT ${columns} FROM stem WHERE text IN (SELECT stem FROM spelling WHERE folded >= ? AND folded < ? AND is_lemma = 1) AND ${isListed}`,
  );
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

    /**
     * Finds the lemmas to which a word may belong. Points and accents are compared if the word has some. A word that is
     * spelled exactly like a lemma belongs only to this lemma.
     */
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

    /** Reads at most `limit` stems of the word index, starting after the position `afterPlace`. */
    readWordIndex: (afterPlace: number, prefix: string | null, minOccurrences: number, limit: number) =>
      prefix === null
        ? selectIndex.all(afterPlace, minOccurrences, limit)
        : (hasLemmas ? selectIndexByLemmaPrefix : selectIndexByPrefix).all(prefix, `${prefix}\u{10ffff}`, afterPlace, minOccurrences, limit),
  };
}
