import type { Database } from 'better-sqlite3';
import { withoutAccents } from '../script/fold';
import type { LexiconEntry } from './entry';
import { unpackEntry } from './read-lexicons';

/** The number of words of the original texts that have the lemma of an entry. */
export interface Occurrences {
  readonly books: readonly { readonly book: number; readonly words: number }[];
  readonly forms: readonly { readonly surface: string; readonly words: number }[];
}

/** Creates the functions that read the lexicons in originals.sqlite. */
export function createLexiconReader(db: Database) {
  const selectById = db.prepare<[string], { content: string }>(
    'SELECT e.content FROM json_each(?) AS place CROSS JOIN lexicon_entry AS e ON e.id = place.value',
  );
  const selectByNumber = db.prepare<[string], { strongs: string; content: string }>(
    `SELECT DISTINCT n.strongs, e.number, e.content FROM json_each(?) AS place
     CROSS JOIN lexicon_number AS n ON n.strongs = place.value
     CROSS JOIN lexicon_entry AS e ON e.number = n.entry ORDER BY e.number`,
  );
  // An entry whose Strong's number has no letter (H1254 instead of H1254a) covers all words with this number.
  const lemmas = `SELECT DISTINCT l.number FROM json_each(?) AS place
    CROSS JOIN lemma_number AS n ON n.strongs = place.value ->> 'number' CROSS JOIN lemma AS l ON l.number = n.lemma AND (place.value ->> 'letter' IN ('', l.letter) OR l.letter IS NULL)`;
  const selectBooks = db.prepare<[string], { book: number; words: number }>(
    `SELECT book, sum(words) AS words FROM lemma_book WHERE lemma IN (${lemmas}) GROUP BY book ORDER BY book`,
  );
  const selectForms = db.prepare<[string], { surface: string; words: number }>(
    `SELECT f.surface, sum(c.words) AS words FROM lemma_form AS c JOIN form AS f ON f.number = c.form
     WHERE c.lemma IN (${lemmas}) GROUP BY f.number ORDER BY words DESC, f.surface`,
  );

  return {
    /** Reads entries, in the order of `ids`. The item of an unknown id is null. */
    entries(ids: readonly string[]): (LexiconEntry | null)[] {
      const found = selectById.all(JSON.stringify([...new Set(ids)])).map(({ content }) => unpackEntry(content));
      const byId = new Map(found.map((entry) => [entry.id, entry]));
      return ids.map((id) => byId.get(id) ?? null);
    },

    /** Returns the entries of each Strong's number, in the order of the lexicons. */
    entriesOfNumbers(numbers: readonly string[]): LexiconEntry[][] {
      const byNumber = new Map<string, LexiconEntry[]>(numbers.map((number) => [number, []]));
      for (const { strongs, content } of selectByNumber.all(JSON.stringify([...byNumber.keys()])))
        byNumber.get(strongs)?.push(unpackEntry(content));
      return numbers.map((number) => byNumber.get(number) ?? []);
    },

    /** Counts the words of an entry. Books are in canonical order, and forms are sorted by frequency. */
    occurrences({ strongs }: LexiconEntry): Occurrences {
      const numbers = JSON.stringify(strongs);
      const forms = new Map<string, number>();
      for (const { surface, words } of selectForms.all(numbers)) {
        const written = writtenForm(surface);
        forms.set(written, (forms.get(written) ?? 0) + words);
      }
      return {
        books: selectBooks.all(numbers),
        forms: Array.from(forms, ([surface, words]) => ({ surface, words })).sort((a, b) => b.words - a.words),
      };
    },
  };
}

/** Forms that differ only in cantillation marks, or by a grave for an acute accent, have the same key. */
const writtenForm = (surface: string): string =>
  /\p{Script=Hebrew}/u.test(surface)
    ? withoutAccents(surface.replaceAll('/', ''))
    : surface.normalize('NFD').replaceAll('\u0300', '\u0301').normalize('NFC');

export type LexiconReader = ReturnType<typeof createLexiconReader>;
