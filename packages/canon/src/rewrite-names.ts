import { type BookNames, type FoundName, nameAt, type Token, tokensOf } from './book-names';
import { type NormalizedText, type Replacement, replaceRanges } from './normalize-text';
import { isWordOf, spokenWords } from './reference-words';

interface RewrittenNames {
  plain: NormalizedText;
  names: readonly FoundName[];
  /** Whether all names are English. Otherwise, a comma after a chapter starts a verse. */
  isEnglish: boolean;
  /** Whether the text has nothing but names, numbers and separators, so that no words need to be rewritten. */
  isPlain: boolean;
}

/** The minimum length of a name before a number in words, because `am one` is not Amos 1. */
const minSpokenName = 4;

/**
 * Replaces names of books by USFM codes, and numbers in words or letters after them by digits: `psalm ninety one`
 * becomes `psalm 91`. The package reads some names as other books or not at all, but names in responses stay. In
 * running text, only names with `isLikely` are replaced.
 */
export function rewriteNames(
  plain: NormalizedText,
  books: BookNames,
  isLikely?: (name: FoundName, after: string) => boolean,
): RewrittenNames {
  const { text } = plain;
  const tokens = tokensOf(text);
  const names: FoundName[] = [];
  const replacements: Replacement[] = [];
  /** Where words before a name start, such as "Brief an die". A letter alone may join references. */
  let phrase: number | null = null;
  for (let at = 0; at < tokens.length; ) {
    const { start = 0, folded = '' } = tokens[at] ?? {};
    // In Portuguese, "Evangelho segundo João" is the Gospel according to John.
    const isAccording = folded === 'segundo' && /evang/i.test(text.slice(phrase ?? start, start));
    const begins = (phrase !== null || beginsName(text, tokens, at)) && !isAccording;
    const name = begins ? nameAt(text, tokens, at, books, isLikely !== undefined) : null;
    at = name?.next ?? at + 1;
    const isStart: boolean = phrase !== null || /^(?:\p{L}{3,}|la|el|il|le|hl|ев|s[vw])$/u.test(folded);
    if (!name) phrase = isStart && isWordOf('within', folded) ? (phrase ?? start) : null;
    // "Psalm 151" alone is a chapter, which the package reads.
    if (!name || (name.code === 'PS2' && !/\d/.test(text.slice(name.end)))) continue;
    names.push(name);
    let { end } = name;
    for (; isWordOf('after', tokens[at]?.folded ?? ''); at += 1) end = tokens[at]?.end ?? end;
    const isChanged = phrase !== null || !name.isServed || end > name.end;
    if (isChanged && (!isLikely || isLikely(name, text.slice(name.end))))
      replacements.push(replacementOf({ ...name, end }, text, phrase ?? name.start));
    phrase = null;
    if (name.length < minSpokenName && name.code !== 'JOB') continue;
    const spoken = readSpokenNumbers(text, tokens, name, isLikely !== undefined);
    replacements.push(...spoken.replacements);
    at = spoken.next;
  }
  const isEnglish = names.length > 0 && names.every((name) => !name.isForeign);
  const others = names.reduceRight((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), text);
  const isPlain = /^[\d\s:.,;&-]*$/.test(others);
  return { plain: rewriteNumerals(replaceRanges(plain, replacements)), names, isEnglish, isPlain };
}

const isDigits = (token: string): boolean => token >= '0' && token <= '9\uffff';

/** Returns whether a name may begin at a token: not in the middle of a phrase that the package may know as a name. */
function beginsName(text: string, tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  const { start = 0, folded = '' } = tokens[at] ?? {};
  const isNumber = isDigits(folded);
  if (isNumber && (folded > '5' || folded.length > 1 || isDigits(tokens[at + 1]?.folded ?? '0'))) return false;
  if (!before) return true;
  const gap = text.slice(before.end, start);
  // In "chapter 3 of John" and "John 2.1 John 3", the number is no part of the name.
  if (isNumber && (isWordOf('place', before.folded) || (isDigits(before.folded) && /^\s?[:.,]\s?$/.test(gap))))
    return false;
  // In "3ab", letters name parts of a verse, and in "28 et 31" a word joins two. East Asian texts have no spaces.
  if (isDigits(before.folded)) return gap === '' ? !/^[a-z]/.test(folded) : !isJoining(text, tokens, at);
  const isBefore = isWordOf('before', before.folded) || isWordOf('joining', before.folded);
  return /[^\s.]/.test(gap) || isBefore || spokenWords().links.has(before.folded);
}

const isJoining = (text: string, tokens: readonly Token[], at: number): boolean =>
  isWordOf('joining', text.slice(tokens[at]?.start, tokens[at]?.end)) && isDigits(tokens[at + 1]?.folded ?? '');

/** Replaces a name, with a full stop after it. */
function replacementOf({ code, end }: FoundName, text: string, start: number): Replacement {
  const before = /[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, start - 2), start)) ? ' ' : '';
  const dot = text[end] === '.' ? 1 : 0;
  const after = /^[\p{L}\p{N}]/u.test(text.slice(end + dot, end + dot + 2)) ? ' ' : '';
  return { start, end: end + dot, text: before + code + after };
}

/** Reads the numbers in words after a name, such as "thirteen verse four through seven" or "tres dieciséis". */
function readSpokenNumbers(text: string, tokens: readonly Token[], { code, next }: FoundName, isProse: boolean) {
  const replacements: Replacement[] = [];
  const { links } = spokenWords();
  /** How many numbers follow each other since the last link. The second is a verse. */
  let following = 0;
  let at = next;
  for (let token = tokens[at]; token; token = tokens[at]) {
    if (/[^\s,.-]/.test(text.slice(tokens[at - 1]?.end, token.start))) break;
    const isLink = links.has(token.folded) || isWordOf('place', token.folded);
    // In running text, "Mark two" may be anything, but "Psalm two" is not.
    const isPlace = isWordOf('place', tokens[at - 1]?.folded ?? '') || (at === next && /PSA|CO$/.test(code));
    const number = isLink || (isProse && !isPlace) ? null : spokenNumber(tokens, at);
    const isNumber = isDigits(token.folded);
    if (!number && !isNumber && !isLink) break;
    const last = replacements.at(-1);
    // The first Psalm has 6 verses, so "psalm one nineteen" is Psalm 119.
    if (number && following === 1 && code === 'PSA' && last?.text === '1' && number.value > 9 && number.value <= 50) {
      last.text = String(100 + number.value);
      last.end = number.end;
    } else if (number) {
      replacements.push({ start: token.start, end: number.end, text: `${following === 1 ? ':' : ''}${number.value}` });
      following += 1;
    } else following = isNumber ? following + 1 : 0;
    at = number?.next ?? at + 1;
  }
  return { replacements, next: replacements.length > 0 ? at : next };
}

/** Reads a number in words, at most six: `cento e vinte e um` has five. */
function spokenNumber(tokens: readonly Token[], from: number) {
  let key = '';
  let found: { value: number; end: number; next: number } | null = null;
  for (const [index, token] of tokens.slice(from, from + 6).entries()) {
    key += token.folded;
    const value = spokenWords().numbers.get(key);
    if (value) found = { value, end: token.end, next: from + index + 1 };
  }
  return found;
}

const hanDigits = '〇一二三四五六七八九';
const hanCharacters = '〇零一二三四五六七八九十廿卅百';
const hanNumber = `[${hanCharacters}]{1,7}`;

/** Returns the value of `二十三`, `廿三` or `一一九`. */
function hanValue(number: string): number {
  const written = number.replaceAll('零', '〇').replaceAll('廿', '二十').replaceAll('卅', '三十');
  if (!/[十百]/.test(written)) return Number(Array.from(written, (digit) => hanDigits.indexOf(digit)).join(''));
  let value = 0;
  let digit = 0;
  for (const character of written)
    if (character === '十' || character === '百') {
      value += (digit || 1) * (character === '十' ? 10 : 100);
      digit = 0;
    } else digit = Math.max(hanDigits.indexOf(character), 0);
  return value + digit;
}

const hebrewLetters = 'אבגדהוזחטיכלמנסעפצק';

/** Returns the value of a number in Hebrew letters such as `כג`, or null. Only 15 and 16 are no falling sums. */
function hebrewValue(letters: string): number | null {
  const values = Array.from(letters, (letter) => {
    const at = hebrewLetters.indexOf(letter);
    return at < 9 ? at + 1 : at < 18 ? (at - 8) * 10 : 100;
  });
  const isFalling = values.every((value, at) => value > 0 && value < (values[at - 1] ?? Infinity));
  return isFalling ? values.reduce((sum, value) => sum + value, 0) : null;
}

type Rewrite = readonly [pattern: RegExp, replacement: (...groups: (string | undefined)[]) => string | null];

const eastAsian: readonly Rewrite[] = [
  // Rewrites "55・1" as "55:1".
  [/(?<=\d)\u30fb(?=\d)/gu, () => ':'],
  // Rewrites "三章十六节" as "3:16", "23篇" as "23", and "三16" as "3:16".
  [
    new RegExp(
      String.raw`(?:第\s{0,3})?(${hanNumber}|\d{1,3})\s{0,3}(?:([章篇編编首장편])|[節节절])\s{0,3}(?:(?=第?\s{0,3}[\d${hanCharacters}])()|)`,
      'gu',
    ),
    (number = '', chapter, next) => `${digitsOf(number)}${chapter && next !== undefined ? ':' : ' '}`,
  ],
  [new RegExp(`(${hanNumber})(?=\\d)`, 'gu'), (number = '') => `${digitsOf(number)}:`],
  [new RegExp(`(${hanNumber})`, 'gu'), (number = '') => digitsOf(number)],
  [/(?:至|到|から|부터)(?=\s{0,3}\d)/gu, () => '-'],
  [/(?<=\d\s?)(?:以下|以降|이하)/gu, () => 'ff'],
  [/(?<=\d\s?)(?:まで|까지|[上下]|[상하](?!\p{L}))/gu, () => ''],
  [/(?<=\d\s?)(?:和|及|と|와|과)(?=\s?\d)/gu, () => ','],
];
const hebrew: readonly Rewrite[] = [
  [/(?:פרק|פרקים)\s{1,3}/gu, () => ''],
  [/(?:פסוק|פסוקים)\s{1,3}/gu, () => 'v '],
  [
    /(?<!\p{L})([א-ק]{1,3})(?:["״]([א-ט]))?['׳]?(?!\p{L})(\s{1,3}(?=\d))?/gu,
    (letters = '', last = '', verse) => {
      const value = hebrewValue(letters + last);
      return value === null ? null : `${value}${verse === undefined ? '' : ':'}`;
    },
  ],
];

const digitsOf = (number: string): string => (/\d/.test(number) ? number : String(hanValue(number)));

/** Replaces the numbers of East Asian and Hebrew texts, and their words for chapter and verse. */
function rewriteNumerals(plain: NormalizedText): NormalizedText {
  const isEastAsian = /[\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7af]/.test(plain.text);
  const isHebrew = /[\u05d0-\u05ea]/.test(plain.text);
  const rewrites = [...(isEastAsian ? eastAsian : []), ...(isHebrew ? hebrew : [])];
  return rewrites.reduce(
    (before, [pattern, replacement]) =>
      replaceRanges(
        before,
        Array.from(before.text.matchAll(pattern), (match) => ({
          start: match.index,
          end: match.index + match[0].length,
          text: replacement(...match.slice(1)) ?? match[0],
        })),
      ),
    plain,
  );
}
