import type { CompiledQuery, RequiredTerms } from './compile';
import type { Postings } from './postings-types';

/** A candidate must contain the two rarest words of the query, because few verses contain both. */
const maxWords = 2;

/**
 * If a word is in at least this share of the verses, scoring every verse is as fast as collecting
 * the verses of the word first.
 */
const commonShare = 1 / 2;

/**
 * If the rarest word is in a smaller share of the verses, collecting and sorting the verses of this
 * word is faster than reading a count for every verse.
 */
const fewShare = 1 / 64;

/** A count has one byte, so a 32-bit number holds four counts. */
const countsPerNumber = 4;

/**
 * Finds the verses that contain the rarest words of a query, at most two, as ascending positions in
 * the translation. Only these candidates can be hits and are scored. Returns null if all words are
 * common: then every verse is a candidate.
 */
export function findCandidates({ units }: CompiledQuery, postings: Postings, verseCount: number): number[] | null {
  const rare = units
    .flatMap(({ required }) => required)
    .filter(({ estimate }) => estimate < verseCount * commonShare)
    .sort((a, b) => a.estimate - b.estimate)
    .slice(0, maxWords);
  if (rare.length === 0) return null;
  // How many of the rare words each verse contains.
  const counts = new Uint8Array(Math.ceil(verseCount / countsPerNumber) * countsPerNumber);
  for (const [found, word] of rare.entries()) countWord(counts, word, { found, postings });
  const [rarest] = rare;
  return rarest && rarest.estimate < verseCount * fewShare
    ? versesOfWord(counts, rare.length, { word: rarest, postings })
    : positionsOf(counts, rare.length);
}

/**
 * Returns the verses of a word whose entry in `counts` equals `count`, in ascending order. Sets
 * these entries to 0, so that a verse with two terms of the word is returned once.
 */
function versesOfWord(
  counts: Uint8Array,
  count: number,
  { word: { terms }, postings: { verses, starts } }: { word: RequiredTerms; postings: Postings },
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

/**
 * Returns the positions of the verses whose entry in `counts` equals `count`, ascending. Most
 * entries are 0, so the loop compares four entries at once with 0.
 */
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

/**
 * Finds the verses that contain at least one word of a relaxed query, which accepts verses that
 * lack some of its words. Optional words do not count. Only these candidates can be hits and are
 * scored. Returns null if the words are common: then every verse is a candidate.
 */
export function findRelaxedCandidates(
  { units }: CompiledQuery,
  { verses, starts }: Postings,
  verseCount: number,
): number[] | null {
  const counted = units.filter(({ need }) => need !== 'optional').flatMap(({ required }) => required);
  if (counted.reduce((sum, { estimate }) => sum + estimate, 0) >= verseCount * commonShare) return null;
  const found = new Set<number>();
  for (const { terms } of counted)
    for (const term of terms) for (const verse of verses.subarray(starts[term], starts[term + 1])) found.add(verse);
  return [...found].sort((a, b) => a - b);
}

/**
 * Adds one to the count of each verse that contains one of the terms and has the count `found`. So
 * a verse counts once, also if it contains several of the terms.
 */
function countWord(
  counts: Uint8Array,
  { terms }: RequiredTerms,
  { found, postings: { verses, starts } }: { found: number; postings: Postings },
): void {
  for (const term of terms) {
    const end = starts[term + 1] ?? 0;
    for (let at = starts[term] ?? 0; at < end; at += 1) {
      const verse = verses[at] ?? 0;
      if (counts[verse] === found) counts[verse] = found + 1;
    }
  }
}
