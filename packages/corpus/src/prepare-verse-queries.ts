import type Database from 'better-sqlite3';
import type { StoredVerse } from './convert-to-stored-translation';

/**
 * Prepares the statements that read verses of one translation. An ordinal is the place of a verse
 * as one number, which sorts verses in canonical order.
 */
export function prepareTextQueries(db: Database.Database) {
  // Selects only the texts, because a row of one value costs half as much as an object. The caller
  // knows the ordinals.
  const textOf = db.prepare<[number], string>('SELECT text FROM verse WHERE ordinal = ?').pluck();
  const textsBetween = db
    .prepare<[number, number], string>('SELECT text FROM verse WHERE ordinal BETWEEN ? AND ? ORDER BY ordinal')
    .pluck();
  // LEFT JOIN fixes the order of the joins: SQLite looks up each place by key and never scans the
  // translation. The result has one row per place, with null for a place without a verse.
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
    /** Returns the text of a verse, or undefined if there is no such verse. */
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
    tagsOf(ordinals: Iterable<number>): Map<number, string> {
      const rows = tagsOfPlaces.all(JSON.stringify([...ordinals]));
      return new Map(rows.map((row) => [row.ordinal, row.tags]));
    },
    /** Returns the encoded layouts by ordinal. Verses without layout are absent. */
    layoutsOf(ordinals: Iterable<number>): Map<number, string> {
      const rows = layoutsOfPlaces.all(JSON.stringify([...ordinals]));
      return new Map(rows.map((row) => [row.ordinal, row.layout]));
    },
    /** Returns the first 1,000 verses after an ordinal, in canonical order. */
    pageAfter: (ordinal: number): StoredVerse[] => pageAfter.all(ordinal),
  };
}

export type TextQueries = ReturnType<typeof prepareTextQueries>;
