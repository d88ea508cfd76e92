import { hasStemmer, stemmerFor } from '@lectern/words';
import type { Database } from 'better-sqlite3';
import type { IndexedTranslation, IndexedVerse } from '../store';
import { searchTokens } from './search-tokens';

/**
 * One row an edition. `terms`, `written` and `stems` are lines, a word each, in the order of the words' numbers; the rest are arrays of
 * 32-bit numbers: for each verse its ordinal, for each word the verses that hold it, and the verses as numbers of words (see WordStream).
 */
export const fullTextSchema = `
CREATE TABLE full_text (
  edition INTEGER PRIMARY KEY, terms TEXT NOT NULL, written TEXT NOT NULL, stems TEXT NOT NULL,
  verses BLOB NOT NULL, ordinals BLOB NOT NULL, starts BLOB NOT NULL, words BLOB NOT NULL
);
`;

export const ftsTable = (edition: IndexedTranslation): string => `full_text_${edition.number}`;

interface Word {
  /** In the order met. */
  readonly number: number;
  readonly folded: string;
  verses: number;
  lastVerse: number;
  /** Its spellings, and how often each. */
  readonly spellings: Map<string, number>;
}

/** Writes what full-text search reads of one edition. The verses come in canonical order. */
export function writeFullTextIndex(
  db: Database,
  edition: IndexedTranslation,
  verses: Iterable<IndexedVerse>,
): { verses: number; terms: number } {
  // A table an edition: the common words of one do not lengthen the lists of another. Words come folded and with blanks between, so the
  // plainest tokenizer does; which words stand in which column of a verse is all that is asked of it.
  db.exec(
    `CREATE VIRTUAL TABLE ${ftsTable(edition)} USING fts5(exact, stem, content='', detail=column, columnsize=0, prefix='2 3 4', tokenize='ascii')`,
  );
  const insert = db.prepare(`INSERT INTO ${ftsTable(edition)} (rowid, exact, stem) VALUES (?, ?, ?)`);
  const stem = rememberedStems(edition.language);
  const words = new Map<string, Word>();
  const stream: number[] = [];
  const starts = [0];
  const ordinals: number[] = [];

  for (const { ordinal, text } of verses) {
    const verse = ordinals.length;
    const met: Word[] = searchTokens(text).map((token) => {
      const word = words.get(token.folded) ?? {
        number: words.size,
        folded: token.folded,
        verses: 0,
        lastVerse: -1,
        spellings: new Map(),
      };
      words.set(token.folded, word);
      word.spellings.set(token.text, (word.spellings.get(token.text) ?? 0) + 1);
      if (word.lastVerse !== verse) word.verses += 1;
      word.lastVerse = verse;
      return word;
    });
    for (const { number } of met) stream.push(number);
    starts.push(stream.length);
    ordinals.push(ordinal);
    // Where there is no stemmer, a word's only form is itself, and the first column knows it.
    insert.run(
      verse,
      met.map(({ folded }) => folded).join(' '),
      hasStemmer(edition.language) ? met.map(({ folded }) => stem(folded)).join(' ') : '',
    );
  }
  db.exec(`INSERT INTO ${ftsTable(edition)} (${ftsTable(edition)}) VALUES ('optimize')`);

  const sorted = [...words.values()].sort((a, b) => (a.folded < b.folded ? -1 : 1));
  const renumbered = new Uint32Array(sorted.length);
  for (const [number, word] of sorted.entries()) renumbered[word.number] = number;
  db.prepare(
    'INSERT INTO full_text (edition, terms, written, stems, verses, ordinals, starts, words) VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
  ).run(
    edition.number,
    sorted.map(({ folded }) => folded).join('\n'),
    sorted.map(({ spellings }) => usualSpelling(spellings)).join('\n'),
    sorted.map(({ folded }) => stem(folded)).join('\n'),
    bytes(sorted.map((word) => word.verses)),
    bytes(ordinals),
    bytes(starts),
    bytes(stream.map((number) => renumbered[number] ?? 0)),
  );
  return { verses: ordinals.length, terms: sorted.length };
}

const bytes = (numbers: readonly number[]): Buffer => Buffer.from(Uint32Array.from(numbers).buffer);

function rememberedStems(language: string): (folded: string) => string {
  const stemOf = stemmerFor(language);
  const known = new Map<string, string>();
  return (folded) => {
    const stem = known.get(folded) ?? stemOf(folded);
    known.set(folded, stem);
    return stem;
  };
}

/** The commonest; one with a small first letter before any other, which only began a sentence. */
function usualSpelling(spellings: ReadonlyMap<string, number>): string {
  const ordered = [...spellings].sort(
    ([a, timesA], [b, timesB]) => Number(isCapital(a)) - Number(isCapital(b)) || timesB - timesA || (a < b ? -1 : 1),
  );
  return ordered[0]?.[0] ?? '';
}

const isCapital = (text: string): boolean => /^\p{Lu}/u.test(text);
