import type { KeysDependencies } from './key-requests';
import { query, type SqlScript } from './store/queries';

/** How many verses of a translation a key has read on a day, as often as responses had their texts. */
export interface KeyVerses {
  readonly keyId: string;
  readonly translation: string;
  /** The day in UTC: `2026-11-29`. */
  readonly day: string;
  readonly verses: number;
}

/** By what the verses of a month are summed, and the columns of the sums. */
export const usageColumns = {
  translation: { translation: 'translation' },
  day: { day: 'day', translation: 'translation' },
  key: { key: 'key_id', translation: 'translation' },
} as const;

export type UsageBy = keyof typeof usageColumns;

/** Creates the functions that store and sum the verses that keys have read. */
export function createKeyVerses({ store }: Pick<KeysDependencies, 'store'>) {
  function* addScript(counts: readonly KeyVerses[]): SqlScript<void> {
    // Two processes that write the same rows in another order could wait for each other.
    const sorted = counts.map((count) => ({ ...count, id: `${count.day} ${count.keyId} ${count.translation}` }));
    for (const { id: _, ...count } of sorted.sort((a, b) => (a.id < b.id ? -1 : 1)))
      yield* query(
        `INSERT INTO verses_served (day, key_id, translation, verses) VALUES (:day, :keyId, :translation, :verses)
        ON CONFLICT (day, key_id, translation) DO UPDATE SET verses = verses_served.verses + excluded.verses`,
        count,
      );
  }

  return {
    /** Adds verses to those that keys have read on their days. */
    addServedVerses: (counts: readonly KeyVerses[]) => store.write(addScript(counts)),

    /** Resolves with the sums of a month in UTC, such as `2026-11`, in the order of their columns. */
    async servedVerses(month: string, by: UsageBy): Promise<readonly Readonly<Record<string, string | number>>[]> {
      const columns = Object.entries(usageColumns[by]);
      const sums = await store.read(
        query<Record<string, string | number>>(
          `SELECT ${columns.map(([name, column]) => `${column} AS "${name}"`).join(', ')}, SUM(verses) AS verses FROM verses_served
          WHERE day >= :first AND day <= :last GROUP BY ${columns.map(([, column]) => column).join(', ')} ORDER BY ${columns.map(([, column]) => column).join(', ')}`,
          { first: `${month}-01`, last: `${month}-31` },
        ),
      );
      // PostgreSQL returns a sum as a text, because it may be larger than any number of JavaScript.
      return sums.map((sum) => ({ ...sum, verses: Number(sum['verses']) }));
    },
  };
}
