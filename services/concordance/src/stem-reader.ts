import type Database from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import type { Postings } from './postings';
import { decodePostings, noPostings, unite } from './postings';

export interface StemForm {
  readonly text: string;
  readonly postings: Postings;
}

/** The words that share a stem in one edition. */
export interface StemEntry {
  readonly lemma: string;
  /** Null when the edition has no word of this stem. */
  readonly number: number | null;
  /** Commonest first. */
  readonly forms: readonly StemForm[];
  /** Of all its forms. */
  readonly postings: Postings;
}

/** About 24 MB: the groups of some thousand common words, or of all the rare ones. */
const mostVersesKept = 1_500_000;

/** Reads groups of words, and keeps those that are asked for often. */
export function createStemReader(db: Database.Database) {
  const stem = db.prepare<[number, string], { number: number }>(
    'SELECT number FROM stem WHERE edition = ? AND text = ?',
  );
  const forms = db.prepare<[number, number], { text: string; postings: Buffer }>(
    'SELECT text, postings FROM form WHERE edition = ? AND stem = ? ORDER BY rank',
  );
  const kept = new LRUCache<string, StemEntry>({
    maxSize: mostVersesKept,
    sizeCalculation: (group) =>
      1 + group.postings.ordinals.length + group.forms.reduce((sum, form) => sum + form.postings.ordinals.length, 0),
  });

  const read = (edition: number, lemma: string): StemEntry => {
    const row = stem.get(edition, lemma);
    if (!row) return { lemma, number: null, forms: [], postings: noPostings };
    const found = forms
      .all(edition, row.number)
      .map(({ text, postings }) => ({ text, postings: decodePostings(postings) }));
    return {
      lemma,
      number: row.number,
      forms: found,
      postings: found.reduce((sum, form) => unite(sum, form.postings), noPostings),
    };
  };

  return {
    /** The group of a stem; an empty one where the edition has no such word. */
    group(edition: number, lemma: string): StemEntry {
      const key = `${edition} ${lemma}`;
      const known = kept.get(key);
      if (known) return known;
      const group = read(edition, lemma);
      // Words that nobody wrote are as many as anybody likes to ask for: only those that are there are worth their room.
      if (group.number !== null) kept.set(key, group);
      return group;
    },
  };
}

export type StemReader = ReturnType<typeof createStemReader>;
