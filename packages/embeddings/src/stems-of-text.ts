import { functionWords, stemmerFor, tokenize } from '@lectern/words';

const maxMemoizedLength = 40;

/**
 * Returns a function that splits a text into words. The function calls `onStem` for each word that
 * is not a function word, with the value of its stem, and returns the number of all words.
 * @param toValue converts a stem to the value that `onStem` receives. It is not called for a piece
 * of text that is memoized
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
