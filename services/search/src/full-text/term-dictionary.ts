import { commonBeginning, createTermFolding, stemmerFor, termsOfWord, withoutTilde } from '@lectern/words';
import { type StemOccurrences, wordWeight } from '../semantic/lexical-overlap';
import { learnedSynonymsOf, synonymsOf } from './synonyms';

/** The words of all verses as term ids. Verse i has words[starts[i]] to words[starts[i + 1] - 1]. */
export interface TermStream {
  readonly words: Uint16Array | Uint32Array;
  readonly starts: Uint32Array;
}

/** The verses of each term, as ascending indexes. Term i has verses[starts[i]] to verses[starts[i + 1] - 1]. */
export interface Postings {
  readonly verses: Uint16Array | Uint32Array;
  readonly starts: Uint32Array;
}

/** How a word of a verse matches the query's: it has the same stem, starts with it, or is the same. */
export const tiers = { stem: 1, start: 2, exact: 3 } as const;
export type Tier = (typeof tiers)[keyof typeof tiers];

/** Terms, whose index is their id, and stems are sorted by UTF-16 units. With `loose`, n and ñ count as equal. */
export function createTermDictionary(
  terms: readonly string[],
  stems: readonly string[],
  stemTerms: Uint16Array | Uint32Array,
  postings: Postings,
  language: string,
) {
  const stemOf = stemmerFor(language);
  /** Returns the ids of a word: usually one, and a second for the spelling with an accent if that is another word. */
  const findIds = (folded: string): number[] =>
    termsOfWord(folded, language).flatMap((term) => {
      const id = lowerBound(terms, term);
      return terms[id] === term ? id : [];
    });
  let withEnye: { id: number; term: string; stem: string }[] | undefined;
  /** Returns the terms with ñ, written with n. Computed at the first use, because few queries need them. */
  const termsWithEnye = () =>
    (withEnye ??= stems.flatMap((stem, index) => {
      const id = stemTerms[index] ?? 0;
      const term = terms[id] ?? '';
      return term.includes('ñ') ? [{ id, term: withoutTilde(term), stem: withoutTilde(stem) }] : [];
    }));

  const countVerses = (term: number): number => (postings.starts[term + 1] ?? 0) - (postings.starts[term] ?? 0);
  const termsOfStem = (stem: string): number[] => {
    const ids: number[] = [];
    for (let at = lowerBound(stems, stem); stems[at] === stem; at += 1) ids.push(stemTerms[at] ?? 0);
    return ids;
  };

  return {
    terms,
    termOf: createTermFolding(language),
    countVerses,
    termsOfStem,
    hasEnye: (): boolean => termsWithEnye().length > 0,

    /** Returns the synonyms of a word for this translation: those written by hand and those learned from verses. */
    synonymsOf(folded: string): string[] {
      const verses = termsOfStem(stemOf(folded)).reduce((sum, term) => sum + countVerses(term), 0);
      return [...synonymsOf(folded), ...learnedSynonymsOf(folded, language, verses)];
    },

    equalTerms(folded: string, loose: boolean): number[] {
      const plain = loose ? withoutTilde(folded) : folded;
      const looseTerms = loose ? termsWithEnye().filter(({ term }) => term === plain) : [];
      return [...findIds(plain), ...looseTerms.map(({ id }) => id)];
    },

    /** Returns the term ids of a word, each with its best tier. With `beginning`, also of longer words. */
    matches(folded: string, { loose, beginning }: { loose: boolean; beginning: boolean }): Map<number, Tier> {
      const plain = loose ? withoutTilde(folded) : folded;
      const stem = stemOf(plain);
      const matches = new Map<number, Tier>();
      for (const id of termsOfStem(stem)) matches.set(id, tiers.stem);
      const addBeginnings = (start: string, tier: Tier): void => {
        // The end of the terms that begin with `start`, because U+FFFF sorts after every letter.
        const end = lowerBound(terms, `${start}\uffff`);
        for (let id = lowerBound(terms, start); id < end; id += 1) matches.set(id, tier);
      };
      const common = commonBeginning(plain, language);
      if (common !== null) addBeginnings(common, tiers.stem);
      if (beginning) addBeginnings(plain, tiers.start);
      for (const id of findIds(plain)) matches.set(id, tiers.exact);
      if (!loose) return matches;
      const plainStem = withoutTilde(stem);
      for (const each of termsWithEnye()) {
        if (each.term === plain) matches.set(each.id, tiers.exact);
        else if (beginning && each.term.startsWith(plain)) matches.set(each.id, tiers.start);
        else if (each.stem === plainStem) matches.set(each.id, tiers.stem);
      }
      return matches;
    },
  };
}

export type TermDictionary = ReturnType<typeof createTermDictionary>;

/** Returns the index of the first item that equals `text` or follows it in the order. */
function lowerBound(sorted: readonly string[], text: string): number {
  let low = 0;
  for (let high = sorted.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? '') < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Creates the function that finds the verses of stems, with BM25 weights. Ignores function words. */
export function createStemOccurrences(
  dictionary: TermDictionary,
  { words, starts }: TermStream,
  postings: Postings,
  functionWords: ReadonlySet<string>,
): (stems: readonly string[]) => StemOccurrences[] {
  const meanLength = words.length / (starts.length - 1);
  // All calls share these arrays. Each call sets the entries that it changed back to zero.
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
