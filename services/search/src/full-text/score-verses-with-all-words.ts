import type { CompiledQuery } from './compile';
import type { TermStream } from './match';
import { createVerseMatcher } from './match';

export interface ScoredVerses {
  /** The positions of the found verses in the translation, ascending. */
  readonly verses: number[];
  /** The score of each found verse, in the order of `verses`. */
  readonly scores: number[];
}

/**
 * A score is tier * tierFactor + relevance, so that the tier decides before the relevance. The tier
 * says how well the words match: 3 exactly, 2 as the beginning of a word, 1 as another form of the
 * stem.
 */
const tierFactor = 2 ** 24;
export const maxScore = 4 * tierFactor - 1;

const relevanceFactor = 256;

/** The number of verses that are scored between two pauses, in less than a millisecond. */
const versesPerStep = 256;

/**
 * Finds the verses that contain every unit (word or phrase) of the query, and scores them.
 * `candidates` limits the verses; null means all verses. Yields between short steps, so that other
 * requests are executed in between.
 *
 * A score is an integer. The worst match of a unit decides first: an exact word is better than the
 * beginning of a word, which is better than another form of the stem. Relevance decides next.
 */
export function* scoreVerses(
  stream: TermStream,
  query: CompiledQuery,
  candidates: readonly number[] | null,
): Generator<void, ScoredVerses> {
  const { verseCount, match, lowestTier, relevance } = createVerseMatcher(stream, query);
  const hits: ScoredVerses = { verses: [], scores: [] };
  const count = candidates?.length ?? verseCount;
  for (let index = 0; index < count; index += 1) {
    if (index % versesPerStep === 0) yield;
    const verse = candidates?.[index] ?? index;
    if (match(verse) < query.units.length) continue;
    hits.verses.push(verse);
    hits.scores.push(lowestTier() * tierFactor + Math.min(Math.round(relevance() * relevanceFactor), tierFactor - 1));
  }
  return hits;
}
