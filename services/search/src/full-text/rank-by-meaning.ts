import type { Ranked } from '@lectern/embeddings';
import type { FullTextResult, QueryComparison } from './find-verses';
import type { ParsedQuery } from './parse-query';
import { indexOfSorted } from './sorted-numbers';
import type { TranslationIndex } from './translation-index';

/** The weights of words in the score of a verse, beside its similarity. Similarities differ by about 0.1. */
export interface HybridWeights {
  /** The weight of the share of the query that the verse quotes. */
  readonly quoted: number;
  /** The weight of the relevance of the words, if the query is a quotation. */
  readonly relevance: number;
  /** The query is no quotation if no verse quotes more than this share of it. From here on, relevance begins to count. */
  readonly from: number;
  /** The query is a quotation if a verse quotes this share of it. Relevance then counts in full. */
  readonly to: number;
}

/** Chosen by cross-validation with bench/hybrid.mjs. */
export const hybridWeights: HybridWeights = { quoted: 0.15, relevance: 0.2, from: 0.4, to: 0.65 };

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

/** A verse that may be a hit, compared with a query. */
export interface ComparedVerse {
  /** The position of the verse in the translation. */
  readonly verse: number;
  /** The similarity to the query. A verse that was found only by its words has the lowest similarity of the others. */
  readonly similarity: number;
  /** How much of the query the verse quotes, from 0 to 1. */
  readonly quotedShare: number;
  readonly relevance: number;
}

/** What the mode HYBRID compares with a query: verses found by words and by meaning. */
export interface FoundByBoth {
  readonly words: FullTextResult;
  /** The verses nearest in meaning, best first. */
  readonly nearest: readonly Ranked[];
  /** The maximum number of verses of `words` that are compared. */
  readonly limit: number;
}

/** Ranks the verses nearest in meaning and the best verses of `words`, by similarity and by how much of the query they quote. */
export function rankByBoth(index: TranslationIndex, query: ParsedQuery, found: FoundByBoth): MeaningResult {
  const { matchedSpans, compareVerse } = index.compare(query);
  const compared = compareVerses(index, compareVerse, found);
  const scores = scoresOfBoth(compared, hybridWeights);
  const hits = toHits(new Map(compared.map(({ verse }, at) => [verse, scores[at] ?? 0])));
  return { ...hits, leftOut: found.words.leftOut, matchedSpans, similarities: byPosition(index, found.nearest) };
}

/** Compares the verses that were found by words or by meaning with a query, in no order. */
export function compareVerses(
  index: TranslationIndex,
  compareVerse: QueryComparison['compareVerse'],
  { words, nearest, limit }: FoundByBoth,
): ComparedVerse[] {
  const similarities = byPosition(index, nearest);
  const lowest = nearest.at(-1)?.similarity ?? 0;
  return [...new Set([...similarities.keys(), ...bestVerses(words, limit)])]
    .filter((verse) => verse >= 0)
    .map((verse) => ({ verse, similarity: similarities.get(verse) ?? lowest, ...compareVerse(verse) }));
}

/** Returns the score of each compared verse: its similarity, and what its words add. */
export function scoresOfBoth(
  compared: readonly ComparedVerse[],
  { quoted, relevance, from, to }: HybridWeights,
): number[] {
  const maxRelevance = compared.reduce((max, each) => Math.max(max, each.relevance), 0);
  const maxQuotedShare = compared.reduce((max, each) => Math.max(max, each.quotedShare), 0);
  const isQuotation = Math.min(1, Math.max(0, (maxQuotedShare - from) / (to - from)));
  const relevanceWeight = maxRelevance === 0 ? 0 : (relevance * isQuotation) / maxRelevance;
  return compared.map((each) => each.similarity + quoted * each.quotedShare + relevanceWeight * each.relevance);
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
