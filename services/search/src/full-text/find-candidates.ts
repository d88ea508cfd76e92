import type { CompiledQuery, RequiredTerms } from './compile-query';
import type { Postings } from './postings';

/** The number of words that candidates must contain. The two rarest words of a query leave few verses. */
const maxWords = 2;

/** If a word is in at least this share of the verses, scoring every verse is as fast as collecting those of the word. */
const commonShare = 1 / 2;

/**
 * Finds the verses that contain the rarest words of a query, as ascending positions in the translation. These may be
 * hits. Returns null if all words are common: then every verse is a candidate.
 */
export function findCandidates({ units }: CompiledQuery, postings: Postings, verseCount: number): number[] | null {
  const rare = units
    .flatMap(({ required }) => required)
    .filter(({ estimate }) => estimate < verseCount * commonShare)
    .sort((a, b) => a.estimate - b.estimate)
    .slice(0, maxWords);
  if (rare.length === 0) return null;
  const counts = new Uint8Array(verseCount);
  for (const [found, word] of rare.entries()) countWord(counts, word, { found, postings });
  const candidates: number[] = [];
  for (let verse = counts.indexOf(rare.length); verse >= 0; verse = counts.indexOf(rare.length, verse + 1))
    candidates.push(verse);
  return candidates;
}

/**
 * Finds the verses that contain a word of a relaxed query, without its optional words. These may be hits.
 * Returns null if the words are common: then every verse is a candidate.
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

/** Adds one to the count of each verse that contains one of the terms, if the count is `found`. */
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
