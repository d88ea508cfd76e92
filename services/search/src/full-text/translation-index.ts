import { functionWords, stemmerFor } from '@lectern/words';
import type { Database } from 'better-sqlite3';
import type { CompiledQuery } from './compile-query';
import { compileQuery, compileRelaxedQuery } from './compile-query';
import { findCandidates, findRelaxedCandidates } from './find-candidates';
import type { TermStream } from './match-verses';
import { createVerseMatcher } from './match-verses';
import type { TextSpan } from './matched-spans';
import { matchedSpans } from './matched-spans';
import type { KnownWord, KnownWords } from './nearest-words';
import { lettersOf, nearestWords } from './nearest-words';
import { createFunctionWordTest, otherWords } from './other-words';
import type { ParsedQuery } from './parse-query';
import { minBeginningLetters, parseQuery } from './parse-query';
import type { Postings } from './postings';
import { countVerses } from './postings';
import { scoreRelaxed } from './score-relaxed';
import type { ScoredVerses } from './score-verses';
import { scoreVerses } from './score-verses';
import type { SearchToken } from './search-tokens';
import { searchTokens } from './search-tokens';
import { createStemOccurrences, stemsOfQuery } from './stem-occurrences';
import { createTermDictionary } from './term-dictionary';

interface FullTextRow {
  terms: string;
  written: string;
  stems: string;
  stem_terms: Buffer;
  ordinals: Buffer;
  starts: Buffer;
  words: Buffer;
  posting_starts: Buffer;
  postings: Buffer;
}

export interface FullTextResult {
  readonly hits: ScoredVerses;
  /**
   * The words of the query, as written, that a hit need not contain, in the order of the query. Null if every hit
   * contains all words.
   */
  readonly leftOut: readonly string[] | null;
  /** Returns the spans in the text of a hit that match the query. */
  matchedSpans(text: string): TextSpan[];
}

/** Compares a query with single verses. */
export interface QueryComparison {
  /** Returns the spans in a text that match the query, without function words. */
  matchedSpans(text: string): TextSpan[];
  /**
   * Returns the relevance of a verse's words, and how much of the query the verse quotes, from 0 to 1. `verse` is its
   * position in the translation.
   */
  compareVerse(verse: number): { relevance: number; quotedShare: number };
}

/** A query with more unknown words is probably in another language, not misspelt. */
const maxUnknownWords = 3;
/** The maximum number of replacements tried for each unknown word. */
const maxReplacements = 5;

const nothingFound: FullTextResult = { hits: { verses: [], scores: [] }, leftOut: null, matchedSpans: () => [] };

/** The memory of the strings of a term in the dictionary, in bytes. */
const bytesPerTerm = 100;

/**
 * Creates the full-text index of one translation. The index is in memory (about 5 MB), because the file may be closed
 * while a search waits.
 */
export function createTranslationIndex(db: Database, language: string) {
  const { written, ...row } = readFullTextRow(db);
  const ordinals = toIntegers(row.ordinals);
  const starts = toIntegers(row.starts);
  const stream: TermStream = { starts, words: toIds(row.words, starts.at(-1) ?? 0) };
  const postingStarts = toIntegers(row.posting_starts);
  const postings: Postings = { starts: postingStarts, verses: toIds(row.postings, postingStarts.at(-1) ?? 0) };
  const stemOf = stemmerFor(language);
  const terms = toLines(row.terms);
  const dictionary = createTermDictionary({
    terms,
    stems: toLines(row.stems),
    stemTerms: toIds(row.stem_terms, terms.length),
    countVerses: (term) => countVerses(postings, term),
    stemOf,
  });
  const isFunctionWord = createFunctionWordTest(functionWords(language));
  let knownWords: KnownWords | undefined;
  const readKnownWords = (): KnownWords => ({
    folded: dictionary.terms,
    written: toLines(written),
    verses: Uint32Array.from(dictionary.terms, (_, term) => countVerses(postings, term)),
    letters: Int32Array.from(dictionary.terms, lettersOf),
  });

  /** Returns whether a verse may contain the word, or a word that other translations use for it. */
  const isKnown = (folded: string, isLast: boolean): boolean =>
    dictionary.matches(folded, { loose: true, beginning: isLast && folded.length >= minBeginningLetters }).size > 0 ||
    otherWords(folded).some((word) => dictionary.matches(word, { loose: false, beginning: false }).size > 0);

  const createMatchedSpans = (compiled: CompiledQuery): FullTextResult['matchedSpans'] => {
    let ids: ReadonlyMap<string, number> | undefined;
    return (text) => {
      ids ??= idsOfRequiredTerms(compiled, terms);
      return matchedSpans(text, ids, compiled);
    };
  };

  /** Returns null if no verse matches. */
  function* score(compiled: CompiledQuery): Generator<void, FullTextResult | null> {
    const candidates = findCandidates(compiled, postings, ordinals.length);
    const hits = yield* scoreVerses(stream, compiled, candidates);
    return hits.verses.length > 0 ? { hits, leftOut: null, matchedSpans: createMatchedSpans(compiled) } : null;
  }

  function* findFull(query: ParsedQuery): Generator<void, FullTextResult> {
    if (query.units.length === 0) return nothingFound;
    const strict = compileQuery(dictionary, query, false);
    yield;
    const result = strict && (yield* score(strict));
    if (result) return result;
    // ñ is a letter of its own. If nothing matches, it counts as n,
    // for clients that cannot type ñ.
    const loose =
      dictionary.hasEnye() || query.units.some(({ words }) => words.some((word) => word.includes('ñ')))
        ? compileQuery(dictionary, query, true)
        : null;
    return (loose && (yield* score(loose))) ?? nothingFound;
  }

  function* findRelaxed(query: ParsedQuery): Generator<void, FullTextResult> {
    if (query.units.length === 0) return nothingFound;
    const compiled = compileRelaxedQuery(dictionary, query, isFunctionWord);
    yield;
    const candidates = findRelaxedCandidates(compiled, postings, ordinals.length);
    const hits = yield* scoreRelaxed(stream, compiled, candidates);
    if (hits.verses.length === 0) return nothingFound;
    const leftOut = compiled.units.flatMap(({ text, need }, index) =>
      need === 'optional' || hits.held[index] !== true ? [text] : [],
    );
    return { hits, leftOut, matchedSpans: createMatchedSpans(compiled) };
  }

  return {
    /** Finds the verses that contain all words of the query. Yields between short steps. */
    findFull,

    /** Returns functions that compare a query with single verses, which need not contain all of its words. */
    compare(query: ParsedQuery): QueryComparison {
      const compiled = compileRelaxedQuery(dictionary, query, isFunctionWord);
      const { match, quotedShare, relevance } = createVerseMatcher(stream, compiled);
      return {
        matchedSpans: createMatchedSpans(compiled),
        compareVerse: (verse) =>
          match(verse) === 0
            ? { quotedShare: 0, relevance: 0 }
            : { quotedShare: quotedShare(), relevance: relevance() },
      };
    },

    /** Finds the verses that contain the most of the words of the query. Yields between short steps. */
    findRelaxed,

    /** Returns the different stems of a query, without function words. */
    stemsOf: (query: string): string[] => stemsOfQuery(query, { stemOf, functionWords: functionWords(language) }),

    /** Returns the positions of the verses that contain each of these stems, with the weights of the stems. */
    stemOccurrences: createStemOccurrences({ dictionary, stream, postings, functionWords: functionWords(language) }),

    /** The ordinal of each verse, by the verse's position in the translation. */
    ordinals,

    /** The memory of the index, in bytes, as an estimate. */
    bytes:
      [ordinals, starts, stream.words, postingStarts, postings.verses].reduce((sum, each) => sum + each.byteLength, 0) +
      written.length +
      terms.length * bytesPerTerm,

    /**
     * Replaces the unknown words of a query by similar words of the translation, so that a verse contains all words. If
     * no replacement achieves that and other words are known, a verse contains most of them.
     * Returns null if no such query has hits. Yields between short steps.
     */
    *suggestion(query: string): Generator<void, string | null> {
      const tokens = searchTokens(query);
      const unknown = tokens.filter(({ folded }, index) => !isKnown(folded, index === tokens.length - 1));
      const distinct = [...new Set(unknown.map(({ folded }) => folded))];
      if (distinct.length === 0 || distinct.length > maxUnknownWords) return null;
      const nearest: KnownWord[][] = [];
      knownWords ??= readKnownWords();
      for (const folded of distinct) {
        nearest.push(nearestWords(folded, knownWords, maxReplacements));
        yield;
      }
      const candidates = replacementChoices(nearest.map((words) => words.length)).map((choice) => {
        const replacements = distinct.map((folded, index) => nearest[index]?.[choice[index] ?? 0]?.written ?? folded);
        return replaceWords(
          query,
          unknown,
          new Map(distinct.map((folded, index) => [folded, replacements[index] ?? ''])),
        );
      });
      for (const candidate of candidates) {
        const { hits } = yield* findFull(parseQuery(candidate));
        if (hits.verses.length > 0) return candidate;
      }
      const [best] = unknown.length < tokens.length ? candidates : [];
      if (best === undefined) return null;
      return (yield* findRelaxed(parseQuery(best))).hits.verses.length > 0 ? best : null;
    },
  };
}

export type TranslationIndex = ReturnType<typeof createTranslationIndex>;

function readFullTextRow(db: Database): FullTextRow {
  const row = db
    .prepare<[], FullTextRow>(
      'SELECT terms, written, stems, stem_terms, ordinals, starts, words, posting_starts, postings FROM full_text',
    )
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

/** Views the bytes that SQLite returned as integers. Each BLOB has memory of its own. */
const toIntegers = ({ buffer, byteOffset, byteLength }: Buffer): Uint32Array =>
  new Uint32Array(buffer, byteOffset, byteLength / Uint32Array.BYTES_PER_ELEMENT);

/** Views bytes as `count` ids, which have 16 or 32 bits. */
const toIds = (bytes: Buffer, count: number): Uint16Array | Uint32Array =>
  bytes.length === count * Uint32Array.BYTES_PER_ELEMENT
    ? toIntegers(bytes)
    : new Uint16Array(bytes.buffer, bytes.byteOffset, count);

/** Returns the ids of the terms that a hit may contain, by term. */
const idsOfRequiredTerms = ({ units }: CompiledQuery, terms: readonly string[]): ReadonlyMap<string, number> =>
  new Map(
    units.flatMap(({ required }) =>
      required.flatMap(({ terms: ids }) => ids.map((id) => [terms[id] ?? '', id] as const)),
    ),
  );
