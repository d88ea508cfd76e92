/**
 * Letters that Unicode decomposes into a letter and a mark, although they are separate letters of
 * their alphabet. Folding keeps these letters.
 */
const keptLetters: readonly (readonly [decomposed: string, letter: string])[] = [
  ['n\u0303', 'ñ'],
  ['и\u0306', 'й'],
  ['і\u0308', 'ї'],
];

// The marks that folding removes: accents of European scripts, points and cantillation marks of
// Hebrew, vowel marks of Arabic. Folding keeps the vowel signs of Indic scripts, because a word
// without its vowel signs is another word.
const accents =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed]/g;

/** Matches texts of printable ASCII characters. In these, folding only changes the case. */
const ascii = /^[\x20-\x7e]*$/;

/**
 * Folds a word to the form in which words are compared: lower case without accents, but with the
 * letters of `keptLetters`. `Oración` and `ORACION` fold to `oracion`; `año` and `ano` stay
 * different. Folding a folded word changes nothing. A folded word may be shorter or longer than the
 * word: `Straße` folds to `strasse`.
 */
export function foldWord(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  // Lower case before and after NFKD, because compatibility forms such as "𝔊" decompose to
  // capitals.
  let folded = text.toLowerCase().normalize('NFKD').toLowerCase();
  for (const [decomposed, letter] of keptLetters) folded = folded.replaceAll(decomposed, letter);
  return folded.replace(accents, '').replaceAll('ß', 'ss').replaceAll('ς', 'σ').normalize('NFC');
}

/** Replaces ñ by n in a folded word, for people whose keyboard has no ñ. */
export const withoutTilde = (folded: string): string => folded.replaceAll('ñ', 'n');
