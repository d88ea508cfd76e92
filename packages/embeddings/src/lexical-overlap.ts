import { createStemReader } from './stem-reader';

// The parameters k1 and b of BM25, and a divisor that gives one use of a word in a short verse the
// weight 1.
const saturation = 1.2;
const lengthNormalization = 0.75;
const fullWeight = 1.4;

/** Pieces of text between spaces repeat often in a translation, so their stems are memoized. */
const maxMemoizedPieces = 100_000;

/**
 * An inverted index of the stems in one text of each verse, with weights. About 3 MB per
 * translation.
 */
export interface StemIndex {
  /** The language of the text, as an ISO 639-3 code. */
  language: string;
  /** The number of verses that have this text. */
  withText: number;
  stems: readonly string[];
  /**
   * The index of each stem's first entry in `verses` and `weights`, then the length of both lists.
   */
  starts: Uint32Array;
  verses: Uint32Array;
  /** The BM25 weight of the stem in each of these verses, 0 to 1. */
  weights: Float32Array;
}

/** A sparse vector with numbers for some of the verses. All other verses have 0. */
export interface VerseValues {
  /** The positions of the verses, in no order, without duplicates. */
  positions: Uint32Array;
  values: Float32Array;
}

/**
 * Creates the scorer of lexical overlap: the share of a query's words that a verse contains, from 0
 * to 1. Words are compared by stem and weighted by rarity; function words do not count. If a verse
 * has several texts, its own and the English one, the text with the larger overlap counts.
 * @param count the number of verses
 */
export function createLexicalOverlap(indexes: readonly StemIndex[], count: number) {
  const scorers = indexes.map(createTextScorer);
  // Every query reuses these arrays, which are reset to zero afterwards. New arrays of this size
  // per query would be much garbage.
  const [overlapInText, bestOverlap] = [new Float32Array(count), new Float32Array(count)];
  const [matchesInText, matches] = [new Uint32Array(count), new Uint32Array(count)];
  return {
    /** The number of verses. */
    count,
    /**
     * Returns the overlap by the verse's position. Returns null if no verse contains a word of the
     * query.
     */
    score(query: string): VerseValues | null {
      let matchCount = 0;
      for (const scoreText of scorers) {
        const countInText = scoreText(query, { overlaps: overlapInText, positions: matchesInText });
        for (let at = 0; at < countInText; at += 1) {
          const verse = matchesInText[at] ?? 0;
          const [overlap, before] = [overlapInText[verse] ?? 0, bestOverlap[verse] ?? 0];
          if (before === 0 && overlap > 0) matches[matchCount++] = verse;
          bestOverlap[verse] = Math.max(before, overlap);
          overlapInText[verse] = 0;
        }
      }
      if (matchCount === 0) return null;
      const positions = matches.slice(0, matchCount);
      const values = new Float32Array(matchCount);
      for (const [at, verse] of positions.entries()) {
        values[at] = bestOverlap[verse] ?? 0;
        bestOverlap[verse] = 0;
      }
      return { positions, values };
    },
  };
}
export type LexicalOverlap = ReturnType<typeof createLexicalOverlap>;

/**
 * Builds one index of stems per language.
 * @param languages ISO 639-3
 * @param verses the texts of each verse, one per language. Empty if the verse has no text in a
 *   language.
 */
export function indexStems(
  languages: readonly string[],
  verses: Iterable<readonly string[]>,
): { indexes: StemIndex[]; count: number } {
  const builders = languages.map(createIndexBuilder);
  let count = 0;
  for (const texts of verses) {
    for (const [language, builder] of builders.entries()) builder.add(count, texts[language] ?? '');
    count += 1;
  }
  return { indexes: builders.map((builder) => builder.finish()), count };
}

/** The verses that contain a stem, with the number of uses in each, while an index is built. */
interface Occurrences {
  verses: number[];
  counts: number[];
}

function createIndexBuilder(language: string) {
  const found = new Map<string, Occurrences>();
  const lengths: number[] = [];
  let withText = 0;
  const readStems = createStemReader(
    language,
    (stem): Occurrences => {
      const occurrences = found.get(stem) ?? { verses: [], counts: [] };
      found.set(stem, occurrences);
      return occurrences;
    },
    { maxMemoized: maxMemoizedPieces },
  );

  return {
    add(verse: number, text: string): void {
      lengths[verse] = readStems(text, ({ verses, counts }) => {
        const last = verses.length - 1;
        if (verses[last] === verse) counts[last] = (counts[last] ?? 0) + 1;
        else {
          verses.push(verse);
          counts.push(1);
        }
      });
      if (text !== '') withText += 1;
    },
    finish(): StemIndex {
      const meanLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(withText, 1);
      const weight = (verse: number, times: number): number =>
        Math.min(
          1,
          ((saturation + 1) * times) /
            (times +
              saturation * (1 - lengthNormalization + (lengthNormalization * (lengths[verse] ?? 0)) / meanLength)) /
            fullWeight,
        );
      const starts = new Uint32Array(found.size + 1);
      const all = Array.from(found.values());
      for (const [at, { verses }] of all.entries()) starts[at + 1] = (starts[at] ?? 0) + verses.length;
      const [verses, weights] = [new Uint32Array(starts.at(-1) ?? 0), new Float32Array(starts.at(-1) ?? 0)];
      for (const [at, occurrences] of all.entries()) {
        verses.set(occurrences.verses, starts[at]);
        weights.set(
          occurrences.counts.map((times, index) => weight(occurrences.verses[index] ?? 0, times)),
          starts[at],
        );
      }
      return { language, withText, stems: Array.from(found.keys()), starts, verses, weights };
    },
  };
}

/** Creates the scorer of one text per verse. */
function createTextScorer({ language, withText, stems, starts, verses, weights }: StemIndex) {
  const numbers = new Map(stems.map((stem, number) => [stem, number]));
  const readStems = createStemReader(language, (stem) => stem, { maxMemoized: 0 });
  const findStem = (stem: string): { from: number; to: number; rarity: number } => {
    const number = numbers.get(stem);
    const [from = 0, to = 0] = number === undefined ? [] : [starts[number], starts[number + 1]];
    const frequency = to - from;
    return { from, to, rarity: Math.log(1 + (withText - frequency + 0.5) / (frequency + 0.5)) };
  };
  /**
   * Adds the overlap of each matching verse to `overlaps`, lists these verses in `positions`, and
   * returns their number.
   */
  return (query: string, { overlaps, positions }: { overlaps: Float32Array; positions: Uint32Array }): number => {
    const queryStems = new Set<string>();
    readStems(query, (stem) => queryStems.add(stem));
    const found = Array.from(queryStems, findStem);
    const totalRarity = found.reduce((sum, { rarity }) => sum + rarity, 0);
    let count = 0;
    for (const { from, to, rarity } of found) {
      for (let at = from; at < to; at += 1) {
        const verse = verses[at] ?? 0;
        if (overlaps[verse] === 0) positions[count++] = verse;
        overlaps[verse] = (overlaps[verse] ?? 0) + (rarity / totalRarity) * (weights[at] ?? 0);
      }
    }
    return count;
  };
}
