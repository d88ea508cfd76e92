import { foldWord, withoutCantillation } from '@lectern/words';

const hebrewPoints = /[\u05b0-\u05bc\u05c1\u05c2\u05c7]/g;
/** Matches grave, acute and circumflex, but not breathings, diaeresis and iota subscript. */
const greekAccents = /[\u0300\u0301\u0342]/g;
const greekMarks = /[\u0300-\u036f]/g;

/** Removes accents: cantillation marks and meteg in Hebrew, the three accents in Greek. */
export const withoutAccents = (text: string): string =>
  withoutCantillation(text).normalize('NFD').replace(greekAccents, '').normalize('NFC');

/** Removes accents, vowel points and breathings. Keeps final letters and capitals. */
export const withoutPoints = (text: string): string =>
  withoutCantillation(text).normalize('NFD').replace(hebrewPoints, '').replace(greekMarks, '').normalize('NFC');

/** Folds a Hebrew or Greek word to the form in which words are compared. Ignores the `/` between segments. */
export const foldOriginal = (text: string): string => foldWord(text.replaceAll('/', ''));

/** The popular sh, ts, th, ph, kh and ch equal the academic spellings, so `shalom` equals `šālôm`. */
export const foldTransliteration = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[^a-zə]/g, '')
    .replaceAll('ə', 'e')
    .replaceAll('tz', 's')
    .replace(/[sthpk]h|ts|ch/g, (pair) => (pair === 'ts' ? 's' : pair === 'ch' ? 'h' : pair.charAt(0)))
    .replaceAll('q', 'k')
    .replace(/(.)\1/g, '$1');

/** Reads a table of pairs such as `a:ABSOLUTE c:CONSTRUCT`, which white space separates. The second part may be empty. */
export const readPairs = (table: string): ReadonlyMap<string, string> =>
  new Map(
    table
      .trim()
      .split(/\s+/)
      .map((pair) => pair.split(':') as [string, string]),
  );
