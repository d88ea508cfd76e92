import { withoutTilde } from '@lectern/words';

/**
 * How well a word of a verse matches a word of the query: a form of the same stem, a word that
 * begins with the query's word, or the same word. A higher tier is a better match.
 */
export const tiers = { stem: 1, start: 2, exact: 3 } as const;
export type Tier = (typeof tiers)[keyof typeof tiers];

/**
 * Sorts after every letter, so that `text + afterAllLetters` sorts after all terms that begin with
 * `text`.
 */
const afterAllLetters = '\uffff';

export interface TermDictionaryParts {
  /**
   * The terms: the distinct words of a translation without case and accents, sorted by UTF-16
   * units. The id of a term is its index.
   */
  terms: readonly string[];
  /**
   * The stem of each term. The list is sorted by UTF-16 units, so it has another order than
   * `terms`.
   */
  stems: readonly string[];
  /** The id of the term to which each item of `stems` belongs. */
  stemTerms: Uint16Array | Uint32Array;
  /** Returns the number of verses that contain a term. */
  countVerses: (term: number) => number;
  stemOf: (folded: string) => string;
}

/**
 * Creates functions that look up the terms of a translation. If their argument `loose` is true, ñ
 * and n count as one letter.
 */
export function createTermDictionary({ terms, stems, stemTerms, countVerses, stemOf }: TermDictionaryParts) {
  const findId = (folded: string): number | undefined => {
    const id = lowerBound(terms, folded);
    return terms[id] === folded ? id : undefined;
  };
  let withEnye: { id: number; term: string; stem: string }[] | undefined;
  /**
   * Returns the terms that contain ñ, with n in its place. Creates the list at first use, because
   * only queries without other hits need it.
   */
  const termsWithEnye = () => {
    withEnye ??= stems.flatMap((stem, index) => {
      const id = stemTerms[index] ?? 0;
      const term = terms[id] ?? '';
      return term.includes('ñ') ? [{ id, term: withoutTilde(term), stem: withoutTilde(stem) }] : [];
    });
    return withEnye;
  };

  return {
    terms,
    countVerses,
    hasEnye: (): boolean => termsWithEnye().length > 0,

    /** Returns the ids of the terms with this stem. */
    termsOfStem(stem: string): number[] {
      const ids: number[] = [];
      for (let at = lowerBound(stems, stem); stems[at] === stem; at += 1) ids.push(stemTerms[at] ?? 0);
      return ids;
    },

    /** Returns the ids of the terms that equal the word. */
    equalTerms(folded: string, loose: boolean): number[] {
      const plain = loose ? withoutTilde(folded) : folded;
      const exact = findId(plain);
      const looseIds = loose
        ? termsWithEnye()
            .filter(({ term }) => term === plain)
            .map(({ id }) => id)
        : [];
      return exact === undefined ? looseIds : [exact, ...looseIds];
    },

    /**
     * Returns the ids of the terms that match the word, each with its best tier. Terms that only
     * begin with the word match if `beginning` is true. If `loose` is true, ñ and n count as one
     * letter.
     */
    matches(folded: string, { loose, beginning }: { loose: boolean; beginning: boolean }): Map<number, Tier> {
      const plain = loose ? withoutTilde(folded) : folded;
      const stem = stemOf(plain);
      const matches = new Map<number, Tier>();
      for (let at = lowerBound(stems, stem); stems[at] === stem; at += 1) matches.set(stemTerms[at] ?? 0, tiers.stem);
      if (beginning) {
        const end = lowerBound(terms, plain + afterAllLetters);
        for (let id = lowerBound(terms, plain); id < end; id += 1) matches.set(id, tiers.start);
      }
      const exact = findId(plain);
      if (exact !== undefined) matches.set(exact, tiers.exact);
      if (!loose) return matches;
      for (const each of termsWithEnye()) {
        if (each.term === plain) matches.set(each.id, tiers.exact);
        else if (beginning && each.term.startsWith(plain)) matches.set(each.id, tiers.start);
        else if (each.stem === withoutTilde(stem)) matches.set(each.id, tiers.stem);
      }
      return matches;
    },
  };
}

export type TermDictionary = ReturnType<typeof createTermDictionary>;

/** Returns the index of the first item that does not sort before `text`. */
function lowerBound(sorted: readonly string[], text: string): number {
  let low = 0;
  for (let high = sorted.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? '') < text) low = middle + 1;
    else high = middle;
  }
  return low;
}
