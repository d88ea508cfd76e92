import { functionWords, stemmerFor, tokenize } from '@lectern/words';
import { type TranslationWords, wordWeight } from '../src/semantic/lexical-overlap';

/** Indexes words in memory, as the search index of a translation does. `language` is ISO 639-3. */
export function indexWords(language: string, texts: readonly string[]) {
  const stemOf = stemmerFor(language);
  const stopWords = functionWords(language);
  const foldedWords = (text: string): string[] => tokenize(text).map(({ folded }) => folded);
  const stemsOfWords = (words: readonly string[]): string[] => words.filter((word) => !stopWords.has(word)).map(stemOf);

  const counts = new Map<string, Map<number, number>>();
  const lengths = texts.map((text, verse) => {
    const words = foldedWords(text);
    for (const stem of stemsOfWords(words)) {
      const ofStem = counts.get(stem) ?? new Map<number, number>();
      counts.set(stem, ofStem.set(verse, (ofStem.get(verse) ?? 0) + 1));
    }
    return words.length;
  });
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / texts.length;
  return {
    lengths,
    stemsOf: (query) => [...new Set(stemsOfWords(foldedWords(query)))],
    verseCount: texts.length,
    occurrences: (wanted) =>
      wanted.map((stem) => {
        const found = counts.get(stem) ?? new Map<number, number>();
        const weights = Array.from(found, ([verse, times]) => wordWeight(times, (lengths[verse] ?? 0) / meanLength));
        return { verses: [...found.keys()], weights };
      }),
  } satisfies Omit<TranslationWords, 'rows'> & { lengths: readonly number[] };
}
