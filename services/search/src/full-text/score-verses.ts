import type { CompiledQuery, TermRole } from './compile-query';
import { phraseEndsAt } from './compile-query';

/** Every verse of an edition as numbers of its words, one after the other. */
export interface WordStream {
  readonly words: Uint32Array;
  /** Verse i holds the words from starts[i] up to but not including starts[i + 1]. */
  readonly starts: Uint32Array;
}

export interface ScoredVerses {
  /** Ascending: positions of verses in the edition. */
  readonly verses: number[];
  readonly scores: number[];
}

/** The tier stands above everything else in a score: room for 24 bits of relevance below it. */
const tierWorth = 2 ** 24;
export const maxScore = 4 * tierWorth - 1;

const relevanceUnit = 256;
const widestGap = 10;

/**
 * The verses, of those asked about or of all, that hold every unit, each with its score, an integer: the poorest tier among its words
 * (exact, then word start, then stem) comes first, then relevance. That is how often the words stand there and how rare they are, against the
 * verse's length (BM25's saturation), and how closely they follow each other in the order of the query: what tells the verse that
 * somebody half remembers from others with the same words.
 */
export function scoreVerses(
  { words, starts }: WordStream,
  matcher: CompiledQuery,
  asked: readonly number[] | null,
): ScoredVerses {
  const { roleOf, roles, before, pairs } = matcher;
  const verseCount = starts.length - 1;
  const averageLength = words.length / Math.max(verseCount, 1);
  const unitCount = matcher.units.length;
  const rarity = matcher.units.map(({ estimate }) => rarityOf(estimate, verseCount));
  const pairWorth = pairs.map(([left, right]) => (rarity[left] ?? 0) + (rarity[right] ?? 0));

  // Of the verse under the eye; a unit's entries count only while `seenIn` names that verse, so that nothing need be cleared.
  const seenIn = new Int32Array(unitCount).fill(-1);
  const bestTier = new Uint8Array(unitCount);
  const weight = new Uint32Array(unitCount);
  const last = new Int32Array(unitCount);
  const gap = new Int32Array(pairs.length);
  const hits: ScoredVerses = { verses: [], scores: [] };

  /** The word at `at` may answer units of the query; gives back how many of them the verse had not answered before. */
  const meet = (verse: number, begin: number, at: number, asRoles: readonly TermRole[]): number => {
    let fresh = 0;
    for (const { unit, tier, phrase } of asRoles) {
      if (phrase !== null && !phraseEndsAt(words, { begin, end: at }, phrase)) continue;
      const lefts = before[unit] ?? [];
      const first = phrase === null ? at : at - phrase.length + 1;
      const isFresh = seenIn[unit] !== verse;
      for (let index = 0; index < lefts.length; index += 1) {
        const { unit: left = 0, pair = 0 } = lefts[index] ?? {};
        const distance = seenIn[left] === verse ? first - (last[left] ?? first) : 0;
        const nearest = isFresh ? 0 : (gap[pair] ?? 0);
        gap[pair] = distance > 0 && (nearest === 0 || distance < nearest) ? distance : nearest;
      }
      last[unit] = at;
      if (isFresh) {
        fresh += 1;
        seenIn[unit] = verse;
        bestTier[unit] = tier;
        weight[unit] = tier;
      } else {
        if (tier > (bestTier[unit] ?? 0)) bestTier[unit] = tier;
        weight[unit] = (weight[unit] ?? 0) + tier;
      }
    }
    return fresh;
  };

  const score = (length: number): number => {
    let poorest = 3;
    let relevance = 0;
    const damping = 1.2 * (0.25 + (0.75 * length) / averageLength);
    for (let unit = 0; unit < unitCount; unit += 1) {
      poorest = Math.min(poorest, bestTier[unit] ?? 0);
      const frequency = (weight[unit] ?? 0) / 3;
      relevance += ((rarity[unit] ?? 0) * frequency * 2.2) / (frequency + damping);
    }
    for (let pair = 0; pair < pairs.length; pair += 1) {
      const distance = gap[pair] ?? 0;
      if (distance > 0 && distance <= widestGap) relevance += (pairWorth[pair] ?? 0) / distance;
    }
    return poorest * tierWorth + Math.min(Math.round(relevance * relevanceUnit), tierWorth - 1);
  };

  const look = (verse: number): void => {
    const begin = starts[verse] ?? 0;
    const end = starts[verse + 1] ?? begin;
    let found = 0;
    for (let at = begin; at < end; at += 1) {
      const roleIndex = roleOf[words[at] ?? 0] ?? 0;
      if (roleIndex !== 0) found += meet(verse, begin, at, roles[roleIndex] ?? []);
    }
    if (found < unitCount) return;
    hits.verses.push(verse);
    hits.scores.push(score(end - begin));
  };

  if (asked) for (const verse of asked) look(verse);
  else for (let verse = 0; verse < verseCount; verse += 1) look(verse);
  return hits;
}

/** 1 for a word that every verse holds, one more each time that half as many do. Whole, so that no machine rounds it otherwise. */
const rarityOf = (estimate: number, verseCount: number): number =>
  Math.max(1, 32 - Math.clz32(Math.floor(verseCount / Math.max(estimate, 1))));
