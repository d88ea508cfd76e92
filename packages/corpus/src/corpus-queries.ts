import type Database from 'better-sqlite3';

export interface VerseRow {
  ordinal: number;
  text: string;
}

/** Prepares the statements that read verses. `number` is the number of a translation in the file. */
export function prepareCorpusQueries(db: Database.Database) {
  const verse = db.prepare<[number, number], VerseRow>(
    'SELECT ordinal, text FROM verse WHERE edition = ? AND ordinal = ?',
  );
  // Selects only the texts, because a row of one value costs half as much as an object. The caller knows the ordinals.
  const textsBetween = db
    .prepare<[number, number, number], string>(
      'SELECT text FROM verse WHERE edition = ? AND ordinal BETWEEN ? AND ? ORDER BY ordinal',
    )
    .pluck();
  // LEFT JOIN fixes the order of the joins: SQLite looks up each place by key and never scans the translation.
  // The result has one row per place, with null for a place without a verse.
  const textsOfPlaces = db
    .prepare<[string, number], string | null>(
      'SELECT v.text FROM json_each(?) AS place LEFT JOIN verse AS v ON v.edition = ? AND v.ordinal = place.value ORDER BY place.key',
    )
    .pluck();
  // CROSS JOIN fixes the order of the joins too, but gives no row for a place without tags.
  const tagsOfPlaces = db.prepare<[string, number], { ordinal: number; tags: string }>(
    'SELECT w.ordinal, w.tags FROM json_each(?) AS place CROSS JOIN word_tags AS w ON w.edition = ? AND w.ordinal = place.value',
  );
  const pageAfter = db.prepare<[number, number], VerseRow & { tags: string | null }>(
    'SELECT v.ordinal, v.text, w.tags FROM verse AS v LEFT JOIN word_tags AS w ON w.edition = v.edition AND w.ordinal = v.ordinal ' +
      'WHERE v.edition = ? AND v.ordinal > ? ORDER BY v.ordinal LIMIT 1000',
  );

  return {
    verse: (number: number, ordinal: number): VerseRow | undefined => verse.get(number, ordinal),
    /**
     * Returns the texts of the verses from one ordinal to another, both included, in canonical
     * order.
     */
    textsBetween: (number: number, from: number, to: number): string[] => textsBetween.all(number, from, to),
    /**
     * Returns one text per ordinal, in the order of `ordinals`. A text is null if there is no such
     * verse.
     */
    textsOf: (number: number, ordinals: readonly number[]): (string | null)[] =>
      textsOfPlaces.all(JSON.stringify(ordinals), number),
    /** Returns the encoded tags by ordinal. Verses without tags are absent. */
    tagsOf(number: number, ordinals: Iterable<number>): Map<number, string> {
      const rows = tagsOfPlaces.all(JSON.stringify([...ordinals]), number);
      return new Map(rows.map((row) => [row.ordinal, row.tags]));
    },
    /**
     * Yields all verses in canonical order. Reads pages of 1,000 verses: an open cursor would block
     * other statements.
     */
    *allVerses(number: number): IterableIterator<VerseRow & { tags: string | null }> {
      for (
        let page = pageAfter.all(number, 0);
        page.length > 0;
        page = pageAfter.all(number, page.at(-1)?.ordinal ?? Infinity)
      )
        yield* page;
    },
  };
}
