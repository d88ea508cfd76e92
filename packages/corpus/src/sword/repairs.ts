import type { BookCode } from '@lectern/canon';

/** A verse whose text the module stores at the end of an earlier verse. */
interface HiddenVerse {
  book: BookCode;
  chapter: number;
  verse: number;
  inside: number;
  begins: string;
}

/** The known errors of one module that the import cannot detect by itself. */
export interface ModuleRepairs {
  /** Whether the module's Strong's tags are used. False if they are known to be wrong. */
  tagsTrusted: boolean;
  hidden: readonly HiddenVerse[];
  corrections: readonly { book: BookCode; chapter: number; verse: number; found: string; replacement: string }[];
  /** Returns whether an added word belongs to the word before it, like `MarkupOptions.joins`. */
  joins?: (before: string, addition: string) => boolean;
}

const noRepairs: ModuleRepairs = { tagsTrusted: true, hidden: [], corrections: [] };

/**
 * Matches pronouns that belong to the verb before them. The module spaRV1909eb marks "lo" in "Júrame" + "lo" as an
 * added word, but both are one word.
 */
const pronoun = /^(?:la|las|le|les|lo|los|me|nos|os|se|te)(?: aún)?$/;
/** Words of this module that such a pronoun may follow although they are not verbs. They are not joined. */
const nonVerbs = new Set('como cuánto dios ellos gentes jehová josué no os que y'.split(' '));

const byModule: Readonly<Record<string, ModuleRepairs>> = {
  // About 1,300 verses of the World English Bible have the tags of another verse, because the tags follow the Hebrew
  // verse numbers. The versification NRSVA has no slots for ROM 14:24-26, so the module stores these three verses
  // after verse 23, without a break between them.
  engWEB2015eb: {
    tagsTrusted: false,
    hidden: [
      { book: 'ROM', chapter: 14, verse: 24, inside: 23, begins: 'Now to him who is able' },
      { book: 'ROM', chapter: 14, verse: 25, inside: 23, begins: 'but now is revealed' },
      { book: 'ROM', chapter: 14, verse: 26, inside: 23, begins: 'to the only wise God' },
    ],
    corrections: [],
  },
  spaRV1909eb: {
    ...noRepairs,
    corrections: [{ book: 'JOB', chapter: 32, verse: 2, found: ',,', replacement: ',' }],
    joins: (before, addition) => pronoun.test(addition) && !nonVerbs.has(before.toLowerCase()),
  },
};

export const repairsFor = (module: string): ModuleRepairs => byModule[module] ?? noRepairs;
