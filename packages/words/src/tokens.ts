/** Letters that Unicode decomposes into a letter and a mark, but that an alphabet counts as one letter, such as ñ. */
const keptLetters: readonly (readonly [decomposed: string, letter: string])[] = [
  ['n\u0303', 'ñ'],
  ['и\u0306', 'й'],
  ['і\u0308', 'ї'],
];

// Accents of European scripts, points and cantillation of Hebrew, vowel marks of Arabic, and characters that only
// change how letters join. Vowel signs of Indic scripts stay, because a word without them is another word.
const accents =
  /\u00ad|\u2060|\u0640|\u200c|\u200d|[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed]/g;

/** Hebrew and Greek letters with a different form at the end of a word, and their ordinary form. */
const finalLetters = { ך: 'כ', ם: 'מ', ן: 'נ', ף: 'פ', ץ: 'צ', ς: 'σ' };

/** Letters that Unicode does not decompose, with the letters that people type instead. */
const typedLetters: ReadonlyMap<string, string> = new Map(
  Object.entries({ ß: 'ss', æ: 'ae', œ: 'oe', đ: 'd', ł: 'l', ı: 'i', ى: 'ي', ی: 'ي', ک: 'ك', ...finalLetters }),
);
const typedLetter = new RegExp(`[${[...typedLetters.keys()].join('')}]`, 'g');

/** Many of these characters are written differently in traditional and in simplified Chinese. */
const han = /\p{Script=Han}/gu;
let simplify: ((character: string) => string) | undefined;

/** The first call loads the table, which takes 20 ms. The package has types only for ES modules. */
function simplified(character: string): string {
  simplify ??= require('opencc-js/t2cn').Converter({ from: 't', to: 'cn' }) as typeof simplify;
  return simplify?.(character) ?? character;
}

/** Matches a text of printable ASCII characters only, which folding only changes to lower case. */
const ascii = /^[\x20-\x7e]*$/;

/**
 * Folds a word for comparison: lower case without accents, points, breathings and final letters, but with
 * `keptLetters`: `oracion`, `año`, `strasse` for `Straße`, `coeur`, simplified Chinese. Folding again changes nothing.
 */
export function foldWord(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  // Lower-cased again after NFKD, because characters such as "𝔊" decompose to capitals.
  let folded = text.toLowerCase().normalize('NFKD').toLowerCase();
  for (const [decomposed, letter] of keptLetters) folded = folded.replaceAll(decomposed, letter);
  return folded
    .replace(han, simplified)
    .replace(accents, '')
    .replace(typedLetter, (letter) => typedLetters.get(letter) ?? letter)
    .normalize('NFC');
}

/** Matches the marks of Hebrew that are not vowels: cantillation marks, meteg, rafe, and the dots of scribes. */
const cantillation = /[\u0591-\u05af\u05bd\u05bf\u05c0\u05c4\u05c5]|\u034f|\u200c|\u200d/g;
const hebrewOrGreek = /[\u0370-\u03ff\u0590-\u05ff\u1f00-\u1fff]/;

export const isHebrewOrGreek = (text: string): boolean => hebrewOrGreek.test(text);

/** Removes what a word's place changes: Hebrew cantillation, and a Greek grave accent, which becomes acute. */
export const withoutCantillation = (text: string): string =>
  isHebrewOrGreek(text)
    ? text.replace(cantillation, '').normalize('NFD').replaceAll('\u0300', '\u0301').normalize('NFC')
    : text;

/**
 * Tests whether a Hebrew or Greek spelling fits `text`: the same letters, and on each at least the points and accents
 * of `text`. A grave accent counts as acute, and a qamats qatan as a qamats.
 */
export function spellingTest(text: string): (spelling: string) => boolean {
  const written = marksOfLetters(text.normalize('NFKC'));
  return (spelling) => {
    const found = marksOfLetters(spelling);
    return (
      found.length === written.length &&
      written.every((marks, index) => [...marks].every((mark) => found[index]?.includes(mark)))
    );
  };
}

const marksOfLetters = (text: string): string[] =>
  Array.from(
    text
      .normalize('NFD')
      .replace(/[\u200c\u200d]/g, '')
      .replaceAll('\u0300', '\u0301')
      .replaceAll('\u05c7', '\u05b8')
      .matchAll(/\P{M}(\p{M}*)/gu),
    ([, marks = '']) => marks,
  );

/** Replaces ñ by n in a folded word, for people whose keyboard has no ñ. */
export const withoutTilde = (folded: string): string => folded.replaceAll('ñ', 'n');

/** A word in a text. `start` and `length` count UTF-16 units of the text. */
export interface Token {
  text: string;
  start: number;
  length: number;
  folded: string;
}

// A combining mark alone is no word. ZWNJ, ZWJ, soft hyphens and word joiners stay in one, a zero width space ends it.
const word = /[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}]|[\u00ad\u2060\u200c\u200d](?=[\p{L}\p{M}]))*/gu;

const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Returns whether a text has letters of a script that writes no spaces between words, such as Chinese. */
export const isUnspaced = (text: string): boolean => unspaced.test(text);

/** Finds the words in scripts without spaces, with the dictionaries of ICU. */
const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/** Matches the parts of English contractions: the end of `don’t`, `I’ll`, `we’ve`, `you’re`, `I’m` and `he’d`. */
const contracted = /^(?:t|ll|ve|re|m|d)$/;
const apostrophe = /^['\u2019]$/;

/**
 * Returns the words of a verse, as `Verse.words` counts them: an English contraction such as `don’t` is one, `God’s`
 * two. All subgraphs must split a verse with this function, because ids count these words.
 */
export function verseWords(text: string, language: string): Token[] {
  const tokens = tokenize(text);
  if (language !== 'eng') return tokens;
  const joined: Token[] = [];
  for (const token of tokens) {
    const before = joined.at(-1);
    const end = before && before.start + before.length;
    const isEnd = contracted.test(token.folded) && apostrophe.test(text.slice(end ?? 0, token.start));
    if (!before || !isEnd) {
      joined.push(token);
      continue;
    }
    const written = toToken(text.slice(before.start, token.start + token.length), before.start);
    joined[joined.length - 1] = { ...written, folded: written.folded.replace('\u2019', "'") };
  }
  return joined;
}

/** Splits a text into runs of letters, marks and digits, or by ICU's dictionaries in scripts without spaces. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  const hasUnspaced = isUnspaced(text);
  for (const { 0: found, index } of text.matchAll(word)) {
    if (hasUnspaced && isUnspaced(found)) {
      for (const { segment, index: offset, isWordLike } of segmenter.segment(found))
        if (isWordLike) tokens.push(toToken(segment, index + offset));
    } else tokens.push(toToken(found, index));
  }
  return tokens;
}

const toToken = (text: string, start: number): Token => ({ text, start, length: text.length, folded: foldWord(text) });
