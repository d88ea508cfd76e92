import { type StemOccurrences, type TranslationWords, wordWeight } from './overlap';
import { createStemReader } from './stems-of-text';

/**
 * The maximum number of pieces of text between spaces whose stems are memoized. The same pieces
 * occur many times in a translation.
 */
const maxMemoizedPieces = 100_000;

const noOccurrences: StemOccurrences = { verses: [], weights: [] };

/**
 * Indexes the words of verses in memory, for an evaluation or a test. The search subgraph reads the
 * words of a translation from its search index.
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
