import type { KeysDependencies } from './key-requests';
import { query, type SqlScript } from './store/queries';

/** How many verses of a translation a key has read on a day, as often as responses had their texts. */
export interface KeyVerses {
  /** The id of the key. */
  readonly key: string;
  readonly translation: string;
  /** The day in UTC: `2026-11-29`. */
  readonly day: string;
  readonly verses: number;
}

/** By what the verses of a month are summed, and the columns beside the sum. */
export const usageColumns = {
  translation: ['translation'],
  day: ['day', 'translation'],
  key: ['key', 'translation'],
} as const;

export type UsageBy = keyof typeof usageColumns;

/** Creates the functions that store and sum the verses that keys have read. */
export function createKeyVerses({ store }: Pick<KeysDependencies, 'store'>) {
  function* addScript(counts: readonly KeyVerses[]): SqlScript<void> {
    // Two processes that write the same rows in another order could wait for each other.
    const idOf = ({ day, key, translation }: KeyVerses) => `${day} ${key} ${translation}`;
    for (const count of [...counts].sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1)))
      yield* query(
        `INSERT INTO verses_served (day, key, translation, verses) VALUES (:day, :key, :translation, :verses)
        ON CONFLICT (day, key, translation) DO UPDATE SET verses = verses_served.verses + excluded.verses`,
        { ...count },
      );
  }

  return {
    /** Adds verses to those that keys have read on their days. */
    addServedVerses: (counts: readonly KeyVerses[]) => store.write(addScript(counts)),

    /** Resolves with the sums of a month in UTC, such as `2026-11`, in the order of their columns. */
    async servedVerses(month: string, by: UsageBy): Promise<(Partial<KeyVerses> & { verses: number })[]> {
      const columns = usageColumns[by].join(', ');
      const sums = await store.read(
        query<Partial<KeyVerses>>(
          `SELECT ${columns}, SUM(verses) AS verses FROM verses_served
          WHERE day >= :first AND day <= :last GROUP BY ${columns} ORDER BY ${columns}`,
          { first: `${month}-01`, last: `${month}-31` },
        ),
      );
      // PostgreSQL returns a sum as a text, because it may be larger than any number of JavaScript.
      return sums.map((sum) => ({ ...sum, verses: Number(sum.verses) }));
    },
  };
}
