import { withoutTilde } from '@lectern/words';

/** How a word of a verse answers a word of the query; the higher, the better. */
export const tiers = { stem: 1, start: 2, exact: 3 } as const;
export type Tier = (typeof tiers)[keyof typeof tiers];

/** No letter: after every word that goes on from here. */
const afterAll = '\uffff';

export interface TermDictionaryParts {
  /** Every folded word of an edition, in the order of its UTF-16 units. A word's index is its number. */
  terms: readonly string[];
  stems: readonly string[];
  /** For each word the number of verses that hold it. */
  verses: Uint32Array;
  stemOf: (folded: string) => string;
}

/** The words of an edition. With `loose`, ñ and n are one letter. */
export function createTermDictionary({ terms, stems, verses, stemOf }: TermDictionaryParts) {
  const numbers = new Map(terms.map((term, number) => [term, number]));
  const byStem = new Map<string, number[]>();
  for (const [number, stem] of stems.entries()) {
    const same = byStem.get(stem);
    if (same) same.push(number);
    else byStem.set(stem, [number]);
  }
  const withEnye = terms.flatMap((term, number) =>
    term.includes('ñ') ? [{ number, term: withoutTilde(term), stem: withoutTilde(stems[number] ?? term) }] : [],
  );

  /** The index of the first word that is not before `text`. */
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

    number: (folded: string): number | undefined => numbers.get(folded),

    /** The words that are this word. */
    equal(folded: string, loose: boolean): number[] {
      const plain = loose ? withoutTilde(folded) : folded;
      const found = numbers.get(plain);
      const others = loose ? withEnye.filter(({ term }) => term === plain).map(({ number }) => number) : [];
      return found === undefined ? others : [found, ...others];
    },

    /** The words that answer this word, each with the best way in which it does. */
    matches(folded: string, loose: boolean): Map<number, Tier> {
      const plain = loose ? withoutTilde(folded) : folded;
      const stem = stemOf(plain);
      const found = new Map<number, Tier>();
      for (const number of byStem.get(stem) ?? []) found.set(number, tiers.stem);
      const end = lowerBound(plain + afterAll);
      for (let number = lowerBound(plain); number < end; number += 1) found.set(number, tiers.start);
      const exact = numbers.get(plain);
      if (exact !== undefined) found.set(exact, tiers.exact);
      if (!loose) return found;
      for (const each of withEnye) {
        if (each.term === plain) found.set(each.number, tiers.exact);
        else if (each.term.startsWith(plain)) found.set(each.number, tiers.start);
        else if (each.stem === withoutTilde(stem)) found.set(each.number, tiers.stem);
      }
      return found;
    },
  };
}

export type TermDictionary = ReturnType<typeof createTermDictionary>;
