import type { Database } from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { firstFormId } from './formats';
import type { Postings } from './postings';
import { decodePostings, noPostings, unite } from './postings';

interface StemForm {
  readonly text: string;
  readonly postings: Postings;
}

/**
 * A stem of one translation with its forms. A stem is what the forms of a word have in common:
 * `misericordi` of `misericordia` and `misericordioso`.
 */
export interface StemEntry {
  /** The stem as text. */
  readonly lemma: string;
  /** The number of the stem in the index. Null if the translation has no word of this stem. */
  readonly number: number | null;
  /** The written forms of the stem, the commonest form first. */
  readonly forms: readonly StemForm[];
  /** The verses that contain any of the forms, and how often each verse contains them. */
  readonly postings: Postings;
}

/** Bounds the cache of stems to about 24 MB, enough for nearly all stems of one translation. */
const maxCachedVerses = 1_500_000;

type StemCache = LRUCache<string, StemEntry>;

/** Creates the cache of stems, which all translations share. */
export const createStemCache = (): StemCache =>
  new LRUCache<string, StemEntry>({
    maxSize: maxCachedVerses,
    sizeCalculation: (entry) =>
      1 + entry.postings.ordinals.length + entry.forms.reduce((sum, form) => sum + form.postings.ordinals.length, 0),
  });

/** Returns a function that reads a stem with its forms and verses from concordance.sqlite. */
export function createStemReader(db: Database): (lemma: string) => StemEntry {
  const selectStem = db.prepare<[string], { number: number }>('SELECT number FROM stem WHERE text = ?');
  const selectForms = db.prepare<[number, number], { text: string; postings: Buffer }>(
    'SELECT text, postings FROM form WHERE id >= ? AND id < ? ORDER BY id',
  );
  return (lemma) => {
    const row = selectStem.get(lemma);
    if (!row) return { lemma, number: null, forms: [], postings: noPostings };
    const forms = selectForms
      .all(firstFormId(row.number), firstFormId(row.number + 1))
      .map(({ text, postings }) => ({ text, postings: decodePostings(postings) }));
    return {
      lemma,
      number: row.number,
      forms,
      postings: forms.reduce((sum, form) => unite(sum, form.postings), noPostings),
    };
  };
}

/**
 * How often each stem of a translation occurs, by the number of the stem. Forms of one word have
 * one stem.
 */
export interface StemCounts {
  readonly occurrences: Int32Array;
  /** 1 for a stem in the word index, 0 for a function word such as `the`. */
  readonly isInIndex: Uint8Array;
  readonly totalWords: number;
}

/** A row of the table `stem`. `isInIndex` is 1 if the stem is in the word index. */
type StemCountRow = [text: string, number: number, occurrences: number, isInIndex: 0 | 1];

/** Reads the stems that follow a text, at most `limit` of them, sorted by text. */
export type ReadStemCounts = (afterText: string, limit: number) => StemCountRow[];

/** The number of stems between two pauses, which are read in about a millisecond. */
const stemsPerStep = 1_500;

export function createStemCountReader(db: Database): ReadStemCounts {
  const select = db
    .prepare<[string, number], StemCountRow>(
      'SELECT text, number, occurrences, place IS NOT NULL FROM stem WHERE text > ? ORDER BY text LIMIT ?',
    )
    .raw(true);
  return (afterText, limit) => select.all(afterText, limit) as unknown as StemCountRow[];
}

/**
 * Reads the counts of all stems. Yields before each step, so that other requests are executed in
 * between. Returns null if `read` returns null, because the file was replaced meanwhile.
 */
export function* readStemCounts(
  read: (...args: Parameters<ReadStemCounts>) => StemCountRow[] | null,
): Generator<void, StemCounts | null> {
  const rows: StemCountRow[] = [];
  for (let isLast = false; !isLast; ) {
    yield;
    const next = read(rows.at(-1)?.[0] ?? '', stemsPerStep);
    if (next === null) return null;
    rows.push(...next);
    isLast = next.length < stemsPerStep;
  }
  const counts = { occurrences: new Int32Array(rows.length), isInIndex: new Uint8Array(rows.length), totalWords: 0 };
  for (const [, number, occurrences, isInIndex] of rows) {
    counts.occurrences[number] = occurrences;
    counts.isInIndex[number] = isInIndex;
    counts.totalWords += occurrences;
  }
  return counts;
}
