import type { StemOccurrences } from '@lectern/embeddings';
import { wordWeight } from '@lectern/embeddings';
import type { TermStream } from './match';
import type { Postings } from './postings-types';
import type { TermDictionary } from './terms';
import { searchTokens } from './tokenize-spaced-and-unspaced-scripts';

/** The parts of a translation's full-text index from which stems are counted. */
export interface IndexedWords {
  readonly dictionary: TermDictionary;
  readonly stream: TermStream;
  readonly postings: Postings;
  readonly functionWords: ReadonlySet<string>;
}

/**
 * Returns the different stems of the words of a query, without function words such as `the`. Forms
 * of one word have one stem.
 */
export function stemsOfQuery(
  query: string,
  { stemOf, functionWords }: { stemOf: (folded: string) => string; functionWords: ReadonlySet<string> },
): string[] {
  const words = searchTokens(query).map(({ folded }) => folded);
  return [...new Set(words.filter((folded) => !functionWords.has(folded)).map(stemOf))];
}

/**
 * Creates a function that finds, for each of the given stems, the verses that contain the stem and
 * the BM25 weight of the stem in each verse. Function words do not count.
 */
export function createStemOccurrences({
  dictionary,
  stream: { words, starts },
  postings,
  functionWords,
}: IndexedWords): (stems: readonly string[]) => StemOccurrences[] {
  const meanLength = words.length / (starts.length - 1);
  // All calls share these arrays. Each call sets the entries that it has used back to zero.
  const isWanted = new Uint8Array(dictionary.terms.length);
  const isFound = new Uint8Array(starts.length - 1);

  const findVerses = (terms: readonly number[]): Uint32Array => {
    const lists = terms.map((term) => postings.verses.subarray(postings.starts[term], postings.starts[term + 1]));
    const found = new Uint32Array(lists.reduce((sum, { length }) => sum + length, 0));
    let count = 0;
    for (const list of lists)
      for (let at = 0; at < list.length; at += 1) {
        const verse = list[at] ?? 0;
        if (isFound[verse] === 0) found[count++] = verse;
        isFound[verse] = 1;
      }
    for (let at = 0; at < count; at += 1) isFound[found[at] ?? 0] = 0;
    return found.subarray(0, count);
  };

  return (stems) =>
    stems.map((stem) => {
      const terms = dictionary.termsOfStem(stem).filter((id) => !functionWords.has(dictionary.terms[id] ?? ''));
      for (const term of terms) isWanted[term] = 1;
      const verses = findVerses(terms);
      const weights = new Float32Array(verses.length);
      for (let at = 0; at < verses.length; at += 1) {
        const verse = verses[at] ?? 0;
        const [start, end] = [starts[verse] ?? 0, starts[verse + 1] ?? 0];
        let times = 0;
        for (let word = start; word < end; word += 1) times += isWanted[words[word] ?? 0] ?? 0;
        weights[at] = wordWeight(times, (end - start) / meanLength);
      }
      for (const term of terms) isWanted[term] = 0;
      return { verses, weights };
    });
}
