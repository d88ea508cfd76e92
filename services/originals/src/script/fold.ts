import { foldWord, withoutCantillation } from '@lectern/words';

const hebrewPoints = /[\u05b0-\u05bc\u05c1\u05c2\u05c7]/g;
/** Grave, acute and circumflex. Breathings, diaeresis and iota subscript stay. */
const greekAccents = /[\u0300\u0301\u0342]/g;
const greekMarks = /[\u0300-\u036f]/g;

/** Removes accents: cantillation marks and meteg of Hebrew, the three accents of Greek. */
export const withoutAccents = (text: string): string =>
  withoutCantillation(text).normalize('NFD').replace(greekAccents, '').normalize('NFC');

/** Removes accents, points and breathings. Final letters and capitals stay. */
export const withoutPoints = (text: string): string =>
  withoutCantillation(text).normalize('NFD').replace(hebrewPoints, '').replace(greekMarks, '').normalize('NFC');

/** Folds a word in Hebrew or Greek letters to the form in which words are compared: `foldWord` without seams of segments. */
export const foldOriginal = (text: string): string => foldWord(text.replaceAll('/', ''));

/**
 * Folds a transliteration, so that `šālôm` and `shalom` are one, and `bərēʾšît` and `bereshit`. The
 * spellings sh, ts, th, ph, kh and ch of popular transliterations are those of the academic ones.
 */
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
