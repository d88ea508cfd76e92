import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stemmer as ara } from '@orama/stemmers/arabic';
import { stemmer as dan } from '@orama/stemmers/danish';
import { stemmer as nld } from '@orama/stemmers/dutch';
import { stemmer as eng } from '@orama/stemmers/english';
import { stemmer as fin } from '@orama/stemmers/finnish';
import { stemmer as fra } from '@orama/stemmers/french';
import { stemmer as deu } from '@orama/stemmers/german';
import { stemmer as ell } from '@orama/stemmers/greek';
import { stemmer as hun } from '@orama/stemmers/hungarian';
import { stemmer as hin } from '@orama/stemmers/indian';
import { stemmer as ind } from '@orama/stemmers/indonesian';
import { stemmer as ita } from '@orama/stemmers/italian';
import { stemmer as nep } from '@orama/stemmers/nepali';
import { stemmer as nor } from '@orama/stemmers/norwegian';
import { stemmer as por } from '@orama/stemmers/portuguese';
import { stemmer as ron } from '@orama/stemmers/romanian';
import { stemmer as rus } from '@orama/stemmers/russian';
import { stemmer as srp } from '@orama/stemmers/serbian';
import { stemmer as spa } from '@orama/stemmers/spanish';
import { stemmer as swe } from '@orama/stemmers/swedish';
import { stemmer as tur } from '@orama/stemmers/turkish';
import { stemmer as ukr } from '@orama/stemmers/ukrainian';

/** The stop words of each language, by ISO 639-3 code. The package has no types. */
const stopWords = require('stopword') as Readonly<Record<string, readonly string[] | undefined>>;

/** Letters that Unicode decomposes into a letter and a mark, but that an alphabet counts as one letter, such as ñ. */
const keptLetters: readonly (readonly [decomposed: string, letter: string])[] = [
  ['n\u0303', 'ñ'],
  ['и\u0306', 'й'],
  ['і\u0308', 'ї'],
];

// The characters that folding removes: accents of European scripts, points and cantillation marks of Hebrew, vowel
// marks of Arabic, and characters that only change how letters join (soft hyphen, tatweel, ZWNJ, ZWJ). The vowel
// signs of Indic scripts stay, because a word without them is another word.
const accents =
  /\u00ad|\u0640|\u200c|\u200d|[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed]/g;

/** Hebrew and Greek letters with a different form at the end of a word, and their ordinary form. */
const finalLetters = { ך: 'כ', ם: 'מ', ן: 'נ', ף: 'פ', ץ: 'צ', ς: 'σ' };

/** Letters that Unicode does not decompose, with the letters that people type instead. */
const typedLetters: ReadonlyMap<string, string> = new Map(
  Object.entries({ ß: 'ss', đ: 'd', ł: 'l', ı: 'i', ى: 'ي', ی: 'ي', ک: 'ك', ...finalLetters }),
);
const typedLetter = new RegExp(`[${[...typedLetters.keys()].join('')}]`, 'g');

/** Matches a text of printable ASCII characters only, which folding only changes to lower case. */
const ascii = /^[\x20-\x7e]*$/;

/**
 * Folds a word to the form in which words are compared: lower case without accents, points, breathings and final
 * letters, but with `keptLetters`. `Oración` folds to `oracion`, `año` stays `año`, and `Straße` becomes `strasse`.
 * Folding a folded word changes nothing.
 */
export function foldWord(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  // Lower-cased again after NFKD, because characters such as "𝔊" decompose to capitals.
  let folded = text.toLowerCase().normalize('NFKD').toLowerCase();
  for (const [decomposed, letter] of keptLetters) folded = folded.replaceAll(decomposed, letter);
  return folded
    .replace(accents, '')
    .replace(typedLetter, (letter) => typedLetters.get(letter) ?? letter)
    .normalize('NFC');
}

/** Matches the marks of Hebrew that are not vowels: cantillation marks, meteg, rafe, and the dots of scribes. */
const cantillation = /[\u0591-\u05af\u05bd\u05bf\u05c0\u05c4\u05c5]|\u034f|\u200c|\u200d/g;
const hebrewOrGreek = /[\u0370-\u03ff\u0590-\u05ff\u1f00-\u1fff]/;

export const isHebrewOrGreek = (text: string): boolean => hebrewOrGreek.test(text);

/**
 * Removes what depends on a word's place in the sentence: cantillation marks in Hebrew, and in Greek a grave accent,
 * which becomes acute. Returns words of other scripts unchanged.
 */
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

// A word starts with a letter or a digit, because a combining mark alone is no word. Words of Persian and of Indic
// scripts may contain ZWNJ and ZWJ.
const word = /[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}]|[\u200c\u200d](?=[\p{L}\p{M}]))*/gu;

const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Returns whether a text has letters of a script that writes no spaces between words, such as Chinese. */
export const isUnspaced = (text: string): boolean => unspaced.test(text);

/** Finds the words in scripts without spaces, with the dictionaries of ICU. */
const segmenter = new Intl.Segmenter('und', { granularity: 'word' });

/** Matches the parts of English contractions: the end of `don’t`, `I’ll`, `we’ve`, `you’re`, `I’m` and `he’d`. */
const contracted = /^(?:t|ll|ve|re|m|d)$/;
const apostrophe = /^['\u2019]$/;

/** Joins the parts of English contractions: `don’t` is one word, but `God’s` has two. Other languages stay as they are. */
export function joinContractions(tokens: readonly Token[], text: string, language: string): Token[] {
  const joined: Token[] = [];
  for (const token of tokens) {
    const before = joined.at(-1);
    const end = before && before.start + before.length;
    const isEnd =
      language === 'eng' && contracted.test(token.folded) && apostrophe.test(text.slice(end ?? 0, token.start));
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

type Stem = (folded: string) => string;

const european = { dan, deu, ell, eng, fin, fra, hun, ita, nld, nor, por, ron, rus, spa, srp, swe, tur, ukr };

/** Snowball's stemmers by ISO 639-3 code, except those that do not work with folded words. */
const stemmers: ReadonlyMap<string, Stem> = new Map(
  Object.entries({ ...european, ara, hin, ind, nep, nob: nor, nno: nor }),
);

export const hasStemmer = (language: string): boolean => stemmers.has(language);

/** In UTF-16 units. The time of the stemmers grows with the square of the length. */
const maxStemmedLength = 100;

/**
 * Returns the function that maps a folded word to its stem. A very long word, or a word in a language without a
 * stemmer, is its own stem. Old English verb forms have the stem of their verb: `cometh` that of `come`.
 */
export function stemmerFor(language: string): Stem {
  const snowball = stemmers.get(language);
  if (!snowball) return (folded) => folded;
  const stem = language === 'eng' ? englishStem(snowball) : snowball;
  return (folded) => (folded.length > maxStemmedLength ? folded : stem(folded));
}

const englishStem =
  (snowball: Stem): Stem =>
  (folded) =>
    folded === 'comely' ? folded : snowball(withoutOldEnding(folded));

// Nouns, superlatives and names that only end like an old verb form. `mightest` is a verb, so it is not listed.
const notOldVerbs = new Set(
  (
    'arrest basest behest best bequest brightest chest chiefest choicest closest conquest contest crest darkest ' +
    'deepest detest digest dishonest earnest eldest fairest farthest fattest fewest finest fittest forest fullest ' +
    'furthest goodliest greatest guest hardest harvest highest holiest honest hottest interest invest jest largest ' +
    'latest lest longest lowest manifest meanest mightiest modest nearest nest newest northwest oldest pest poorest ' +
    'priest protest purest quest request rest richest shortest smallest southwest straitest strictest strongest ' +
    'suggest tempest test unrest valiantest vest vilest weakest west wisest wrest youngest zest beth elisabeth ' +
    'elizabeth hareth hereth heth japheth jetheth macbeth nazareth peleth seth sheth teeth zareth zereth'
  ).split(' '),
);
const oldEnding = /^(?<verb>..+e)(?:th|st|dst)$/;
const ordinalNumber = /tieth$/;

/** `cometh` becomes `comed`, which has the stem of `come`, and `fleeth` becomes `flee`. */
function withoutOldEnding(folded: string): string {
  const verb = oldEnding.exec(folded)?.groups?.['verb'];
  if (verb === undefined || notOldVerbs.has(folded) || ordinalNumber.test(folded)) return folded;
  return verb.endsWith('ee') ? verb : `${verb}d`;
}

const files: ReadonlyMap<string, string> = new Map([
  ['eng', 'english'],
  ['fra', 'french'],
  ['deu', 'german'],
  ['ita', 'italian'],
  ['por', 'portuguese'],
  ['spa', 'spanish'],
]);

/** Returns the folded stop words of a language (ISO 639-3), or none. The lists of `files` are Snowball's. */
export const functionWords = (language: string): ReadonlySet<string> =>
  files.has(language)
    ? readWords('function-words', language, 'stop')
    : new Set((Object.hasOwn(stopWords, language) ? stopWords[language] : [])?.map(foldWord));

const lemmaFiles: ReadonlyMap<string, string> = new Map([
  ['grc', 'ancient-greek'],
  ['hbo', 'ancient-hebrew'],
]);

/** Returns the function words of Ancient Greek (grc) or Hebrew (hbo) as lemmas with points and accents, or none. */
export const functionLemmas = (language: string): ReadonlySet<string> =>
  new Set(readLines('function-words', lemmaFiles.get(language), 'lemmas'));

/** Returns folded English or Spanish words that a spelling checker for Bible text must leave alone. */
export const ordinaryWords = (language: string): ReadonlySet<string> => readWords('ordinary-words', language, 'txt');

const readWords = (folder: string, language: string, extension: string): ReadonlySet<string> =>
  new Set(readLines(folder, files.get(language), extension).map(foldWord));

function readLines(folder: string, name: string | undefined, extension: string): string[] {
  const file = join(__dirname, '..', folder, `${name}.${extension}`);
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  return lines.map((line) => line.trim().normalize('NFC')).filter((line) => line !== '');
}
