import type { RowValues } from '@lectern/embeddings';

// k1, b and a divisor for BM25. A word that is once in a verse of 30 % of the mean length has the weight 1.
const saturation = 1.2;
const lengthNormalization = 0.75;
const fullWeight = 1.4;

/** Returns the BM25 weight of a word, 0 to 1. `length` is the verse's number of words as a multiple of the mean. */
export const wordWeight = (times: number, length: number): number =>
  Math.min(
    1,
    ((saturation + 1) * times) /
      (times + saturation * (1 - lengthNormalization + lengthNormalization * length)) /
      fullWeight,
  );

/** The verses in which a word stem occurs, without duplicates. */
export interface StemOccurrences {
  /** The verses, as indexes in their translation. */
  verses: ArrayLike<number>;
  /** The weight of the stem in each of these verses (`wordWeight`). */
  weights: ArrayLike<number>;
}

export interface TranslationWords {
  /** Returns the stems of a query, without duplicates and without function words. */
  stemsOf(query: string): readonly string[];
  verseCount: number;
  occurrences(stems: readonly string[]): readonly StemOccurrences[];
  /** For each verse of the translation, its row (index) among the ranked verses. -1 for a verse that is not ranked. */
  rows: Int32Array;
}

/** Adds two sparse vectors. A row that is in both occurs twice in the result, and its two values are to be added. */
export function joinValues(one: RowValues, other: RowValues): RowValues {
  const size = one.rows.length + other.rows.length;
  const joined = { rows: new Uint32Array(size), values: new Float32Array(size) };
  joined.rows.set(one.rows);
  joined.rows.set(other.rows, one.rows.length);
  joined.values.set(one.values);
  joined.values.set(other.values, one.rows.length);
  return joined;
}

/**
 * Creates the scorer of lexical overlap: the share of a query's words that a verse has, from 0 to 1. Words are compared
 * by stem, and weighted by rarity and `wordWeight`. Function words do not count. Of several translations, the largest
 * overlap counts. `count` is the number of ranked verses.
 */
export function createLexicalOverlap(count: number) {
  // All queries share these arrays, and reset `best` and `overlaps`. New arrays would burden the garbage collector.
  const best = new Float32Array(count);
  const matchedRows = new Uint32Array(count);
  let overlaps = new Float32Array(count);

  /** Adds up the overlap of each verse in `overlaps`. Returns the indexes of these verses. */
  const scoreText = (query: string, words: TranslationWords): number[] => {
    if (overlaps.length < words.verseCount) overlaps = new Float32Array(words.verseCount);
    const stems = words.stemsOf(query);
    const found = stems.length === 0 ? [] : words.occurrences(stems);
    const rarities = found.map(({ verses }) => rarity(verses.length, words.verseCount));
    const total = rarities.reduce((sum, each) => sum + each, 0);
    const matches: number[] = [];
    for (const [stem, { verses, weights }] of found.entries()) {
      const share = (rarities[stem] ?? 0) / total;
      for (let at = 0; at < verses.length; at += 1) {
        const verse = verses[at] ?? 0;
        if (overlaps[verse] === 0) matches.push(verse);
        overlaps[verse] = (overlaps[verse] ?? 0) + share * (weights[at] ?? 0);
      }
    }
    return matches;
  };

  return {
    /** Returns the overlap of each verse that has a word of the query. */
    score(query: string, texts: readonly TranslationWords[]): RowValues {
      let matchCount = 0;
      for (const words of texts) {
        for (const verse of scoreText(query, words)) {
          const row = words.rows[verse] ?? -1;
          const overlap = overlaps[verse] ?? 0;
          overlaps[verse] = 0;
          if (row < 0) continue;
          if (best[row] === 0 && overlap > 0) matchedRows[matchCount++] = row;
          best[row] = Math.max(best[row] ?? 0, overlap);
        }
      }
      const rows = matchedRows.slice(0, matchCount);
      const values = Float32Array.from(rows, (row) => best[row] ?? 0);
      for (const row of rows) best[row] = 0;
      return { rows, values };
    },
  };
}

/** Returns the inverse document frequency of a stem, as in BM25. */
const rarity = (frequency: number, verseCount: number): number =>
  Math.log(1 + (verseCount - frequency + 0.5) / (frequency + 0.5));
