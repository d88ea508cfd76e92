import type { CompiledQuery, RequiredTerms } from './compile-query';
import { createVerseMatcher, rarityOf } from './match-verse';
import type { Postings, TermStream } from './term-dictionary';

/** The verses that were found, as ascending indexes in the translation, and the score of each. */
export interface ScoredVerses {
  readonly verses: number[];
  readonly scores: number[];
}

/** A score is tier * tierFactor + relevance, so relevance only orders verses of the same tier. */
const tierFactor = 2 ** 24;
export const maxScore = 4 * tierFactor - 1;

/** Relevance and weights are in units of 1/256, so that scores are integers. */
const scoreFactor = 256;

/** The number of verses that are scored between two yields. They take less than a millisecond. */
const versesPerStep = 256;

/** Scores the verses with all units: by the tier of the worst, then by relevance. Null `candidates` are all verses. */
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
    hits.scores.push(lowestTier() * tierFactor + Math.min(Math.round(relevance() * scoreFactor), tierFactor - 1));
  }
  return hits;
}

/** A hit must have at least this share of the weight that the best verse has. */
const minShareOfBest = 2 / 3;

/**
 * Scores verses by weight plus relevance. A verse must have all required units, at least two units or the rarest, and
 * `minShareOfBest` of the best verse's weight. Optional units count only for the relevance. `held` tells which units
 * the best verse has.
 */
export function* scoreRelaxed(
  stream: TermStream,
  query: CompiledQuery,
  candidates: readonly number[],
): Generator<void, ScoredVerses & { held: readonly boolean[] }> {
  const { units } = query;
  const { match, holds, rarity, relevance } = createVerseMatcher(stream, query);
  // An unknown word has the most weight. Otherwise, verses with the only known word would be hits.
  const weights = units.map(({ estimate }, unit) => (rarity[unit] ?? 0) + (estimate === 0 ? 1 : 0));
  const counted = units.flatMap(({ need }, unit) => (need === 'optional' ? [] : [unit]));
  const required = units.flatMap(({ need }, unit) => (need === 'required' ? [unit] : []));
  const highestWeight = Math.max(...counted.map((unit) => weights[unit] ?? 0));
  const rarest = counted.filter((unit) => weights[unit] === highestWeight);
  const found: { verse: number; weight: number; score: number }[] = [];
  let best = { weight: 0, score: -1, held: units.map(() => false) };

  for (const [index, verse] of candidates.entries()) {
    if (index % versesPerStep === 0) yield;
    if (match(verse) === 0 || !required.every(holds)) continue;
    const held = counted.filter(holds);
    if (held.length < 2 && !rarest.some(holds)) continue;
    const weight = held.reduce((sum, unit) => sum + (weights[unit] ?? 0), 0);
    const score = Math.min(Math.round((weight + relevance()) * scoreFactor), maxScore);
    found.push({ verse, weight, score });
    if (score > best.score) best = { weight, score, held: units.map((_, unit) => holds(unit)) };
  }
  const kept = found.filter(({ weight }) => weight >= best.weight * minShareOfBest);
  return { verses: kept.map(({ verse }) => verse), scores: kept.map(({ score }) => score), held: best.held };
}

/** Candidates contain the two rarest words of the query, which few verses have in common. */
const maxWords = 2;

/** A word in more than this share of the verses is common: scoring all verses is as fast as collecting its verses. */
const commonShare = 1 / 2;

/** For a word in fewer than this share of the verses, collecting its verses is faster than reading all counts. */
const fewShare = 1 / 64;

/** A count has one byte, so a 32-bit number holds four counts. */
const countsPerNumber = 4;

/** Finds the verses with the one or two rarest words, in order. Null means all: every word is common. */
export function findCandidates({ units }: CompiledQuery, postings: Postings, verseCount: number): number[] | null {
  const rare = units
    .flatMap(({ required }) => required)
    .filter(({ estimate }) => estimate < verseCount * commonShare)
    .sort((a, b) => a.estimate - b.estimate)
    .slice(0, maxWords);
  if (rare.length === 0) return null;
  // How many of the rare words each verse contains.
  const counts = new Uint8Array(Math.ceil(verseCount / countsPerNumber) * countsPerNumber);
  for (const [found, word] of rare.entries()) countWord(counts, found, word, postings);
  const [rarest] = rare;
  return rarest && rarest.estimate < verseCount * fewShare
    ? versesOfWord(counts, rare.length, rarest, postings)
    : positionsOf(counts, rare.length);
}

/** Raises the count of each verse with the word from `found` to `found + 1`, once for several terms. */
function countWord(counts: Uint8Array, found: number, { terms }: RequiredTerms, { verses, starts }: Postings): void {
  for (const term of terms) {
    const end = starts[term + 1] ?? 0;
    for (let at = starts[term] ?? 0; at < end; at += 1) {
      const verse = verses[at] ?? 0;
      if (counts[verse] === found) counts[verse] = found + 1;
    }
  }
}

/** Returns the verses of a word with this count, in order. Clears the count, so that each occurs once. */
function versesOfWord(
  counts: Uint8Array,
  count: number,
  { terms }: RequiredTerms,
  { verses, starts }: Postings,
): number[] {
  const found: number[] = [];
  for (const term of terms) {
    const end = starts[term + 1] ?? 0;
    for (let at = starts[term] ?? 0; at < end; at += 1) {
      const verse = verses[at] ?? 0;
      if (counts[verse] !== count) continue;
      counts[verse] = 0;
      found.push(verse);
    }
  }
  return terms.length > 1 ? found.sort((a, b) => a - b) : found;
}

/** Returns the indexes where `counts` is `count`, which is not 0. Skips four entries at once if all are 0. */
function positionsOf(counts: Uint8Array, count: number): number[] {
  const numbers = new Uint32Array(counts.buffer);
  const positions: number[] = [];
  for (let index = 0; index < numbers.length; index += 1) {
    if (numbers[index] === 0) continue;
    const first = index * countsPerNumber;
    for (let at = first; at < first + countsPerNumber; at += 1) if (counts[at] === count) positions.push(at);
  }
  return positions;
}

/** Finds the verses with two of the words that are not optional, or a word of the rarest units. */
export function findRelaxedCandidates(
  { units }: CompiledQuery,
  { verses, starts }: Postings,
  verseCount: number,
): number[] {
  const counted = units.filter(({ need }) => need !== 'optional');
  const highest = Math.max(...counted.map(({ estimate }) => rarityOf(estimate, verseCount)));
  const counts = new Uint16Array(verseCount);
  for (const { required, estimate } of counted)
    for (const term of required.flatMap(({ terms }) => terms))
      for (const verse of verses.subarray(starts[term], starts[term + 1]))
        counts[verse] = (counts[verse] ?? 0) + (rarityOf(estimate, verseCount) === highest ? 2 : 1);
  const found: number[] = [];
  for (let verse = 0; verse < verseCount; verse += 1) if ((counts[verse] ?? 0) > 1) found.push(verse);
  return found;
}
