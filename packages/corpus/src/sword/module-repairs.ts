import type { BookCode } from '@lectern/canon';

/** A verse that a module keeps inside the slot before it, and the words it begins with. */
export interface HiddenVerse {
  book: BookCode;
  chapter: number;
  verse: number;
  /** The slot that holds it. */
  inside: number;
  begins: string;
}

/** A slip of the module's own letters. */
export interface TextCorrection {
  book: BookCode;
  chapter: number;
  verse: number;
  wrong: string;
  right: string;
}

/** What is known to be wrong in one module, beyond what reading its markup with care can tell. */
export interface ModuleRepairs {
  /** False where the module's Strong's tags are known to be wrong. */
  tagsTrusted: boolean;
  hidden: readonly HiddenVerse[];
  corrections: readonly TextCorrection[];
  joins?: (before: string, addition: string) => boolean;
}

const none: ModuleRepairs = { tagsTrusted: true, hidden: [], corrections: [] };

/**
 * Spanish hangs pronouns behind verbs, and the translators' additions are marked up letter by letter:
 * "Júrame" + "lo". No blank stands there, and none belongs there; before "Josué" + "los circuncidó" one does.
 */
const pronoun = /^(?:la|las|le|les|lo|los|me|nos|os|se|te)(?: aún)?$/;
const noVerbs = new Set(['como', 'cuánto', 'dios', 'ellos', 'gentes', 'jehová', 'josué', 'no', 'os', 'que', 'y']);

const byModule: Readonly<Record<string, ModuleRepairs>> = {
  // Its tags follow the Hebrew numbering of verses in about 1,300 places. NRSVA has no slots for ROM 14:24-26,
  // so the module keeps the doxology behind verse 23, without a break between the three verses.
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
    ...none,
    corrections: [{ book: 'JOB', chapter: 32, verse: 2, wrong: ',,', right: ',' }],
    joins: (before, addition) => pronoun.test(addition) && !noVerbs.has(before.toLowerCase()),
  },
};

/** The mends for a module; none for one that is not known. */
export const repairsFor = (module: string): ModuleRepairs => byModule[module] ?? none;
