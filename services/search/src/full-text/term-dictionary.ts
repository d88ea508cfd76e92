import { withoutTilde } from '@lectern/words';

/** How a term of a verse matches a word of the query. A higher tier is a better match. */
export const tiers = { stem: 1, start: 2, exact: 3 } as const;
export type Tier = (typeof tiers)[keyof typeof tiers];

/**
 * Sorts after every letter, so that `text + afterAllLetters` sorts after
 * all terms that begin with `text`.
 */
const afterAllLetters = '\uffff';

export interface TermDictionaryParts {
  /**
   * The distinct folded words of a translation, sorted by UTF-16 units. A term's id is its index.
   */
  terms: readonly string[];
  /** The stem of each term. */
  stems: readonly string[];
  /** The number of verses that contain each term. */
  verses: Uint32Array;
  stemOf: (folded: string) => string;
}

/** Looks up the terms of a translation. With `loose`, ñ and n count as one letter. */
export function createTermDictionary({ terms, stems, verses, stemOf }: TermDictionaryParts) {
  const ids = new Map(terms.map((term, id) => [term, id]));
  const idsByStem = new Map<string, number[]>();
  for (const [id, stem] of stems.entries()) {
    const sameStem = idsByStem.get(stem);
    if (sameStem) sameStem.push(id);
    else idsByStem.set(stem, [id]);
  }
  const withEnye = terms.flatMap((term, id) =>
    term.includes('ñ') ? [{ id, term: withoutTilde(term), stem: withoutTilde(stems[id] ?? term) }] : [],
  );

  /** Returns the id of the first term that does not sort before `text`. */
  const lowerBound = (text: string): number => {
    let low = 0;
    for (let high = terms.length; low < high; ) {
      const middle = (low + high) >>> 1;
      if ((terms[middle] ?? '') < text) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  return {
    terms,
    verses,
    stemOf,
    hasEnye: withEnye.length > 0,

    id: (folded: string): number | undefined => ids.get(folded),

    /** Returns the ids of the terms that equal the word. */
    equalTerms(folded: string, loose: boolean): number[] {
      const plain = loose ? withoutTilde(folded) : folded;
      const exact = ids.get(plain);
      const looseIds = loose ? withEnye.filter(({ term }) => term === plain).map(({ id }) => id) : [];
      return exact === undefined ? looseIds : [exact, ...looseIds];
    },

    /**
     * Returns the ids of the terms that match the word. The tier of a term is its best match: exact,
     * start of a word or stem. With `loose`, ñ and n count as one letter.
     */
    matches(folded: string, loose: boolean): Map<number, Tier> {
      const plain = loose ? withoutTilde(folded) : folded;
      const stem = stemOf(plain);
      const matches = new Map<number, Tier>();
      for (const id of idsByStem.get(stem) ?? []) matches.set(id, tiers.stem);
      const end = lowerBound(plain + afterAllLetters);
      for (let id = lowerBound(plain); id < end; id += 1) matches.set(id, tiers.start);
      const exact = ids.get(plain);
      if (exact !== undefined) matches.set(exact, tiers.exact);
      if (!loose) return matches;
      for (const each of withEnye) {
        if (each.term === plain) matches.set(each.id, tiers.exact);
        else if (each.term.startsWith(plain)) matches.set(each.id, tiers.start);
        else if (each.stem === withoutTilde(stem)) matches.set(each.id, tiers.stem);
      }
      return matches;
    },
  };
}

export type TermDictionary = ReturnType<typeof createTermDictionary>;
