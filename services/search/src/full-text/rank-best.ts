import { indexOfSorted } from '@lectern/canon';
import type { NearestVerses } from '../semantic/nearest-ranking';
import { type FullTextResult, noWordMatch, type WordMatch } from './find-verses';
import { type MatchReason, ownKeys, type VerseKeys } from './merge-hits';
import { bestByScore } from './page';
import type { ParsedQuery } from './query';
import { type MeaningResult, similaritiesByPosition, similarityIn, toScore } from './rank-by-meaning';
import type { TranslationIndex } from './translation-index';

/** The number of verses of each translation that are compared because of their words. */
const maxByWords = 100;

/** The number of verses that are compared between two pauses, in less than a millisecond. */
const versesPerStep = 128;

/** A translation with whose words a query is compared. */
export interface WordSource {
  readonly index: TranslationIndex;
  /** The keys of the standard numbering. */
  readonly keys: VerseKeys;
  /** The verses with words of the query. */
  readonly words: FullTextResult;
}

export interface BestRequest {
  readonly query: ParsedQuery;
  /** The nearest verses of each searched translation. The searched translations are the first sources. */
  readonly nearest: readonly NearestVerses[];
  /** Whether a verse passes the filters of the request. */
  readonly isSelected: (ordinal: number) => boolean;
  /** The maximum number of verses that are found by their meaning. */
  readonly limit: number;
}

/** What is known of a verse that may be a hit. */
export interface Candidate {
  /** Null if the verse is not among the nearest in meaning. */
  similarity: number | null;
  topicBonus: number;
  /** How the verse matches the words of the query in each source: see `compareVerse`. */
  readonly byWords: WordMatch[];
}

/**
 * Collects the verses nearest in meaning and the best verses that were found by their words, by the
 * ordinal in the standard numbering, and compares their words in all sources.
 */
export function* collectCandidates(
  sources: readonly WordSource[],
  { query, nearest, isSelected, limit }: BestRequest,
): Generator<void, Map<number, Candidate>> {
  const candidates = new Map<number, Candidate>();
  const candidateOf = (key: number): Candidate => {
    const candidate = candidates.get(key) ?? { similarity: null, topicBonus: 0, byWords: [] };
    candidates.set(key, candidate);
    return candidate;
  };
  for (const [at, { ordinals, similarities, topicBonusOf }] of nearest.entries()) {
    const { keyOf } = sources[at]?.keys ?? ownKeys;
    for (const { ordinal, score } of bestByScore(similarities.map(toScore), ordinals, limit, isSelected)) {
      const candidate = candidateOf(keyOf(ordinal));
      candidate.similarity = Math.max(candidate.similarity ?? 0, score / toScore(1));
      candidate.topicBonus = topicBonusOf(ordinal);
    }
    yield;
  }
  for (const { keys, index, words } of sources) {
    const { verses, scores } = words.hits;
    const isVerseSelected = (verse: number): boolean => isSelected(index.ordinals[verse] ?? 0);
    for (const { ordinal: verse } of bestByScore(scores, verses, maxByWords, isVerseSelected))
      candidateOf(keys.keyOf(index.ordinals[verse] ?? 0));
    yield;
  }
  for (const { keys, index } of sources) {
    const { compareVerse } = index.compare(query);
    let compared = 0;
    for (const [key, { byWords }] of candidates) {
      if (compared++ % versesPerStep === 0) yield;
      const verses = keys.ordinalsOf(key).map((ordinal) => indexOfSorted(index.ordinals, ordinal));
      const found = verses.filter((verse) => verse >= 0).map(compareVerse);
      byWords.push(found.reduce((a, b) => (b.relevance > a.relevance ? b : a), noWordMatch));
    }
  }
  return candidates;
}

export const bestWeights = { quoted: 0.15, relevance: 0.2, minQuotedShare: 0.4, fullQuotedShare: 0.65 };

/** The score of a verse, and its parts. */
interface Scored {
  readonly score: number;
  readonly byWords: number;
}

/** Scores the candidates, in their order. */
export function scoreCandidates(
  candidates: readonly Candidate[],
  { quoted, relevance, minQuotedShare, fullQuotedShare }: typeof bestWeights,
): Scored[] {
  const sourceCount = candidates[0]?.byWords.length ?? 0;
  const maxima = (part: 'quotedShare' | 'relevance'): number[] =>
    Array.from({ length: sourceCount }, (_, source) =>
      candidates.reduce((max, { byWords }) => Math.max(max, byWords[source]?.[part] ?? 0), 0),
    );
  const [maxQuoted, maxRelevance] = [maxima('quotedShare'), maxima('relevance')];
  const weights = maxQuoted.map((max, source) => {
    const progress = (max - minQuotedShare) / (fullQuotedShare - minQuotedShare);
    const top = maxRelevance[source] ?? 0;
    return top === 0 ? 0 : (relevance * Math.min(1, Math.max(0, progress))) / top;
  });
  const lowest = candidates.reduce((min, { similarity }) => Math.min(min, similarity ?? 1), 1);
  return candidates.map(({ similarity, byWords }) => {
    const best = byWords.reduce(
      (max, each, source) => Math.max(max, quoted * each.quotedShare + (weights[source] ?? 0) * each.relevance),
      0,
    );
    return { score: (similarity ?? lowest) + best, byWords: best };
  });
}

/** The verses of each searched translation, and what found the verse with a key. */
export interface BestResult {
  readonly results: MeaningResult[];
  reasonsOf(key: number): MatchReason[];
}

/** Ranks the verses of the searched translations by all that is known of them. */
export function* rankBest(sources: readonly WordSource[], request: BestRequest): Generator<void, BestResult> {
  const candidates = yield* collectCandidates(sources, request);
  yield;
  const scored = scoreCandidates([...candidates.values()], bestWeights);
  const scores = new Map(Array.from(candidates.keys(), (key, at) => [key, scored[at] ?? { score: 0, byWords: 0 }]));
  yield;
  const results: MeaningResult[] = [];
  for (const [at, nearest] of request.nearest.entries()) {
    const source = sources[at];
    if (source) results.push(yield* resultOf(source, scores, request.query, nearest));
  }
  const lowest = Math.min(...Array.from(candidates.values(), ({ similarity }) => similarity ?? 1));
  const reasonsOf = (key: number): MatchReason[] => {
    const { similarity = null, topicBonus = 0 } = candidates.get(key) ?? {};
    const parts: [MatchReason, number][] = [
      ['WORDS', scores.get(key)?.byWords ?? 0],
      ['TOPIC', similarity === null ? 0 : topicBonus],
      ['MEANING', similarity === null ? 0 : Math.max(similarity - lowest - topicBonus, Number.MIN_VALUE)],
    ];
    const found = parts.filter(([, part]) => part > 0).sort(([, a], [, b]) => b - a);
    return found.map(([reason]) => reason);
  };
  return { results, reasonsOf };
}

/** Lists the candidates that a translation has, by their positions in the translation. */
function* resultOf(
  { index, keys, words }: WordSource,
  scores: ReadonlyMap<number, Scored>,
  query: ParsedQuery,
  nearest: NearestVerses,
): Generator<void, MeaningResult> {
  const hits: { verse: number; score: number }[] = [];
  for (const [key, { score }] of scores)
    for (const ordinal of keys.ordinalsOf(key)) {
      const verse = indexOfSorted(index.ordinals, ordinal);
      if (verse >= 0) hits.push({ verse, score: toScore(score) });
    }
  hits.sort((a, b) => a.verse - b.verse);
  yield;
  return {
    hits: { verses: hits.map(({ verse }) => verse), scores: hits.map(({ score }) => score) },
    leftOut: words.leftOut,
    matchedSpans: index.compare(query).matchedSpans,
    similarityOf: similarityIn(yield* similaritiesByPosition(index, nearest)),
  };
}
