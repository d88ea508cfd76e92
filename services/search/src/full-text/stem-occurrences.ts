import type { StemOccurrences } from '@lectern/embeddings';
import { wordWeight } from '@lectern/embeddings';
import type { TermStream } from './match-verses';
import type { Postings } from './postings';
import { searchTokens } from './search-tokens';
import type { TermDictionary } from './term-dictionary';

/** The words of a translation, as the search index has them. */
export interface IndexedWords {
  readonly dictionary: TermDictionary;
  readonly stream: TermStream;
  readonly postings: Postings;
  readonly functionWords: ReadonlySet<string>;
}

/** Returns the different stems of a query, without function words. */
export function stemsOfQuery(
  query: string,
  { stemOf, functionWords }: { stemOf: (folded: string) => string; functionWords: ReadonlySet<string> },
): string[] {
  const words = searchTokens(query).map(({ folded }) => folded);
  return [...new Set(words.filter((folded) => !functionWords.has(folded)).map(stemOf))];
}

/** Finds the verses that contain each of these stems, with the BM25 weight of the stem. Function words do not count. */
export function findStemOccurrences(stems: readonly string[], words: IndexedWords): StemOccurrences[] {
  const { dictionary, functionWords } = words;
  return stems.map((stem) =>
    findTerms(
      dictionary.termsOfStem(stem).filter((id) => !functionWords.has(dictionary.terms[id] ?? '')),
      words,
    ),
  );
}

/** Finds the verses that contain one of these terms. */
function findTerms(
  terms: readonly number[],
  { stream: { words, starts }, postings }: Pick<IndexedWords, 'stream' | 'postings'>,
): StemOccurrences {
  const wanted = new Set(terms);
  const found = new Set<number>();
  for (const term of terms)
    for (const verse of postings.verses.subarray(postings.starts[term], postings.starts[term + 1])) found.add(verse);
  const meanLength = words.length / (starts.length - 1);
  const weights: number[] = [];
  for (const verse of found) {
    const [start = 0, end = 0] = [starts[verse], starts[verse + 1]];
    let times = 0;
    for (let at = start; at < end; at += 1) if (wanted.has(words[at] ?? 0)) times += 1;
    weights.push(wordWeight(times, (end - start) / meanLength));
  }
  return { verses: [...found], weights };
}
