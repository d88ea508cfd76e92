import { indexOfSorted } from '@lectern/canon';
import type { SimilarVerses } from '@lectern/embeddings';
import type { FullTextResult } from './find-verses';
import { bestByScore } from './page';
import type { ParsedQuery } from './query';
import type { ScoredVerses } from './score-verses';
import type { TranslationIndex } from './translation-index';

/** The number of similarities that are read between two pauses, in less than a millisecond. */
const similaritiesPerStep = 4_096;

/** The number of verses that are compared between two pauses, in less than a millisecond. */
const versesPerStep = 256;

/** The hits of a search by meaning in one translation. */
export interface MeaningResult extends FullTextResult {
  /** Returns null if the verse at a position was not found by its meaning. */
  similarityOf(verse: number): number | null;
}

/** Ranks the verses nearest to a query by their similarity alone. */
export function* rankByMeaning(
  index: TranslationIndex,
  query: ParsedQuery,
  nearest: SimilarVerses,
): Generator<void, MeaningResult> {
  const similarities = yield* similaritiesByPosition(index, nearest);
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

/** Scores are integers: a similarity, or a similarity with added weights, in units of 1/10,000. */
const toScore = (score: number): number => Math.round(score * 10_000);

/** Returns the similarity of each verse of a translation, or -1 for a verse not in `nearest`. */
function* similaritiesByPosition(
  { ordinals }: TranslationIndex,
  nearest: SimilarVerses,
): Generator<void, Float64Array> {
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

/**
 * How much the words of a verse add to its similarity: `quoted` times the share of the query that
 * the verse quotes, and at most `relevance` for the relevance of its words. The weight of the
 * relevance grows with the largest share of the query that one verse quotes, from 0 at
 * `minQuotedShare` to the maximum at `fullQuotedShare`. So relevance counts for quotations only.
 * The similarities of the verses nearest to a query differ by about 0.1. Chosen with the queries of
 * bench/search-mode-relevance.mjs, which measures the quality of each mode.
 */
export const hybridWeights = { quoted: 0.15, relevance: 0.2, minQuotedShare: 0.4, fullQuotedShare: 0.65 };

/** The verses found by words and by meaning. At most `limit` verses of `words` are compared. */
interface HybridCandidates {
  readonly words: FullTextResult;
  readonly nearest: SimilarVerses;
  readonly limit: number;
}

/**
 * Ranks the verses nearest in meaning and the best verses that were found by their words: by
 * similarity, by how much of the query they quote, and by the relevance of their words.
 */
export function* rankHybrid(
  index: TranslationIndex,
  query: ParsedQuery,
  found: HybridCandidates,
): Generator<void, MeaningResult> {
  const { matchedSpans, compareVerse } = index.compare(query);
  const compared = yield* compareCandidates(index, compareVerse, found);
  yield;
  const scores = hybridScores(compared, hybridWeights).map(toScore);
  const { verses, similarityOf } = compared;
  return { hits: { verses, scores }, leftOut: found.words.leftOut, matchedSpans, similarityOf };
}

/**
 * Compares the verses that were found by words or by meaning with a query. All returned lists have
 * the same order; the positions in `verses` are ascending. A verse that was found only by its words
 * gets the lowest similarity of the verses that were found by meaning.
 */
export function* compareCandidates(
  index: TranslationIndex,
  compareVerse: ReturnType<TranslationIndex['compare']>['compareVerse'],
  { words, nearest, limit }: HybridCandidates,
) {
  const known = yield* similaritiesByPosition(index, nearest);
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

/** Relevances have no upper bound, so each counts as a share of the largest. */
export function hybridScores(
  compared: Readonly<Record<'similarities' | 'quotedShares' | 'relevances', readonly number[]>>,
  { quoted, relevance, minQuotedShare, fullQuotedShare }: typeof hybridWeights,
): number[] {
  const { similarities, quotedShares, relevances } = compared;
  const maxRelevance = relevances.reduce((max, each) => Math.max(max, each), 0);
  const maxQuotedShare = quotedShares.reduce((max, each) => Math.max(max, each), 0);
  const progress = (maxQuotedShare - minQuotedShare) / (fullQuotedShare - minQuotedShare);
  const relevanceFactor = Math.min(1, Math.max(0, progress));
  const relevanceWeight = maxRelevance === 0 ? 0 : (relevance * relevanceFactor) / maxRelevance;
  return similarities.map(
    (similarity, at) => similarity + quoted * (quotedShares[at] ?? 0) + relevanceWeight * (relevances[at] ?? 0),
  );
}
