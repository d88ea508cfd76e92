/** Letters that are letters of their own and not an accented other: they survive the folding. */
const kept: readonly (readonly [decomposed: string, letter: string])[] = [
  ['n\u0303', 'ñ'],
  ['и\u0306', 'й'],
  ['і\u0308', 'ї'],
];

// Accents of the European scripts, points and cantillation of Hebrew, vowel marks of Arabic. The vowel signs of Indic scripts are no accents.
const accents =
  /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed]/g;

/**
 * The form in which words are compared: lower case, without accents, ñ kept. `Oración` and `ORACION` are one word, `año` and `ano` two.
 * Folding is idempotent, and may change the length of a text.
 */
export function foldWord(text: string): string {
  // Lower case before and after: compatibility forms such as mathematical letters become capitals on the way.
  let folded = text.toLowerCase().normalize('NFKD').toLowerCase();
  for (const [decomposed, letter] of kept) folded = folded.replaceAll(decomposed, letter);
  return folded.replace(accents, '').replaceAll('ß', 'ss').replaceAll('ς', 'σ').normalize('NFC');
}

/** A folded word with its ñ made n as well: for those who cannot type one. */
export const withoutTilde = (folded: string): string => folded.replaceAll('ñ', 'n');
