import type { CompiledQuery } from './compile';
import type { TermStream } from './match';
import { createVerseMatcher } from './match';
import type { ScoredVerses } from './score-verses-with-all-words';
import { maxScore } from './score-verses-with-all-words';

export interface RelaxedVerses extends ScoredVerses {
  /** For each word or phrase of the query, whether the best verse contains it. */
  readonly held: readonly boolean[];
}

/** The number of verses that are scored between two pauses, in less than a millisecond. */
const versesPerStep = 256;

/** A score is an integer: the sum of the weights and the relevance, in units of 1/256. */
const scoreFactor = 256;

/**
 * A verse is a hit if its words have at least this share of the weight of the best verse's words.
 */
const minShareOfBest = 2 / 3;

/**
 * Finds the verses that contain the greatest part of a relaxed query. A unit is a word or a phrase
 * of the query; rare units have a greater weight. A verse must contain all required units, at least
 * two units or the rarest unit, and `minShareOfBest` of the weight that the best verse contains.
 * Optional units (function words such as `the`) count only for the relevance. The score is the
 * weight plus the relevance. `candidates` limits the verses; null means all verses. Yields between
 * short steps, so that other requests are executed in between.
 */
export function* scoreRelaxed(
  stream: TermStream,
  query: CompiledQuery,
  candidates: readonly number[] | null,
): Generator<void, RelaxedVerses> {
  const { units } = query;
  const { verseCount, match, holds, rarity, relevance } = createVerseMatcher(stream, query);
  // A word that no verse contains weighs more than any known word. Otherwise a known word of a
  // single verse would weigh as much, and would be enough for a hit if all other words of the query
  // are unknown.
  const weights = units.map(({ estimate }, unit) => (rarity[unit] ?? 0) + (estimate === 0 ? 1 : 0));
  const counted = units.flatMap(({ need }, unit) => (need === 'optional' ? [] : [unit]));
  const required = units.flatMap(({ need }, unit) => (need === 'required' ? [unit] : []));
  const highestWeight = Math.max(...counted.map((unit) => weights[unit] ?? 0));
  const rarest = counted.filter((unit) => weights[unit] === highestWeight);
  const found: { verse: number; weight: number; score: number }[] = [];
  let best = { weight: 0, score: -1, held: units.map(() => false) };

  const count = candidates?.length ?? verseCount;
  for (let index = 0; index < count; index += 1) {
    if (index % versesPerStep === 0) yield;
    const verse = candidates?.[index] ?? index;
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
