import type { BookCode } from './books';

// A book name that the package bible-passage-reference-parser does not know. It tries added names before its own.
interface AddedName {
  /** The name of the book in the package, such as `1John`. */
  osis: string[];
  regexp: RegExp;
}

/** The two USFM codes that the package does not know. It knows those of the other 64 books. */
export const codeNames: AddedName[] = [
  { osis: ['Joel'], regexp: /JOL/ },
  { osis: ['Nah'], regexp: /NAM/ },
];

/** The deuterocanonical books with the package's names. It has two names for the Prayer of Azariah. */
export const deuterocanonicalOsis: readonly (readonly [osis: string, code: BookCode])[] = [
  ['Tob', 'TOB'],
  ['Jdt', 'JDT'],
  ['GkEsth', 'ESG'],
  ['Wis', 'WIS'],
  ['Sir', 'SIR'],
  ['Bar', 'BAR'],
  ['EpJer', 'LJE'],
  ['GkDan', 'DAG'],
  ['PrAzar', 'S3Y'],
  ['SgThree', 'S3Y'],
  ['Sus', 'SUS'],
  ['Bel', 'BEL'],
  ['1Macc', '1MA'],
  ['2Macc', '2MA'],
  ['3Macc', '3MA'],
  ['4Macc', '4MA'],
  ['1Esd', '1ES'],
  ['2Esd', '2ES'],
  ['PrMan', 'MAN'],
  ['Ps151', 'PS2'],
];

export const deuterocanonicalNames: readonly AddedName[] = deuterocanonicalOsis.map(([osis, code]) => ({
  osis: [osis],
  regexp: new RegExp(code),
}));
