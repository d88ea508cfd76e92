import { hasStemmer, stemmerFor } from '@lectern/words';
import type { Database } from 'better-sqlite3';
import type { IndexedTranslation } from '../store';
import type { CompiledQuery } from './compile-query';
import { compileQuery } from './compile-query';
import { findCandidates } from './find-candidates';
import type { TextSpan } from './matched-spans';
import { matchedSpans } from './matched-spans';
import { lettersOf, nearestWords } from './nearest-words';
import type { ParsedQuery } from './parse-query';
import { parseQuery } from './parse-query';
import type { ScoredVerses } from './score-verses';
import { scoreVerses } from './score-verses';
import { searchTokens } from './search-tokens';
import { createTermDictionary } from './term-dictionary';
import { ftsTable } from './write-full-text-index';

interface FullTextRow {
  terms: string;
  written: string;
  stems: string;
  verses: Buffer;
  ordinals: Buffer;
  starts: Buffer;
  words: Buffer;
}

export interface FoundVerses {
  readonly hits: ScoredVerses;
  /** Where the words that answered stand in the text of a hit. */
  spans(text: string): TextSpan[];
}

/** Beyond so many unknown words a query is not misspelt but in another language. */
const mostMisspelt = 3;
/** How many neighbours of an unknown word are tried for one that brings verses. */
const mostTried = 5;

const noHits: ScoredVerses = { verses: [], scores: [] };

/** Full-text search in one edition: its words lie in memory (some 15 MB), its index in the file. */
export function createTranslationIndex(db: Database, edition: IndexedTranslation) {
  const row = db
    .prepare<[number], FullTextRow>(
      'SELECT terms, written, stems, verses, ordinals, starts, words FROM full_text WHERE edition = ?',
    )
    .get(edition.number);
  if (!row) throw new Error(`the index holds no words of ${edition.identifier}`);
  const ordinals = numbers(row.ordinals);
  const stream = { words: numbers(row.words), starts: numbers(row.starts) };
  const written = lines(row.written);
  const stemOf = stemmerFor(edition.language);
  const lexicon = createTermDictionary({
    terms: lines(row.terms),
    stems: lines(row.stems),
    verses: numbers(row.verses),
    stemOf,
  });
  const vocabulary = lexicon.terms.map((folded, number) => ({
    folded,
    written: written[number] ?? folded,
    verses: lexicon.verses[number] ?? 0,
    letters: lettersOf(folded),
  }));
  const match = db
    .prepare<[string], number>(
      `SELECT rowid FROM ${ftsTable(edition)} WHERE ${ftsTable(edition)} MATCH ? ORDER BY rowid`,
    )
    .pluck();

  const found = (matcher: CompiledQuery, hits: ScoredVerses): FoundVerses => ({
    hits,
    spans: (text) => matchedSpans(text, lexicon, matcher),
  });

  const find = (query: ParsedQuery): FoundVerses => {
    if (query.units.length > 0) {
      const strict = compileQuery(lexicon, query, false);
      const candidates =
        strict &&
        findCandidates(match, strict, {
          verseCount: ordinals.length,
          stemOf: hasStemmer(edition.language) ? stemOf : null,
        });
      const hits = strict ? scoreVerses(stream, strict, candidates) : noHits;
      if (strict && hits.verses.length > 0) return found(strict, hits);
      // ñ is a letter of its own; it counts as n for those who cannot type it, and only where nothing fits otherwise.
      const loose =
        lexicon.hasEnye || query.units.some(({ words }) => words.some((word) => word.includes('ñ')))
          ? compileQuery(lexicon, query, true)
          : null;
      if (loose) return found(loose, scoreVerses(stream, loose, null));
    }
    return { hits: noHits, spans: () => [] };
  };

  return {
    find,

    /** For each position in the edition the ordinal of the verse. */
    ordinals,

    /** A query that found nothing, with its unknown words replaced by near ones of the edition; null where no such query finds a verse. */
    suggestion(query: string): string | null {
      const unknown = searchTokens(query).filter(({ folded }) => lexicon.matches(folded, true).size === 0);
      const distinct = [...new Set(unknown.map(({ folded }) => folded))];
      if (distinct.length === 0 || distinct.length > mostMisspelt) return null;
      const near = distinct.map((folded) => nearestWords(folded, vocabulary, mostTried));
      for (const choice of choices(near.map((list) => list.length))) {
        const replacements = new Map(
          distinct.map((folded, index) => [folded, near[index]?.[choice[index] ?? 0]?.written ?? folded]),
        );
        const text = replaced(query, unknown, replacements);
        if (find(parseQuery(text)).hits.verses.length > 0) return text;
      }
      return null;
    },
  };
}

export type TranslationIndex = ReturnType<typeof createTranslationIndex>;

/** The best of each list first; then each list's others in turn, the rest staying at their best. None where a list is empty. */
function choices(sizes: readonly number[]): number[][] {
  if (sizes.includes(0)) return [];
  const best = sizes.map(() => 0);
  return [
    best,
    ...sizes.flatMap((size, at) => Array.from({ length: size - 1 }, (_, index) => best.with(at, index + 1))),
  ];
}

function replaced(
  query: string,
  unknown: readonly { start: number; length: number; folded: string }[],
  replacements: ReadonlyMap<string, string>,
): string {
  let text = '';
  let at = 0;
  for (const { start, length, folded } of unknown) {
    text += query.slice(at, start) + (replacements.get(folded) ?? folded);
    at = start + length;
  }
  return text + query.slice(at);
}

const lines = (text: string): string[] => (text === '' ? [] : text.split('\n'));

/** A copy: SQLite's bytes need not lie where an array of numbers may begin. */
const numbers = (bytes: Buffer): Uint32Array =>
  new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));
