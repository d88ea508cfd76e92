/** Cantillation marks and other marks of Hebrew that are not vowels: meteg, rafe, dots of scribes. */
const hebrewAccents = /[\u0591-\u05af\u05bd\u05bf\u05c0\u05c4\u05c5]|\u034f|\u200c|\u200d/g;
const hebrewPoints = /[\u05b0-\u05bc\u05c1\u05c2\u05c7]/g;
/** Grave, acute and circumflex. Breathings, diaeresis and iota subscript stay. */
const greekAccents = /[\u0300\u0301\u0342]/g;
const greekMarks = /[\u0300-\u036f]/g;
const finalLetters: Readonly<Record<string, string>> = { ך: 'כ', ם: 'מ', ן: 'נ', ף: 'פ', ץ: 'צ', ς: 'σ' };

/** Removes accents: cantillation marks and meteg of Hebrew, the three accents of Greek. */
export const withoutAccents = (text: string): string =>
  text.replace(hebrewAccents, '').normalize('NFD').replace(greekAccents, '').normalize('NFC');

/** Removes accents, points and breathings. Final letters and capitals stay. */
export const withoutPoints = (text: string): string =>
  text.normalize('NFD').replace(hebrewAccents, '').replace(hebrewPoints, '').replace(greekMarks, '').normalize('NFC');

/**
 * Folds a word in Hebrew or Greek letters to the form in which words are compared: in lower case,
 * without accents, points, breathings, seams of segments and final letters. Presentation forms
 * become usual letters.
 */
export const foldOriginal = (text: string): string =>
  withoutPoints(text.normalize('NFKC').replaceAll('/', '').toLowerCase()).replace(
    /[ךםןףץς]/g,
    (letter) => finalLetters[letter] ?? letter,
  );

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
