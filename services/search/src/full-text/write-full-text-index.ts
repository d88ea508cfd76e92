import { hasStemmer, stemmerFor } from '@lectern/words';
import type { Database } from 'better-sqlite3';
import type { VerseToIndex } from '../store';
import { searchTokens } from './search-tokens';

/** If a translation has more terms, their ids have 32 bits. */
export const maxTermsOf16Bits = 65_536;

interface Term {
  /** The id of the term in the order of first occurrence. The final ids follow the sorted terms. */
  readonly provisionalId: number;
  readonly folded: string;
  verses: number;
  lastVerse: number;
  /** The number of occurrences of each spelling of the term. */
  readonly spellings: Map<string, number>;
}

interface CollectedTerms {
  terms: ReadonlyMap<string, Term>;
  /** The verses as provisional ids of terms, one verse after the other. */
  stream: readonly number[];
  starts: readonly number[];
  ordinals: readonly number[];
}

/** Writes the full-text index of a translation. The verses must be in canonical order. */
export function writeFullTextIndex(
  db: Database,
  language: string,
  verses: Iterable<VerseToIndex>,
): { verses: number; terms: number } {
  const stemOf = memoizedStems(language);
  const { terms, stream, starts, ordinals } = indexVerses(db, language, verses, stemOf);
  db.exec(`INSERT INTO verse_words (verse_words) VALUES ('optimize')`);

  const sorted = [...terms.values()].sort((a, b) => (a.folded < b.folded ? -1 : 1));
  const ids = new Uint32Array(sorted.length);
  for (const [id, term] of sorted.entries()) ids[term.provisionalId] = id;
  db.prepare(
    'INSERT INTO full_text (terms, written, stems, verses, ordinals, starts, words) VALUES (?, ?, ?, ?, ?, ?, ?)',
  ).run(
    sorted.map(({ folded }) => folded).join('\n'),
    sorted.map(({ spellings }) => commonestSpelling(spellings)).join('\n'),
    sorted.map(({ folded }) => stemOf(folded)).join('\n'),
    toBytes(sorted.map((term) => term.verses)),
    toBytes(ordinals),
    toBytes(starts),
    toTermBytes(
      stream.map((provisionalId) => ids[provisionalId] ?? 0),
      sorted.length,
    ),
  );
  return { verses: ordinals.length, terms: sorted.length };
}

/** Inserts each verse into the FTS5 table and collects the terms. */
function indexVerses(
  db: Database,
  language: string,
  verses: Iterable<VerseToIndex>,
  stemOf: (folded: string) => string,
): CollectedTerms {
  const insert = db.prepare('INSERT INTO verse_words (rowid, exact, stem) VALUES (?, ?, ?)');
  const terms = new Map<string, Term>();
  const stream: number[] = [];
  const starts = [0];
  const ordinals: number[] = [];

  for (const { ordinal, text } of verses) {
    const verse = ordinals.length;
    const verseTerms: Term[] = searchTokens(text).map((token) => {
      const term = terms.get(token.folded) ?? {
        provisionalId: terms.size,
        folded: token.folded,
        verses: 0,
        lastVerse: -1,
        spellings: new Map(),
      };
      terms.set(token.folded, term);
      term.spellings.set(token.text, (term.spellings.get(token.text) ?? 0) + 1);
      if (term.lastVerse !== verse) term.verses += 1;
      term.lastVerse = verse;
      return term;
    });
    for (const { provisionalId } of verseTerms) stream.push(provisionalId);
    starts.push(stream.length);
    ordinals.push(ordinal);
    // Without a stemmer, the stem of a word is the word itself, which the first column has already.
    insert.run(
      verse,
      verseTerms.map(({ folded }) => folded).join(' '),
      hasStemmer(language) ? verseTerms.map(({ folded }) => stemOf(folded)).join(' ') : '',
    );
  }
  return { terms, stream, starts, ordinals };
}

const toBytes = (integers: readonly number[]): Buffer => Buffer.from(Uint32Array.from(integers).buffer);

const toTermBytes = (ids: readonly number[], terms: number): Buffer =>
  terms <= maxTermsOf16Bits ? Buffer.from(Uint16Array.from(ids).buffer) : toBytes(ids);

function memoizedStems(language: string): (folded: string) => string {
  const stemOf = stemmerFor(language);
  const stems = new Map<string, string>();
  return (folded) => {
    const stem = stems.get(folded) ?? stemOf(folded);
    stems.set(folded, stem);
    return stem;
  };
}

/**
 * Returns the most frequent spelling. Spellings with a small first letter come before all others,
 * because a capital may only mark the beginning of a sentence.
 */
function commonestSpelling(spellings: ReadonlyMap<string, number>): string {
  const ordered = [...spellings].sort(
    ([a, countA], [b, countB]) =>
      Number(startsWithCapital(a)) - Number(startsWithCapital(b)) || countB - countA || (a < b ? -1 : 1),
  );
  return ordered[0]?.[0] ?? '';
}

const startsWithCapital = (text: string): boolean => /^\p{Lu}/u.test(text);
