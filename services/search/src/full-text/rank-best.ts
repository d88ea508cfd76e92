import { firstIndexFrom, indexOfSorted, type NamedPassageMatch, spanOrdinals } from '@lectern/canon';
import type { NearestVerses } from '../semantic/nearest-ranking';
import type { FullTextResult } from './find-verses';
import { type MatchReason, ownKeys, type VerseKeys } from './merge-hits';
import { bestByScore } from './page';
import type { ParsedQuery } from './query';
import { type MeaningResult, similaritiesByPosition, similarityIn, toScore } from './rank-by-meaning';
import type { TranslationIndex } from './translation-index';

/**
 * The maximum number of verses whose words are compared with the query: those found by words, from each source, and
 * those nearest in meaning, from each translation.
 */
const maxCompared = { byWords: 100, byMeaning: 200 };

/** The number of verses that are compared between two yields. They take less than a millisecond. */
const versesPerStep = 128;

/**
 * A translation whose words are compared with a query. It may not be a searched one, because a reader may quote
 * another translation.
 */
export interface WordSource {
  readonly index: TranslationIndex;
  /** The keys of the verses, which are ordinals in the standard numbering. */
  readonly keys: VerseKeys;
  /** The verses that were found by the words of the query. */
  readonly words: FullTextResult;
}

export interface BestRequest {
  readonly query: ParsedQuery;
  /** The passages whose names resemble the query, the best first. */
  readonly passages: readonly NamedPassageMatch[];
  /** The verses nearest in meaning, for each searched translation. These are the first sources, in the same order. */
  readonly nearest: readonly NearestVerses[];
  /** Returns whether a verse passes the filters of the request. */
  readonly isSelected: (ordinal: number) => boolean;
  /** The maximum number of verses in the result. */
  readonly limit: number;
}

/** A verse that may become a hit, with everything that its rank depends on. */
export interface Candidate {
  /** The similarity of its meaning to the query. Null if the verse is not among the nearest. */
  similarity: number | null;
  topicBonus: number;
  /** The share of the query that the verse quotes, from 0 to 1. The largest one of all sources. */
  quotedShare: number;
  /** How well the query matches the name of a passage that contains the verse, from 0 to 1. */
  passageScore: number;
  /** The place of the verse in a passage whose full name is in the query. Null if the verse is in no such passage. */
  passagePlace: number | null;
}

/**
 * Collects the verses nearest in meaning and the best verses found by words, by their ordinals in the standard
 * numbering. Compares their words with the query, in all sources.
 */
function* collectCandidates(
  sources: readonly WordSource[],
  { query, passages, nearest, isSelected, limit }: BestRequest,
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
    const best = bestByScore(similarities.map(toScore), ordinals, limit, isSelected);
    for (const [rank, { ordinal, score }] of best.entries()) {
      const key = keyOf(ordinal);
      if (rank < maxCompared.byMeaning) compared.add(key);
      const candidate = candidateOf(key);
      candidate.similarity = Math.max(candidate.similarity ?? 0, score / toScore(1));
      candidate.topicBonus = topicBonusOf(ordinal);
    }
    yield;
  }
  for (const { keys, index, words } of sources) {
    const { verses, scores } = words.hits;
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
function keysOfPassage({ passages }: NamedPassageMatch['passage'], sources: readonly WordSource[]): Set<number> {
  const found = new Set<number>();
  for (const { first, last } of passages.flat().map(spanOrdinals))
    for (const { index, keys } of sources) {
      // The two numberings of a verse differ by less than a chapter, so one more chapter on each side includes all
      // verses of the passage.
      const [from, to] = [first - 1_000, last + 1_000].map((ordinal) => firstIndexFrom(index.ordinals, ordinal));
      for (const key of Array.from(index.ordinals.subarray(from, to), keys.keyOf).sort((a, b) => a - b))
        if (first <= key && key <= last) found.add(key);
    }
  return found;
}

/**
 * What is added to the similarity of a verse: `quoted` if it quotes the whole query, and `passage` if the query resembles
 * the name of its passage. The verses nearest to a query differ in similarity by about 0.1. The values were chosen with queries whose right verses are known, as bench/answers.mjs
 * measures them.
 */
const weights = { quoted: 0.23, passage: 0.1 };

/** Verses in a passage whose full name is in the query get about this score, which is above all other scores. */
const fullPassageScore = 10;

/**
 * In a passage that the query names, the verse that quotes most of the query comes first, but only if it quotes more
 * than this share of it.
 */
const minQuotedName = 0.25;

/** Returns the score of each candidate. */
function scoresOf(candidates: ReadonlyMap<number, Candidate>): Map<number, number> {
  const all = [...candidates.values()];
  const lowest = all.reduce((min, { similarity }) => Math.min(min, similarity ?? 1), 1);
  const inPassages = all.filter(({ passagePlace }) => passagePlace !== null);
  const leading = inPassages.reduce<Candidate | null>(
    (best, each) => (each.quotedShare > (best?.quotedShare ?? minQuotedName) ? each : best),
    null,
  );
  const scoreOf = (candidate: Candidate): number => {
    const { quotedShare, passageScore, passagePlace, similarity } = candidate;
    if (passagePlace !== null) return fullPassageScore - (candidate === leading ? -1 : passagePlace) / 1_000;
    // A verse that was only found by its words gets the lowest similarity of all candidates.
    return (similarity ?? lowest) + weights.quoted * quotedShare + weights.passage * passageScore;
  };
  return new Map(Array.from(candidates, ([key, candidate]) => [key, scoreOf(candidate)]));
}

/** The ranked verses of each searched translation, and the reason why each verse was found. */
export interface BestResult {
  readonly results: MeaningResult[];
  reasonsOf(key: number): MatchReason[];
}

/** Ranks the verses of the searched translations by meaning, quoted words and named passages together. */
export function* rankBest(sources: readonly WordSource[], request: BestRequest): Generator<void, BestResult> {
  const candidates = yield* collectCandidates(sources, request);
  yield;
  const scores = scoresOf(candidates);
  const lowest = Math.min(...Array.from(candidates.values(), ({ similarity }) => similarity ?? 1));
  yield;
  const results: MeaningResult[] = [];
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
  { index, keys, words }: WordSource,
  scores: ReadonlyMap<number, number>,
  query: ParsedQuery,
  nearest: NearestVerses,
): Generator<void, MeaningResult> {
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
    leftOut: words.leftOut,
    matchedSpans: index.compare(query).matchedSpans,
    similarityOf: similarityIn(yield* similaritiesByPosition(index, nearest)),
  };
}
