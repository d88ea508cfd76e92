import { type CompiledQuery, compileQuery, compileRelaxedQuery, phraseEndsAt } from './compile-query';
import { createNearTest, createVerseMatcher } from './match-verse';
import { type Operators, type ParsedQuery, type SearchToken, searchTokens } from './query';
import { findCandidates, findRelaxedCandidates, type ScoredVerses, scoreRelaxed, scoreVerses } from './score-verses';
import type { Postings, TermDictionary, TermStream } from './term-dictionary';

export interface FullTextResult {
  readonly hits: ScoredVerses;
  /**
   * The words of the query, as typed, that were ignored because no verse has all: function words, and words that the
   * best verse lacks. Null if a verse has all, if none has enough, or in the mode MEANING.
   */
  readonly leftOut: readonly string[] | null;
  matchedSpans(text: string): TextSpan[];
  /** By index of the verse. Null if the verse was not found by its meaning. Absent in a search by words. */
  readonly similarityOf?: (verse: number) => number | null;
}

const nothingFound: FullTextResult = { hits: { verses: [], scores: [] }, leftOut: null, matchedSpans: () => [] };

/** Creates the searches of one translation. Generators yield between short steps. */
export function createVerseSearch(
  dictionary: TermDictionary,
  stream: TermStream,
  postings: Postings,
  isFunctionWord: (folded: string) => boolean,
) {
  const verseCount = stream.starts.length - 1;

  /** Relaxed queries. A search uses one up to three times: to find verses, to compare them, and for spans. */
  const compiledQueries = new WeakMap<ParsedQuery, CompiledQuery>();
  const compileRelaxed = (query: ParsedQuery): CompiledQuery => {
    const compiled = compiledQueries.get(query) ?? compileRelaxedQuery(dictionary, query, isFunctionWord);
    compiledQueries.set(query, compiled);
    return compiled;
  };

  const createMatchedSpans = (compiled: CompiledQuery): FullTextResult['matchedSpans'] => {
    let ids: ReadonlyMap<string, number> | undefined;
    return (text) => {
      ids ??= idsOfRequiredTerms(compiled, dictionary.terms);
      const idOf = (token: SearchToken): number => ids?.get(dictionary.termOf(token)) ?? -1;
      return matchedSpans(text, idOf, compiled);
    };
  };

  /** Finds and scores the verses that contain all words and pass the operators. Returns null if there are none. */
  function* score(compiled: CompiledQuery, { operators }: ParsedQuery): Generator<void, FullTextResult | null> {
    const candidates = findCandidates(compiled, postings, verseCount);
    const found = yield* scoreVerses(stream, compiled, candidates);
    const hits = operators ? yield* pass(found, compiled, operators) : found;
    return hits.verses.length > 0 ? { hits, leftOut: null, matchedSpans: createMatchedSpans(compiled) } : null;
  }

  function* pass(
    found: ScoredVerses,
    compiled: CompiledQuery,
    { excluded, near }: Operators,
  ): Generator<void, ScoredVerses> {
    const lacking = excluded ? (yield* findFull({ units: [excluded], sequence: [0] })).hits.verses : [];
    const left = new Set(lacking);
    const isNear = createNearTest(stream, compiled, near);
    const kept = found.verses.flatMap((verse, at) => (!left.has(verse) && isNear(verse) ? [at] : []));
    yield;
    return { verses: kept.map((at) => found.verses[at] ?? 0), scores: kept.map((at) => found.scores[at] ?? 0) };
  }

  function* findFull(query: ParsedQuery): Generator<void, FullTextResult> {
    if (query.units.length === 0) return nothingFound;
    const strict = compileQuery(dictionary, query, false);
    yield;
    const result = strict && (yield* score(strict, query));
    if (result) return result;
    // n and ñ count as equal only if nothing is found otherwise. This helps people who cannot type ñ.
    const loose =
      dictionary.hasEnye() || query.units.some(({ words }) => words.some((word) => word.includes('ñ')))
        ? compileQuery(dictionary, query, true)
        : null;
    return (loose && (yield* score(loose, query))) ?? nothingFound;
  }

  return {
    findFull,

    /** Finds the verses that contain the most of the query's words. Rare words have more weight. */
    *findRelaxed(query: ParsedQuery): Generator<void, FullTextResult> {
      if (query.units.length === 0 || query.operators) return nothingFound;
      const compiled = compileRelaxed(query);
      yield;
      const candidates = findRelaxedCandidates(compiled, postings, verseCount);
      const hits = yield* scoreRelaxed(stream, compiled, candidates);
      if (hits.verses.length === 0) return nothingFound;
      const leftOut = compiled.units.flatMap(({ text, need }, index) =>
        need === 'optional' || hits.held[index] !== true ? [text] : [],
      );
      return { hits, leftOut, matchedSpans: createMatchedSpans(compiled) };
    },

    /** Creates the functions that compare a query with single verses. A verse may lack words of the query. */
    compare(query: ParsedQuery) {
      const compiled = compileRelaxed(query);
      const { match, quotedShare } = createVerseMatcher(stream, compiled);
      return {
        /** Returns the matched spans. Function words such as `the` have none, unless the query has no other words. */
        matchedSpans: createMatchedSpans(compiled),

        /** Returns the share of the query that a verse quotes: the mean of its own and the best with a neighbour. */
        quotedShare(verse: number): number {
          const shareFrom = (first: number, count: number): number => (match(first, count) === 0 ? 0 : quotedShare());
          const own = shareFrom(verse, 1);
          const joined = own === 1 ? 1 : Math.max(own, shareFrom(verse, 2), shareFrom(Math.max(verse - 1, 0), 2));
          return (own + joined) / 2;
        },
      };
    },
  };
}

export type VerseSearch = ReturnType<typeof createVerseSearch>;

const idsOfRequiredTerms = ({ units }: CompiledQuery, terms: readonly string[]): ReadonlyMap<string, number> =>
  new Map(
    units.flatMap(({ required }) =>
      required.flatMap(({ terms: ids }) => ids.map((id) => [terms[id] ?? '', id] as const)),
    ),
  );

/** A range of a text, in UTF-16 units. */
export interface TextSpan {
  start: number;
  length: number;
}

/** Optional words of the query have no spans. `idOf` returns the id of a matching term, and -1 for another word. */
function matchedSpans(
  text: string,
  idOf: (token: SearchToken) => number,
  { units, roleIndexes, roles }: CompiledQuery,
): TextSpan[] {
  const tokens = searchTokens(text);
  const words = tokens.map(idOf);
  const matched = new Set<number>();
  for (const [end, word] of words.entries()) {
    for (const { unit, phrase } of roles[roleIndexes[word] ?? 0] ?? []) {
      if (units[unit]?.need === 'optional') continue;
      if (!phrase) matched.add(end);
      else if (phraseEndsAt(words, { begin: 0, end }, phrase))
        for (let at = end - phrase.length + 1; at <= end; at += 1) matched.add(at);
    }
  }
  const spans: TextSpan[] = [];
  for (const [index, { start, length }] of tokens.entries()) {
    if (!matched.has(index)) continue;
    const previous = spans.at(-1);
    // Characters of a script without spaces, such as Chinese, form one span.
    if (previous && previous.start + previous.length === start) previous.length += length;
    else spans.push({ start, length });
  }
  return spans;
}
