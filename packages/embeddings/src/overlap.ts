import { functionWords, stemmerFor, tokenize } from '@lectern/words';

const maxMemoizedLength = 40;

/**
 * Returns a function that splits a text into words. The function calls `onStem` for each word that is not a function
 * word, with the value of its stem, and returns the number of all words.
 * @param toValue converts a stem to the value that `onStem` receives. It is not called for a piece of text that is
 * memoized
 * @param maxMemoized the maximum number of pieces of text whose words are memoized
 */
export function createStemReader<Value>(
  language: string,
  toValue: (stem: string) => Value,
  { maxMemoized }: { maxMemoized: number },
) {
  const stem = stemmerFor(language);
  const stopWords = functionWords(language);
  const memoized = new Map<string, { values: readonly Value[]; length: number }>();

  const readPiece = (piece: string): { values: readonly Value[]; length: number } => {
    const folded = tokenize(piece).map((token) => token.folded);
    return {
      values: folded.filter((word) => !stopWords.has(word)).map((word) => toValue(stem(word))),
      length: folded.length,
    };
  };
  return (text: string, onStem: (value: Value) => void): number => {
    let length = 0;
    // Splitting at spaces is safe, because no word contains a space.
    for (const piece of text.split(' ')) {
      let read = memoized.get(piece);
      if (!read) {
        read = readPiece(piece);
        if (memoized.size < maxMemoized && piece.length <= maxMemoizedLength) memoized.set(piece, read);
      }
      for (const value of read.values) onStem(value);
      length += read.length;
    }
    return length;
  };
}

// The parameters k1 and b of BM25, and a divisor. With this divisor, a word that occurs once in a verse of 30 % of the
// mean length gets the weight 1.
const saturation = 1.2;
const lengthNormalization = 0.75;
const fullWeight = 1.4;

/**
 * Returns the BM25 weight of a word in a verse, 0 to 1.
 * @param times how often the verse contains the word
 * @param length the number of words in the verse, relative to the mean of all verses
 */
export const wordWeight = (times: number, length: number): number =>
  Math.min(
    1,
    ((saturation + 1) * times) /
      (times + saturation * (1 - lengthNormalization + lengthNormalization * length)) /
      fullWeight,
  );

/** The verses that contain a stem, each once. */
export interface StemOccurrences {
  /** The positions of the verses in their translation. */
  verses: ArrayLike<number>;
  /** The weight of the stem in each of these verses (`wordWeight`). */
  weights: ArrayLike<number>;
}

/** The words of a translation. */
export interface TranslationWords {
  /** Returns the different stems of a query, without function words. */
  stemsOf(query: string): readonly string[];
  /** The number of verses. */
  verseCount: number;
  /** Returns the verses that contain each of these stems. */
  occurrences(stems: readonly string[]): readonly StemOccurrences[];
  /** The row of each verse: its position among the verses that are ranked. -1 if the verse is not ranked. */
  rows: Int32Array;
}

/** A sparse vector with numbers for some of the rows. All other rows have 0. */
export interface RowValues {
  /** In no order, without duplicates. */
  rows: Uint32Array;
  /** The number of each of these rows. */
  values: Float32Array;
}

/**
 * Creates the scorer of lexical overlap: the share of a query's words that a verse contains, from 0 to 1. Words are
 * compared by stem and weighted by rarity and by `wordWeight`; function words do not count. If a verse is in several
 * translations, the text with the largest overlap counts.
 * @param count the number of verses that are ranked
 */
export function createLexicalOverlap(count: number) {
  // Every query reuses these arrays, and resets `best` and `overlaps` to zero afterwards. New arrays of this size for
  // each query would make the garbage collector work much more.
  const best = new Float32Array(count);
  const matchedRows = new Uint32Array(count);
  let overlaps = new Float32Array(count);

  /** Adds up the overlap of each verse in `overlaps`. Returns the positions of these verses in their translation. */
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
    /**
     * Returns the overlaps of the ranked verses that contain a word of the query in at least one of the translations
     * `texts`, by row. Of several translations, the largest overlap counts. Returns null if there is no such verse.
     */
    score(query: string, texts: readonly TranslationWords[]): RowValues | null {
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
      if (matchCount === 0) return null;
      const rows = matchedRows.slice(0, matchCount);
      const values = new Float32Array(matchCount);
      for (let at = 0; at < matchCount; at += 1) {
        const row = rows[at] ?? 0;
        values[at] = best[row] ?? 0;
        best[row] = 0;
      }
      return { rows, values };
    },
  };
}
export type LexicalOverlap = ReturnType<typeof createLexicalOverlap>;

/** Returns the inverse document frequency of a stem, as in BM25. */
const rarity = (frequency: number, verseCount: number): number =>
  Math.log(1 + (verseCount - frequency + 0.5) / (frequency + 0.5));

/**
 * The maximum number of pieces of text between spaces whose stems are memoized. The same pieces occur many times in a
 * translation.
 */
const maxMemoizedPieces = 100_000;

const noOccurrences: StemOccurrences = { verses: [], weights: [] };

/**
 * Indexes the words of verses in memory, for an evaluation or a test. The search subgraph reads the words of a
 * translation from its search index.
 * @param language ISO 639-3
 */
export function indexWords(language: string, texts: readonly string[]): Omit<TranslationWords, 'rows'> {
  const counts = new Map<string, Map<number, number>>();
  const readStems = createStemReader(language, (stem) => stem, { maxMemoized: maxMemoizedPieces });
  const lengths = texts.map((text, verse) =>
    readStems(text, (stem) => {
      const ofStem = counts.get(stem) ?? new Map<number, number>();
      counts.set(stem, ofStem.set(verse, (ofStem.get(verse) ?? 0) + 1));
    }),
  );
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / texts.length;
  const readQuery = createStemReader(language, (stem) => stem, { maxMemoized: 0 });
  return {
    stemsOf(query) {
      const stems = new Set<string>();
      readQuery(query, (stem) => stems.add(stem));
      return [...stems];
    },
    verseCount: texts.length,
    occurrences: (stems) =>
      stems.map((stem) => {
        const found = counts.get(stem);
        if (!found) return noOccurrences;
        const weights = Array.from(found, ([verse, times]) => wordWeight(times, (lengths[verse] ?? 0) / meanLength));
        return { verses: [...found.keys()], weights };
      }),
  };
}
