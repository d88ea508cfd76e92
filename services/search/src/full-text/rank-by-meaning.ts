import type { Ranked } from '@lectern/embeddings';
import type { ParsedQuery } from './parse-query';
import { indexOfSorted } from './sorted-numbers';
import type { FullTextResult, TranslationIndex } from './translation-index';

/**
 * The weights of words in a score, beside similarities, which differ by about 0.1. `quoted` is multiplied by the share of
 * the query that a verse quotes. `relevance` is the weight of relevance if the query is a quotation: 0 if no verse quotes
 * more than `from` of the query, then rising, and complete if a verse quotes `to` or more. Measured with bench/hybrid.mjs.
 */
const weights = { quoted: 0.1, relevance: 0.5, from: 0.35, to: 0.6 };

/** Scores are integers, in units of 1/10,000. */
const scoreFactor = 10_000;

/** The hits of one translation, with the similarity of each verse that has one, by position. */
export interface MeaningResult extends FullTextResult {
  readonly similarities: ReadonlyMap<number, number>;
}

/** Ranks verses by similarity alone. */
export function rankByMeaning(index: TranslationIndex, query: ParsedQuery, nearest: readonly Ranked[]): MeaningResult {
  const similarities = byPosition(index, nearest);
  const { matchedSpans } = index.compare(query);
  return { ...toHits(similarities), leftOut: null, matchedSpans, similarities };
}

/**
 * Ranks the verses nearest in meaning and the best `limit` verses of `words`, by similarity and by how much of the query
 * they quote. A verse that is only in `words` gets the lowest similarity.
 */
export function rankByBoth(
  index: TranslationIndex,
  query: ParsedQuery,
  { words, nearest, limit }: { words: FullTextResult; nearest: readonly Ranked[]; limit: number },
): MeaningResult {
  const similarities = byPosition(index, nearest);
  const lowest = nearest.at(-1)?.similarity ?? 0;
  const { matchedSpans, compareVerse } = index.compare(query);
  const verses = [...new Set([...similarities.keys(), ...bestVerses(words, limit)])].filter((verse) => verse >= 0);
  const compared = verses.map(compareVerse);
  const maxRelevance = compared.reduce((max, { relevance }) => Math.max(max, relevance), 0);
  const maxQuotedShare = compared.reduce((max, { quotedShare }) => Math.max(max, quotedShare), 0);
  const isQuotation = Math.min(1, Math.max(0, (maxQuotedShare - weights.from) / (weights.to - weights.from)));
  const relevanceWeight = maxRelevance === 0 ? 0 : (weights.relevance * isQuotation) / maxRelevance;
  const scores = new Map(
    verses.map((verse, at): [number, number] => {
      const { quotedShare, relevance } = compared[at] ?? { quotedShare: 0, relevance: 0 };
      const similarity = similarities.get(verse) ?? lowest;
      return [verse, similarity + weights.quoted * quotedShare + relevanceWeight * relevance];
    }),
  );
  return { ...toHits(scores), leftOut: words.leftOut, matchedSpans, similarities };
}

const byPosition = ({ ordinals }: TranslationIndex, nearest: readonly Ranked[]): Map<number, number> =>
  new Map(nearest.map(({ ordinal, similarity }) => [indexOfSorted(ordinals, ordinal), similarity]));

/** Returns the positions of the verses with the best scores. */
const bestVerses = ({ hits: { verses, scores } }: FullTextResult, limit: number): number[] =>
  Array.from(verses.keys())
    .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
    .slice(0, limit)
    .map((at) => verses[at] ?? 0);

function toHits(scores: ReadonlyMap<number, number>): Pick<FullTextResult, 'hits'> {
  const verses = [...scores.keys()].filter((verse) => verse >= 0).sort((a, b) => a - b);
  return { hits: { verses, scores: verses.map((verse) => Math.round((scores.get(verse) ?? 0) * scoreFactor)) } };
}
