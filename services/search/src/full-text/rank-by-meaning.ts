import type { SimilarVerses } from '@lectern/embeddings';
import { indexOfSorted } from './binary-search';
import type { FullTextResult, QueryComparison } from './find-verses';
import { bestByScore } from './page-collector';
import type { ParsedQuery } from './parse-query';
import type { ScoredVerses } from './score-verses';
import type { TranslationIndex } from './translation-index';

/**
 * How much the words of a verse add to its score. The score is the verse's similarity plus these parts. The similarities of
 * the verses nearest to a query differ by about 0.1.
 */
export interface HybridWeights {
  /** The weight of the share of the query that the verse quotes. */
  readonly quoted: number;
  /**
   * The maximum weight of the relevance of the words. The weight grows with the largest share of the query that one verse
   * quotes: from 0 at `minQuotedShare` to the maximum at `fullQuotedShare`. So relevance counts for quotations only.
   */
  readonly relevance: number;
  readonly minQuotedShare: number;
  readonly fullQuotedShare: number;
}

/** Chosen by cross-validation with bench/hybrid.mjs. */
export const hybridWeights: HybridWeights = {
  quoted: 0.15,
  relevance: 0.2,
  minQuotedShare: 0.4,
  fullQuotedShare: 0.65,
};

/** Scores are integers, in units of 1/10,000. */
const scoreFactor = 10_000;

/** The number of verses that are compared with a query in less than a millisecond. */
const versesPerStep = 256;

/** The number of similarities that are read in less than a millisecond. */
const similaritiesPerStep = 4_096;

/** The hits of one translation, with the similarity of each verse that has one. */
export interface MeaningResult extends FullTextResult {
  /** Returns the similarity of the verse at a position. Null if the verse has none. */
  similarityOf(verse: number): number | null;
}

/** Ranks verses by similarity alone. Yields between short steps. */
export function* rankByMeaning(
  index: TranslationIndex,
  query: ParsedQuery,
  nearest: SimilarVerses,
): Generator<void, MeaningResult> {
  const similarities = yield* byPosition(index, nearest);
  yield;
  const hits: ScoredVerses = { verses: [], scores: [] };
  for (let verse = 0; verse < similarities.length; verse += 1) {
    const similarity = similarities[verse] ?? -1;
    if (similarity < 0) continue;
    hits.verses.push(verse);
    hits.scores.push(toScore(similarity));
  }
  const { matchedSpans } = index.compare(query);
  return { hits, leftOut: null, matchedSpans, similarityOf: similarityIn(similarities) };
}

/** The verses that may be hits, compared with a query. Each list has the values of `verses`, in this order. */
export interface ComparedVerses extends Pick<MeaningResult, 'similarityOf'> {
  /** The positions of the verses in the translation, ascending. */
  readonly verses: number[];
  /** The similarity to the query. A verse that was found only by its words has the lowest similarity of the others. */
  readonly similarities: number[];
  /** How much of the query the verse quotes, from 0 to 1. */
  readonly quotedShares: number[];
  readonly relevances: number[];
}

/** The verses found by words and by meaning, which the mode HYBRID compares with a query. */
export interface FoundByBoth {
  readonly words: FullTextResult;
  /** The verses nearest in meaning. */
  readonly nearest: SimilarVerses;
  /** The maximum number of verses of `words` that are compared. */
  readonly limit: number;
}

/**
 * Ranks the verses nearest in meaning and the best verses of `words`, by similarity and by how much of the query they quote.
 * Yields between short steps.
 */
export function* rankByBoth(
  index: TranslationIndex,
  query: ParsedQuery,
  found: FoundByBoth,
): Generator<void, MeaningResult> {
  const { matchedSpans, compareVerse } = index.compare(query);
  const compared = yield* compareVerses(index, compareVerse, found);
  yield;
  const scores = scoresOfBoth(compared, hybridWeights).map(toScore);
  const { verses, similarityOf } = compared;
  return { hits: { verses, scores }, leftOut: found.words.leftOut, matchedSpans, similarityOf };
}

/** Compares the verses that were found by words or by meaning with a query. Yields between short steps. */
export function* compareVerses(
  index: TranslationIndex,
  compareVerse: QueryComparison['compareVerse'],
  { words, nearest, limit }: FoundByBoth,
): Generator<void, ComparedVerses> {
  const known = yield* byPosition(index, nearest);
  const lowest = nearest.similarities.reduce((min, each) => Math.min(min, each), nearest.similarities[0] ?? 0);
  const isFoundByWords = new Uint8Array(known.length);
  for (const { ordinal: verse } of bestByScore(words.hits.scores, words.hits.verses, limit)) isFoundByWords[verse] = 1;
  const [verses, similarities, quotedShares, relevances]: [number[], number[], number[], number[]] = [[], [], [], []];
  for (let verse = 0; verse < known.length; verse += 1) {
    const similarity = known[verse] ?? -1;
    if (similarity < 0 && isFoundByWords[verse] === 0) continue;
    if (verses.length % versesPerStep === 0) yield;
    const { quotedShare, relevance } = compareVerse(verse);
    verses.push(verse);
    similarities.push(similarity < 0 ? lowest : similarity);
    quotedShares.push(quotedShare);
    relevances.push(relevance);
  }
  return { verses, similarities, quotedShares, relevances, similarityOf: similarityIn(known) };
}

/** Returns the score of each compared verse: the similarity, plus the weighted shares of quoted and relevant words. */
export function scoresOfBoth(
  { similarities, quotedShares, relevances }: Omit<ComparedVerses, 'similarityOf'>,
  { quoted, relevance, minQuotedShare, fullQuotedShare }: HybridWeights,
): number[] {
  const maxRelevance = relevances.reduce((max, each) => Math.max(max, each), 0);
  const maxQuotedShare = quotedShares.reduce((max, each) => Math.max(max, each), 0);
  const relevanceFactor = Math.min(
    1,
    Math.max(0, (maxQuotedShare - minQuotedShare) / (fullQuotedShare - minQuotedShare)),
  );
  const relevanceWeight = maxRelevance === 0 ? 0 : (relevance * relevanceFactor) / maxRelevance;
  return similarities.map(
    (similarity, at) => similarity + quoted * (quotedShares[at] ?? 0) + relevanceWeight * (relevances[at] ?? 0),
  );
}

const toScore = (score: number): number => Math.round(score * scoreFactor);

/** Returns the similarity of each verse of a translation, by position; -1 for verses that are not in `nearest`. */
function* byPosition({ ordinals }: TranslationIndex, nearest: SimilarVerses): Generator<void, Float64Array> {
  const similarities = new Float64Array(ordinals.length).fill(-1);
  for (const [at, ordinal] of nearest.ordinals.entries()) {
    if (at % similaritiesPerStep === 0) yield;
    const verse = indexOfSorted(ordinals, ordinal);
    if (verse >= 0) similarities[verse] = nearest.similarities[at] ?? 0;
  }
  return similarities;
}

const similarityIn =
  (similarities: Float64Array): MeaningResult['similarityOf'] =>
  (verse) => {
    const similarity = similarities[verse] ?? -1;
    return similarity < 0 ? null : similarity;
  };
