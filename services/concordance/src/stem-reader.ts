import type { Database } from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import type { Postings } from './postings';
import { decodePostings, noPostings, unite } from './postings';

export interface StemForm {
  readonly text: string;
  readonly postings: Postings;
}

/** A stem of one translation with its forms. */
export interface StemEntry {
  /** The stem as text. */
  readonly lemma: string;
  /** The number of the stem in the index. Null if the translation has no word of this stem. */
  readonly number: number | null;
  /** The written forms of the stem, the commonest form first. */
  readonly forms: readonly StemForm[];
  /** The united postings of all forms. */
  readonly postings: Postings;
}

/** Bounds the cache to about 24 MB: about a thousand common stems, or all rare stems. */
const maxCachedVerses = 1_500_000;

/** Reads stems and their postings from the index, through an LRU cache. */
export function createStemReader(db: Database) {
  const selectStem = db.prepare<[number, string], { number: number }>(
    'SELECT number FROM stem WHERE edition = ? AND text = ?',
  );
  const selectForms = db.prepare<[number, number], { text: string; postings: Buffer }>(
    'SELECT text, postings FROM form WHERE edition = ? AND stem = ? ORDER BY rank',
  );
  const cache = new LRUCache<string, StemEntry>({
    maxSize: maxCachedVerses,
    sizeCalculation: (entry) =>
      1 + entry.postings.ordinals.length + entry.forms.reduce((sum, form) => sum + form.postings.ordinals.length, 0),
  });

  const readEntry = (translationNumber: number, lemma: string): StemEntry => {
    const row = selectStem.get(translationNumber, lemma);
    if (!row) return { lemma, number: null, forms: [], postings: noPostings };
    const forms = selectForms
      .all(translationNumber, row.number)
      .map(({ text, postings }) => ({ text, postings: decodePostings(postings) }));
    return {
      lemma,
      number: row.number,
      forms,
      postings: forms.reduce((sum, form) => unite(sum, form.postings), noPostings),
    };
  };

  return {
    /** Returns an entry without forms if the translation has no word of this stem. */
    stemEntry(translationNumber: number, lemma: string): StemEntry {
      const key = `${translationNumber} ${lemma}`;
      const cached = cache.get(key);
      if (cached) return cached;
      const entry = readEntry(translationNumber, lemma);
      // Clients can send any number of unknown words, so only existing stems are cached.
      if (entry.number !== null) cache.set(key, entry);
      return entry;
    },
  };
}

export type StemReader = ReturnType<typeof createStemReader>;
