import type { Database } from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { firstFormId } from './concordance-file-formats';
import type { Postings } from './verse-postings';
import { decodePostings, noPostings, unite } from './verse-postings';

export interface StemForm {
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

export type StemCache = LRUCache<string, StemEntry>;

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
