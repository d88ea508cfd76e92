import { indexOfSorted } from '@lectern/canon';
import type { SimilarVerses } from '@lectern/embeddings';
import type { FullTextResult } from './find';
import type { ParsedQuery } from './query';
import type { ScoredVerses } from './score-verses-with-all-words';
import type { TranslationIndex } from './translation-index';

/** Scores are integers: the similarity in units of 1/10,000. */
const scoreFactor = 10_000;

/** The number of similarities that are read between two pauses, in less than a millisecond. */
const similaritiesPerStep = 4_096;

/** The hits of a search by meaning in one translation, with the similarities of the verses. */
export interface MeaningResult extends FullTextResult {
  /**
   * Returns the similarity of the verse at a position. Null if the verse was not found by its
   * meaning.
   */
  similarityOf(verse: number): number | null;
}

/**
 * Ranks the verses nearest to a query by their similarity alone. Yields between short steps, so
 * that other requests are executed in between.
 */
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

/** Converts a similarity, or a similarity with added weights, to the integer score of a verse. */
export const toScore = (score: number): number => Math.round(score * scoreFactor);

/**
 * Returns the similarity of each verse of a translation, by the verse's position. The similarity is
 * -1 for verses that are not in `nearest`.
 */
export function* similaritiesByPosition(
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

/** Creates the function `similarityOf` of a result from the similarities by position. */
export const similarityIn =
  (similarities: Float64Array): MeaningResult['similarityOf'] =>
  (verse) => {
    const similarity = similarities[verse] ?? -1;
    return similarity < 0 ? null : similarity;
  };
