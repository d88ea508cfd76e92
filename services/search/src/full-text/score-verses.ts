import type { CompiledQuery, TermRole } from './compile-query';
import { phraseEndsAt } from './compile-query';

/** The verses of a translation as term ids, one verse after the other. */
export interface TermStream {
  readonly words: Uint16Array | Uint32Array;
  /** The index of each verse in `words`: verse i has the words from starts[i] to starts[i + 1] - 1. */
  readonly starts: Uint32Array;
}

export interface ScoredVerses {
  /** The positions of the found verses in the translation, ascending. */
  readonly verses: number[];
  /** The score of each found verse, in the order of `verses`. */
  readonly scores: number[];
}

/** A score has the tier in its upper part and 24 bits of relevance below. */
const tierFactor = 2 ** 24;
export const maxScore = 4 * tierFactor - 1;

const relevanceFactor = 256;
/** A greater distance between two words of the query adds no relevance. */
const maxDistance = 10;

/** The number of verses that are scored in less than a millisecond. */
const versesPerStep = 256;

/**
 * Finds the verses that contain every unit of the query, and scores them.
 * `candidates` limits the verses; null means all verses. Yields between short steps.
 *
 * The score is an integer: the lowest tier of the units (exact, then word start, then stem),
 * then relevance.
 * Relevance follows BM25: the frequency and the rarity of the words against the verse's length.
 * Words that follow each other closely in the order of the query add relevance, so that a
 * half-remembered verse ranks before other verses with the same words.
 */
export function* scoreVerses(
  { words, starts }: TermStream,
  query: CompiledQuery,
  candidates: readonly number[] | null,
): Generator<void, ScoredVerses> {
  const { roleIndexes, roles, precedingUnits, pairs } = query;
  const verseCount = starts.length - 1;
  const averageLength = words.length / Math.max(verseCount, 1);
  const unitCount = query.units.length;
  const rarity = query.units.map(({ estimate }) => rarityOf(estimate, verseCount));
  const pairWeights = pairs.map(([left, right]) => (rarity[left] ?? 0) + (rarity[right] ?? 0));

  // The state of the current verse. A unit's entries are valid only if `seenIn` has the verse,
  // so that no array is cleared between verses.
  const seenIn = new Int32Array(unitCount).fill(-1);
  const bestTier = new Uint8Array(unitCount);
  const weight = new Uint32Array(unitCount);
  const lastPosition = new Int32Array(unitCount);
  const minDistance = new Int32Array(pairs.length);
  const hits: ScoredVerses = { verses: [], scores: [] };

  /**
   * Adds the word at `at` to the units that it matches.
   * Returns the number of units whose first match in the verse is this word.
   */
  const addWord = (verse: number, begin: number, at: number, wordRoles: readonly TermRole[]): number => {
    let newUnits = 0;
    for (const { unit, tier, phrase } of wordRoles) {
      if (phrase !== null && !phraseEndsAt(words, { begin, end: at }, phrase)) continue;
      const preceding = precedingUnits[unit] ?? [];
      const first = phrase === null ? at : at - phrase.length + 1;
      const isNew = seenIn[unit] !== verse;
      for (let index = 0; index < preceding.length; index += 1) {
        const { unit: left = 0, pair = 0 } = preceding[index] ?? {};
        const distance = seenIn[left] === verse ? first - (lastPosition[left] ?? first) : 0;
        const nearest = isNew ? 0 : (minDistance[pair] ?? 0);
        minDistance[pair] = distance > 0 && (nearest === 0 || distance < nearest) ? distance : nearest;
      }
      lastPosition[unit] = at;
      if (isNew) {
        newUnits += 1;
        seenIn[unit] = verse;
        bestTier[unit] = tier;
        weight[unit] = tier;
      } else {
        if (tier > (bestTier[unit] ?? 0)) bestTier[unit] = tier;
        weight[unit] = (weight[unit] ?? 0) + tier;
      }
    }
    return newUnits;
  };

  const scoreOf = (length: number): number => {
    let lowestTier = 3;
    let relevance = 0;
    const damping = 1.2 * (0.25 + (0.75 * length) / averageLength);
    for (let unit = 0; unit < unitCount; unit += 1) {
      lowestTier = Math.min(lowestTier, bestTier[unit] ?? 0);
      const frequency = (weight[unit] ?? 0) / 3;
      relevance += ((rarity[unit] ?? 0) * frequency * 2.2) / (frequency + damping);
    }
    for (let pair = 0; pair < pairs.length; pair += 1) {
      const distance = minDistance[pair] ?? 0;
      if (distance > 0 && distance <= maxDistance) relevance += (pairWeights[pair] ?? 0) / distance;
    }
    return lowestTier * tierFactor + Math.min(Math.round(relevance * relevanceFactor), tierFactor - 1);
  };

  const scoreVerse = (verse: number): void => {
    const begin = starts[verse] ?? 0;
    const end = starts[verse + 1] ?? begin;
    let matchedUnits = 0;
    for (let at = begin; at < end; at += 1) {
      const roleIndex = roleIndexes[words[at] ?? 0] ?? 0;
      if (roleIndex !== 0) matchedUnits += addWord(verse, begin, at, roles[roleIndex] ?? []);
    }
    if (matchedUnits < unitCount) return;
    hits.verses.push(verse);
    hits.scores.push(scoreOf(end - begin));
  };

  const count = candidates?.length ?? verseCount;
  for (let index = 0; index < count; index += 1) {
    if (index % versesPerStep === 0) yield;
    scoreVerse(candidates?.[index] ?? index);
  }
  return hits;
}

/**
 * Returns 1 for a word in every verse, and one more each time the number of verses halves.
 * The result is an integer, so that every machine computes equal scores.
 */
const rarityOf = (estimate: number, verseCount: number): number =>
  Math.max(1, 32 - Math.clz32(Math.floor(verseCount / Math.max(estimate, 1))));
