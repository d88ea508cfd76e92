import { hasStemmer, stemmerFor } from '@lectern/words';
import type { Database } from 'better-sqlite3';
import type { CompiledQuery } from './compile-query';
import { compileQuery } from './compile-query';
import type { FindMatches } from './find-candidates';
import { findCandidates } from './find-candidates';
import type { TextSpan } from './matched-spans';
import { matchedSpans } from './matched-spans';
import type { KnownWord, KnownWords } from './nearest-words';
import { lettersOf, nearestWords } from './nearest-words';
import type { ParsedQuery } from './parse-query';
import { parseQuery } from './parse-query';
import type { ScoredVerses, TermStream } from './score-verses';
import { scoreVerses } from './score-verses';
import type { SearchToken } from './search-tokens';
import { searchTokens } from './search-tokens';
import { createTermDictionary } from './term-dictionary';

interface FullTextRow {
  terms: string;
  written: string;
  stems: string;
  verses: Buffer;
  ordinals: Buffer;
  starts: Buffer;
  words: Buffer;
}

export interface FullTextResult {
  readonly hits: ScoredVerses;
  /** Returns the spans in the text of a hit that match the query. */
  matchedSpans(text: string): TextSpan[];
}

/** A query with more unknown words is probably in another language, not misspelt. */
const maxUnknownWords = 3;
/** The maximum number of replacements tried for each unknown word. */
const maxReplacements = 5;

const noHits: ScoredVerses = { verses: [], scores: [] };

/** The memory of a term in the dictionary, in bytes: its strings and its entries in maps. */
const bytesPerTerm = 220;

/**
 * Creates the full-text index of one translation. The verses as term ids are in memory (about 5 MB); the FTS5 table is
 * in the file. The file may be closed while a search waits, so the index calls `findMatches` for each search.
 */
export function createTranslationIndex(db: Database, language: string, findMatches: FindMatches) {
  const { written, ...row } = readFullTextRow(db);
  const ordinals = toIntegers(row.ordinals);
  const stream = { words: toTermIds(row.words, row.starts), starts: toIntegers(row.starts) };
  const stemOf = stemmerFor(language);
  const dictionary = createTermDictionary({
    terms: toLines(row.terms),
    stems: toLines(row.stems),
    verses: toIntegers(row.verses),
    stemOf,
  });
  let knownWords: KnownWords | undefined;
  const readKnownWords = (): KnownWords => ({
    folded: dictionary.terms,
    written: toLines(written),
    verses: dictionary.verses,
    letters: Int32Array.from(dictionary.terms, lettersOf),
  });

  const result = (compiled: CompiledQuery, hits: ScoredVerses): FullTextResult => ({
    hits,
    matchedSpans: (text) => matchedSpans(text, dictionary, compiled),
  });

  function* find(query: ParsedQuery): Generator<void, FullTextResult> {
    if (query.units.length > 0) {
      const strict = compileQuery(dictionary, query, false);
      yield;
      const candidates =
        strict &&
        findCandidates(findMatches, strict, {
          verseCount: ordinals.length,
          stemOf: hasStemmer(language) ? stemOf : null,
        });
      const hits = strict ? yield* scoreVerses(stream, strict, candidates) : noHits;
      if (strict && hits.verses.length > 0) return result(strict, hits);
      // ñ is a letter of its own. If nothing matches, it counts as n,
      // for clients that cannot type ñ.
      const loose =
        dictionary.hasEnye || query.units.some(({ words }) => words.some((word) => word.includes('ñ')))
          ? compileQuery(dictionary, query, true)
          : null;
      if (loose) return result(loose, yield* scoreVerses(stream, loose, null));
    }
    return { hits: noHits, matchedSpans: () => [] };
  }

  return {
    /** Finds the verses that match the query. Yields between short steps. */
    find,

    /** The ordinal of each verse, by the verse's position in the translation. */
    ordinals,

    /** The memory of the index, in bytes, as an estimate. */
    bytes:
      stream.words.byteLength +
      stream.starts.byteLength +
      ordinals.byteLength +
      written.length +
      dictionary.terms.length * bytesPerTerm,

    /**
     * Replaces the unknown words of a query without hits by similar words of the translation.
     * Returns null if no such query has hits. Yields between short steps.
     */
    *suggestion(query: string): Generator<void, string | null> {
      const unknown = searchTokens(query).filter(({ folded }) => dictionary.matches(folded, true).size === 0);
      const distinct = [...new Set(unknown.map(({ folded }) => folded))];
      if (distinct.length === 0 || distinct.length > maxUnknownWords) return null;
      const nearest: KnownWord[][] = [];
      knownWords ??= readKnownWords();
      for (const folded of distinct) {
        nearest.push(nearestWords(folded, knownWords, maxReplacements));
        yield;
      }
      for (const choice of replacementChoices(nearest.map((words) => words.length))) {
        const replacements = new Map(
          distinct.map((folded, index) => [folded, nearest[index]?.[choice[index] ?? 0]?.written ?? folded]),
        );
        const candidate = replaceWords(query, unknown, replacements);
        const { hits } = yield* find(parseQuery(candidate));
        if (hits.verses.length > 0) return candidate;
      }
      return null;
    },
  };
}

export type TranslationIndex = ReturnType<typeof createTranslationIndex>;

function readFullTextRow(db: Database): FullTextRow {
  const row = db
    .prepare<[], FullTextRow>('SELECT terms, written, stems, verses, ordinals, starts, words FROM full_text')
    .get();
  if (!row) throw new Error(`${db.name} has no words`);
  return row;
}

/**
 * Lists which replacement to take for each word, as indexes into lists of these sizes.
 * The first choice takes the best of each list. Each later choice changes one word.
 * Returns no choice if a list is empty.
 */
function replacementChoices(sizes: readonly number[]): number[][] {
  if (sizes.includes(0)) return [];
  const best = sizes.map(() => 0);
  return [
    best,
    ...sizes.flatMap((size, at) => Array.from({ length: size - 1 }, (_, index) => best.with(at, index + 1))),
  ];
}

function replaceWords(
  query: string,
  unknown: readonly SearchToken[],
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

const toLines = (text: string): string[] => (text === '' ? [] : text.split('\n'));

/** Copies the bytes, because a buffer of SQLite may not be aligned to four bytes. */
const toIntegers = (bytes: Buffer): Uint32Array =>
  new Uint32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength));

/** The last of the starts is the number of words, so it tells whether the ids have 16 or 32 bits. */
function toTermIds(words: Buffer, starts: Buffer): TermStream['words'] {
  const count = starts.readUInt32LE(starts.length - Uint32Array.BYTES_PER_ELEMENT);
  if (words.length === count * Uint32Array.BYTES_PER_ELEMENT) return toIntegers(words);
  return new Uint16Array(words.buffer.slice(words.byteOffset, words.byteOffset + words.byteLength));
}
