import { firstIndexFrom, indexOfSorted, type NamedPassageMatch, spanOrdinals } from '@lectern/canon';
import type { NearestVerses } from '../semantic/nearest-ranking';
import type { SimilarVerses } from '../semantic/ranking';
import type { FullTextResult } from './find-verses';
import { type Found, type MatchReason, ownKeys } from './merge-hits';
import { bestByScore } from './page';
import type { ParsedQuery } from './query';
import type { ScoredVerses } from './score-verses';
import type { TranslationIndex } from './translation-index';

/** The number of similarities that are read between two yields. They take less than a millisecond. */
const similaritiesPerStep = 4_096;

/** Ranks the verses of one translation by their similarity to the query, for the mode MEANING. */
export function* rankByMeaning(
  index: TranslationIndex,
  query: ParsedQuery,
  nearest: SimilarVerses,
): Generator<void, FullTextResult> {
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
const toScore = (score: number): number => Math.round(score * 10_000);

/** Returns the similarity of each verse of a translation, and -1 for the verses that are not in `nearest`. */
function* similaritiesByPosition({ ordinals }: TranslationIndex, nearest: SimilarVerses) {
  const similarities = new Float64Array(ordinals.length).fill(-1);
  for (const [at, ordinal] of nearest.ordinals.entries()) {
    if (at % similaritiesPerStep === 0) yield;
    const verse = indexOfSorted(ordinals, ordinal);
    if (verse >= 0) similarities[verse] = nearest.similarities[at] ?? 0;
  }
  return similarities;
}

const similarityIn =
  (similarities: Float64Array) =>
  (verse: number): number | null => {
    const similarity = similarities[verse] ?? -1;
    return similarity < 0 ? null : similarity;
  };

/** The maximum number of verses that a search finds. The mode WORDS has no maximum. */
export const maxRankedVerses = 500;

/** How many verses are compared with the query: by words from each source, by meaning from each translation. */
const maxCompared = { byWords: 100, byMeaning: 200 };

/** The number of verses that are compared between two yields. They take less than a millisecond. */
const versesPerStep = 128;

interface BestRequest {
  readonly query: ParsedQuery;
  /** The passages whose names resemble the query, the best first. */
  readonly passages: readonly NamedPassageMatch[];
  /** The verses nearest in meaning, for each searched translation. These are the first sources, in the same order. */
  readonly nearest: readonly NearestVerses[];
  readonly isSelected: (ordinal: number) => boolean;
}

/** A verse that may become a hit, with all that decides its rank. */
interface Candidate {
  /** The similarity of its meaning to the query. Null if the verse is not among the nearest. */
  similarity: number | null;
  topicBonus: number;
  /** The share of the query that the verse quotes in the source in which it quotes most, from 0 to 1. */
  quotedShare: number;
  /** How well the query matches the name of a passage that contains the verse, from 0 to 1. */
  passageScore: number;
  /** The place of the verse in a passage whose full name is in the query. Null if the verse is in no such passage. */
  passagePlace: number | null;
}

/** Collects verses by meaning, words and passages, and compares their words with the query in all sources. */
function* collectCandidates(
  sources: readonly Found[],
  { query, passages, nearest, isSelected }: BestRequest,
): Generator<void, Map<number, Candidate>> {
  const candidates = new Map<number, Candidate>();
  const compared = new Set<number>();
  const candidateOf = (key: number): Candidate => {
    const candidate = candidates.get(key) ?? {
      similarity: null,
      topicBonus: 0,
      quotedShare: 0,
      passageScore: 0,
      passagePlace: null,
    };
    candidates.set(key, candidate);
    return candidate;
  };
  for (const [at, { ordinals, similarities, topicBonusOf }] of nearest.entries()) {
    const { keyOf } = sources[at]?.keys ?? ownKeys;
    const best = bestByScore(similarities.map(toScore), ordinals, maxRankedVerses, isSelected);
    for (const [rank, { ordinal, score }] of best.entries()) {
      const key = keyOf(ordinal);
      if (rank < maxCompared.byMeaning) compared.add(key);
      const candidate = candidateOf(key);
      candidate.similarity = Math.max(candidate.similarity ?? 0, score / toScore(1));
      candidate.topicBonus = topicBonusOf(ordinal);
    }
    yield;
  }
  for (const { keys, index, result } of sources) {
    const { verses, scores } = result.hits;
    const isVerseSelected = (verse: number): boolean => isSelected(index.ordinals[verse] ?? 0);
    for (const { ordinal: verse } of bestByScore(scores, verses, maxCompared.byWords, isVerseSelected))
      compared.add(keys.keyOf(index.ordinals[verse] ?? 0));
    yield;
  }
  let place = 0;
  for (const { isFull, score, passage } of passages)
    for (const key of keysOfPassage(passage, sources.slice(0, nearest.length))) {
      compared.add(key);
      const candidate = candidateOf(key);
      candidate.passageScore = Math.max(candidate.passageScore, score);
      if (isFull) candidate.passagePlace ??= place++;
    }
  yield;
  for (const { keys, index } of sources) {
    const { quotedShare } = index.compare(query);
    let count = 0;
    for (const key of compared) {
      const candidate = candidateOf(key);
      for (const ordinal of keys.ordinalsOf(key)) {
        if (count++ % versesPerStep === 0) yield;
        const verse = indexOfSorted(index.ordinals, ordinal);
        if (verse >= 0) candidate.quotedShare = Math.max(candidate.quotedShare, quotedShare(verse));
      }
    }
  }
  return candidates;
}

/** Returns the keys of a passage's verses that a source has, in the order of the passage. */
function keysOfPassage({ passages }: NamedPassageMatch['passage'], sources: readonly Found[]): Set<number> {
  const found = new Set<number>();
  for (const { first, last } of passages.flat().map(spanOrdinals))
    for (const { index, keys } of sources) {
      // The numberings of a verse differ by less than a chapter, so one more on each side includes all verses.
      const [from, to] = [first - 1_000, last + 1_000].map((ordinal) => firstIndexFrom(index.ordinals, ordinal));
      for (const key of Array.from(index.ordinals.subarray(from, to), keys.keyOf).sort((a, b) => a - b))
        if (first <= key && key <= last) found.add(key);
    }
  return found;
}

/**
 * What is added to a similarity: `quoted` if the verse quotes the whole query, `passage` if the query names its
 * passage. The nearest verses differ by about 0.1. Chosen with bench/search-answers.mjs and queries whose right verses
 * are known.
 */
const weights = { quoted: 0.23, passage: 0.1 };

/** Verses in a passage whose full name is in the query get about this score, which is above all other scores. */
const fullPassageScore = 10;

/** In a named passage, the verse that quotes most of the query is first, if it quotes more than this share. */
const minQuotedName = 0.25;

/** A verse that was found only by its words counts as similar as the least similar one (`lowest`). */
function scoresOf(candidates: ReadonlyMap<number, Candidate>, lowest: number): Map<number, number> {
  let leading: Candidate | null = null;
  let leadingShare = minQuotedName;
  for (const candidate of candidates.values()) {
    if (candidate.passagePlace === null || candidate.quotedShare <= leadingShare) continue;
    leading = candidate;
    leadingShare = candidate.quotedShare;
  }
  const scoreOf = (candidate: Candidate): number => {
    const { quotedShare, passageScore, passagePlace, similarity } = candidate;
    if (passagePlace !== null) return fullPassageScore - (candidate === leading ? -1 : passagePlace) / 1_000;
    return (similarity ?? lowest) + weights.quoted * quotedShare + weights.passage * passageScore;
  };
  return new Map(Array.from(candidates, ([key, candidate]) => [key, scoreOf(candidate)]));
}

/** Ranks the verses of the searched translations by meaning, quoted words and named passages together. */
export function* rankBest(sources: readonly Found[], request: BestRequest) {
  const candidates = yield* collectCandidates(sources, request);
  yield;
  const lowest = Math.min(1, ...Array.from(candidates.values(), ({ similarity }) => similarity ?? 1));
  const scores = scoresOf(candidates, lowest);
  yield;
  const results: FullTextResult[] = [];
  for (const [at, nearest] of request.nearest.entries()) {
    const source = sources[at];
    if (source) results.push(yield* resultOf(source, scores, request.query, nearest));
  }
  const reasonsOf = (key: number): MatchReason[] => {
    const { similarity = null, topicBonus = 0, quotedShare = 0, passageScore = 0 } = candidates.get(key) ?? {};
    const parts: [MatchReason, number][] = [
      ['NAMED_PASSAGE', passageScore],
      ['WORDS', weights.quoted * quotedShare],
      ['TOPIC', similarity === null ? 0 : topicBonus],
      ['MEANING', similarity === null ? 0 : Math.max(similarity - lowest - topicBonus, Number.MIN_VALUE)],
    ];
    const found = parts.filter(([, part]) => part > 0).sort(([, a], [, b]) => b - a);
    return found.map(([reason]) => reason);
  };
  return { results, reasonsOf };
}

/** Returns the result for one translation: the candidates that it has, by their index in the translation. */
function* resultOf(
  { index, keys, result }: Found,
  scores: ReadonlyMap<number, number>,
  query: ParsedQuery,
  nearest: NearestVerses,
): Generator<void, FullTextResult> {
  const hits: { verse: number; score: number }[] = [];
  for (const [key, score] of scores)
    for (const ordinal of keys.ordinalsOf(key)) {
      const verse = indexOfSorted(index.ordinals, ordinal);
      if (verse >= 0) hits.push({ verse, score: toScore(score) });
    }
  hits.sort((a, b) => a.verse - b.verse);
  yield;
  return {
    hits: { verses: hits.map(({ verse }) => verse), scores: hits.map(({ score }) => score) },
    leftOut: result.leftOut,
    matchedSpans: index.compare(query).matchedSpans,
    similarityOf: similarityIn(yield* similaritiesByPosition(index, nearest)),
  };
}
