import { functionWords, stemmerFor, tokenize } from '@lectern/words';

const longestRemembered = 40;

/**
 * Reads texts of a language: tells of every word that is no function word, as what `known` made of its stem, and gives the
 * number of all words.
 * @param remember how many pieces of text are kept with what was found in them
 */
export function createStemReader<Known>(
  language: string,
  known: (stem: string) => Known,
  { remember }: { remember: number },
) {
  const stem = stemmerFor(language);
  const carrying = functionWords(language);
  const remembered = new Map<string, { words: readonly Known[]; length: number }>();

  const read = (piece: string): { words: readonly Known[]; length: number } => {
    const folded = tokenize(piece).map((token) => token.folded);
    return {
      words: folded.filter((word) => !carrying.has(word)).map((word) => known(stem(word))),
      length: folded.length,
    };
  };
  return (text: string, tell: (word: Known) => void): number => {
    let length = 0;
    // No word goes over a blank.
    for (const piece of text.split(' ')) {
      let here = remembered.get(piece);
      if (!here) {
        here = read(piece);
        if (remembered.size < remember && piece.length <= longestRemembered) remembered.set(piece, here);
      }
      for (const word of here.words) tell(word);
      length += here.length;
    }
    return length;
  };
}
