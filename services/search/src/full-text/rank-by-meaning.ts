import { indexOfSorted } from '@lectern/canon';
import type { SimilarVerses } from '@lectern/embeddings';
import type { FullTextResult } from './find-verses';
import type { ParsedQuery } from './query';
import type { ScoredVerses } from './score-verses';
import type { TranslationIndex } from './translation-index';

/** The number of similarities that are read between two yields. They take less than a millisecond. */
const similaritiesPerStep = 4_096;

/** The hits of a search by meaning in one translation. */
export interface MeaningResult extends FullTextResult {
  /** Returns the similarity of a verse by its index. Null if the verse was not found by its meaning. */
  similarityOf(verse: number): number | null;
}

/** Ranks the verses nearest to a query by similarity alone. */
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

/** Converts a similarity (with added weights or without) to an integer score in units of 1/10,000. */
export const toScore = (score: number): number => Math.round(score * 10_000);

/** Returns the similarity of each verse of a translation, and -1 for the verses that are not in `nearest`. */
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

export const similarityIn =
  (similarities: Float64Array): MeaningResult['similarityOf'] =>
  (verse) => {
    const similarity = similarities[verse] ?? -1;
    return similarity < 0 ? null : similarity;
  };
