import { type BookNames, createNames, type FoundName } from './book-names';
import { type BookCode, bookByCode, isDeuterocanonical } from './books';
import { foldName, type NormalizedText, normalizeText, originalRange } from './normalize-text';
import { chapterEnds } from './numbering';
import { isAfterDash, type ParsedSpan, type PassageParser, sharedParser } from './reference-parser';
import { isWordOf } from './reference-words';
import { rewriteNames } from './rewrite-names';
import { rewriteForParser } from './rewrite-text';
import type { Reference, ReferencePoint, ReferenceSpan, TooLong, Unintelligible } from './types';
import { referenceLimits } from './types';

/** The highest number of a chapter or a verse: Psalm 119 has 176 verses. */
const maxRealNumber = 176;
/** Every second number, because the parser reads an "f" after a number as "and the next number". */
const placeholders = { first: 178, last: 198, step: 2 };

/**
 * Replaces numbers above 176 by placeholders in their order: 178, 180, up to 198, which further numbers share. They are
 * padded to the same length. `large` maps them back. The package reads at most three digits, and takes 200 or more
 * after a space for a year ("John 3 250" as John 3). No chapter or verse has such a number, so only their order
 * matters.
 */
function replaceLargeNumbers(text: string): { text: string; large: ReadonlyMap<number, number> } {
  const numbers = (text.match(/\d+/g) ?? []).map(Number).filter((number) => number > maxRealNumber);
  const distinct = [...new Set(numbers)].sort((a, b) => a - b);
  const placeholderOf = new Map<number, number>();
  const large = new Map<number, number>();
  for (const [rank, number] of distinct.entries()) {
    const placeholder = Math.min(placeholders.first + rank * placeholders.step, placeholders.last);
    placeholderOf.set(number, placeholder);
    large.set(placeholder, Math.min(number, Number.MAX_SAFE_INTEGER));
  }
  const replaced = text.replace(/\d+/g, (digits) => {
    const number = Number(digits);
    const replacement = String(placeholderOf.get(number) ?? number);
    return replacement.length > digits.length ? digits : replacement.padEnd(digits.length);
  });
  return { text: replaced, large };
}

/** Puts back the original numbers. For "178f", the parser has added one to the placeholder. */
function restoreNumbers({ start, end }: ReferenceSpan, large: ReadonlyMap<number, number>): ReferenceSpan {
  const restore = (value: number | null): number | null => {
    if (value === null) return null;
    const before = large.get(value - 1);
    return large.get(value) ?? (before === undefined ? value : before + 1);
  };
  const point = ({ book, chapter, verse }: ReferencePoint) => ({
    book,
    chapter: restore(chapter),
    verse: restore(verse),
  });
  return { start: point(start), end: point(end) };
}

/**
 * Parses a whole text as a reference, in any of 50 languages. `language` (ISO 639-3) is that of the translation: its
 * names come first, and "Daniel 3,16" is two chapters only in English. If a part is not understood, the result is
 * `unintelligible` and names it. The deuterocanonical books need `deuterocanon`.
 */
export function parseReference(
  text: string,
  language = 'eng',
  deuterocanon = false,
  bookNames = createNames(language),
): Reference | TooLong | Unintelligible {
  if (text.length > referenceLimits.length) return { kind: 'too-long' };
  const read = parseWritten(text, language, deuterocanon, bookNames);
  const mayBeScanned = read.kind === 'unintelligible' && read.missing === null && /\d/.test(text);
  const scanned = mayBeScanned ? correctScan(text) : text;
  const corrected = scanned === text ? read : parseWritten(scanned, language, deuterocanon, bookNames);
  return corrected.kind === 'reference' ? corrected : read;
}

/** Returns whether a text has a digit, or the name of a book with a number in words: "isaiah fifty three". Fast. */
export const mayNameChapter = (text: string, language: string): boolean =>
  /\p{Nd}/u.test(text) ||
  /\d(?![A-Z]{2})/.test(rewriteNames(normalizeText(text), createNames(language)).plain.text.replace('PS2', ''));

/** Corrects letters that a scan has confused: `lsaiah 40:31`, `Rornans 8:28`, `Psalm l03:12`, `Pfalm 19:1` (a long s). */
const correctScan = (text: string): string =>
  text
    .replace(/(?<![\p{L}\p{N}])(?:[lI|](?=\d)|[lI](?=\s\p{Lu}))|(?<=\d)[lI|](?!\p{L})/gu, '1')
    .replace(/(?<=\d)[oO](?!\p{L})/gu, '0')
    .replace(/(?<=\p{L})rn(?=\p{L})/gu, 'm')
    .replace(/(?<!\p{L})l(?=[a-z]{4})/gu, 'I')
    .replace(/(?<=\p{L})1(?=\p{L})/gu, 'l')
    .replace(/(?<=\p{L})0(?=\p{L})/gu, 'o')
    .replace(/(?<=\p{L})f(?=\p{L})/gu, 's');

function parseWritten(
  text: string,
  language: string,
  deuterocanon: boolean,
  bookNames: BookNames,
): Reference | Unintelligible {
  const normalized = normalizeText(text);
  const { plain: renamed, names, isEnglish, isPlain } = rewriteNames(normalized, bookNames);
  const verses = readVerses(normalized.text, names, deuterocanon);
  if (verses) return verses;
  const plain = isPlain ? renamed : rewriteForParser(renamed);
  const { text: prepared, large } = replaceLargeNumbers(plain.text);
  // In a translation in another language, a comma always starts a verse: "Hosea 3,4" and "Psalm 23,4" are German too.
  const englishNames = isEnglish && /^(?:eng|spa)$/.test(language) ? names : [];
  const parsedSpans = withChapters(parseSpans(prepared, sharedParser(deuterocanon), englishNames), prepared);
  const part = parsedSpans.length === 0 ? firstPart(text) : firstUnparsedPart(plain, prepared, parsedSpans);
  if (part !== null) return unintelligible(part, 'book not found', missingBook(part, normalized, names));
  const stray = firstStrayPart(plain, prepared, parsedSpans, names);
  if (stray !== null) return unintelligible(stray, 'book not found');
  const range = firstInvalidRange(plain, prepared, parsedSpans);
  if (range !== null) return unintelligible(range, 'range not found');
  const spans = parsedSpans.filter((parsed, index) => !isOnlyContextFor(parsed, parsedSpans[index + 1], prepared));
  return { kind: 'reference', spans: spans.map(({ span }) => restoreNumbers(span, large)) };
}

const versesOfChapter = /^\.?\s{0,9}(\d{1,3})(?:\s?([:.,])\s?(\d{1,3})(?:\s?-\s?(\d{1,3}))?)?\s*$/;

/** Reads a chapter, or verses of one, after a name. These common references need no parser. Null for other texts. */
function readVerses(text: string, [name, ...more]: readonly FoundName[], deuterocanon: boolean): Reference | null {
  if (!name || more.length > 0 || text.slice(0, name.start).trim() !== '') return null;
  const [, chapter, separator, first, last = first] = versesOfChapter.exec(text.slice(name.end)) ?? [];
  const isOther = isDeuterocanonical(name.code) ? !deuterocanon : chapter === '151';
  const isUnclear = separator !== ':' && separator !== '.' && bookByCode(name.code).singleChapter;
  if (chapter === undefined || isOther || isUnclear || (separator === ',' && !name.isForeign)) return null;
  if (Number(last) < Number(first)) return null;
  const point = (verse?: string): ReferencePoint => ({
    book: name.code,
    chapter: Number(chapter),
    verse: verse === undefined ? null : Number(verse),
  });
  return { kind: 'reference', spans: [{ start: point(first), end: point(last) }] };
}

/** Returns the deuterocanonical book that a part names, which the translation then lacks. */
const missingBook = (part: string, plain: NormalizedText, names: readonly FoundName[]): BookCode | null =>
  names.find(({ code, start, end }) => {
    const range = originalRange(plain, start, end);
    return isDeuterocanonical(code) && part.includes(plain.original.slice(range.start, range.end));
  })?.code ?? null;

/** Corrects a chapter after a semicolon: the 4 of "Mark 1:1-3:5; 4" is chapter 4, not verse 3:4. */
const withChapters = (parsedSpans: readonly ParsedSpan[], text: string): ParsedSpan[] =>
  parsedSpans.map((parsed, index) => {
    const { start, end } = parsed.span;
    const before = parsedSpans[index - 1];
    const isNumber = /^\d+(?:\s*-\s*\d+)?$/.test(text.slice(parsed.start, parsed.end));
    if (!before || parsed.namesBook || !isNumber || start.verse === null) return parsed;
    if (bookByCode(start.book).singleChapter || !text.slice(before.end, parsed.start).includes(';')) return parsed;
    const chapter = (point: ReferencePoint) => ({ ...point, chapter: point.verse, verse: null });
    return { ...parsed, span: { start: chapter(start), end: chapter(end) } };
  });

/** Returns whether a span is only context for the next: John in "John, 3:16" and in "Gospel of John (Jn 3:16)". */
function isOnlyContextFor(
  { span: { start, end }, end: after, isBookOnly }: ParsedSpan,
  next: ParsedSpan | undefined,
  text: string,
): boolean {
  if (!next) return false;
  if (next.namesBook)
    return isBookOnly && next.span.start.book === start.book && /^\s*\(\s*$/.test(text.slice(after, next.start));
  const isChapter =
    start.chapter !== null && start.chapter === end.chapter && end.verse === null && start.book === end.book;
  return isBookOnly || (isChapter && next.startsWithVerse);
}

/**
 * Returns the first part that the parser reads as a book although it is probably something else: a short name without a
 * number after a reference, one of two names side by side, or a second chapter of a book that has one.
 */
function firstStrayPart(
  plain: NormalizedText,
  prepared: string,
  parsedSpans: readonly ParsedSpan[],
  names: readonly FoundName[],
): string | null {
  for (const [index, parsed] of parsedSpans.entries()) {
    const [before, next] = [parsedSpans[index - 1], parsedSpans[index + 1]];
    const { start, end } = parsed.span;
    const isAlone = parsed.isBookOnly && start.book === end.book && (next?.namesBook ?? true);
    const gap = before ? prepared.slice(before.end, parsed.start) : ';';
    const isServed = names.some((name) => name.isServed && name.code === start.book);
    const isShort = parsed.end - parsed.start <= 3 && !isServed && before?.isBookOnly === false && !gap.includes(';');
    const isBeside = next && prepared.slice(parsed.end, next.start).trim() === '';
    const isSecondChapter = !parsed.namesBook && bookByCode(start.book).singleChapter && (start.chapter ?? 1) > 1;
    if (!(isAlone && (isShort || isBeside)) && !isSecondChapter) continue;
    const range = originalRange(plain, parsed.start, isBeside ? next.end : parsed.end);
    return plain.original.slice(range.start, range.end);
  }
  return null;
}

/** Returns two spans that a dash joins to no range, such as "John 3:16-1". "Rev-Gen" is allowed. */
function firstInvalidRange(plain: NormalizedText, prepared: string, parsedSpans: readonly ParsedSpan[]): string | null {
  for (const [index, parsed] of parsedSpans.entries()) {
    const before = parsedSpans[index - 1];
    if (!before || !isAfterDash(before, parsed, prepared)) continue;
    const { start, end } = originalRange(plain, before.start, parsed.end);
    return plain.original.slice(start, end);
  }
  return null;
}

/**
 * Parses the text. After English names, a comma separates two chapters in any translation: "John 3,16". After other
 * names it separates a chapter and its verse: "Juan 3,16". So it does where two chapters are unlikely: "Luke 2,1-20",
 * "Jn 3,16". `englishNames` is empty if a name is not English.
 */
function parseSpans(text: string, parser: PassageParser, englishNames: readonly FoundName[]): ParsedSpan[] {
  const separatesChapters = englishNames.length > 0 && !isUnlikelyList(text, englishNames);
  if (!commaMayBeColon(text) || separatesChapters) return parser.read(text);
  const parsedSpans = parser.read(withColons(text));
  // In "Judas 3,5" the comma separates verses, because Jude has only one chapter and 3 is a verse.
  const isImpossible = parsedSpans.some(
    ({ span: { start } }) => bookByCode(start.book).singleChapter && start.chapter !== null && start.chapter > 1,
  );
  return isImpossible ? parser.read(text) : parsedSpans;
}

/**
 * Returns whether the numbers around the first comma are probably not two chapters. This is so if they descend ("Luke
 * 2,1-20"), if the book has fewer chapters ("Rom 11,33"), if a full stop follows ("Gn 3,9-15.20"), or if chapters lie
 * between them, the name is abbreviated, and no space and no third number follows ("Jn 3,16"). Psalms are an exception,
 * because they are often listed: "Ps 23,27".
 */
function isUnlikelyList(text: string, names: readonly FoundName[]): boolean {
  const [, chapter, space, next, suffix] = /(?<!\d)(\d+)\s*,(\s*)(\d+)(ff?|\s*[,.]\s*\d)?/.exec(text) ?? [];
  const isFullName = names.some(({ isServed }) => isServed);
  const chapters = names[0] && !isFullName ? chapterEnds('standard', names[0].code).length : Infinity;
  const isNoChapter = Number(chapter) <= chapters && Number(next) > chapters;
  const hasDot = /,\s*\d+[a-e]?(?:\s*-\s*\d+[a-e]?)?\s*\.\s*\d/.test(text);
  if (Number(next) <= Number(chapter) || isNoChapter || hasDot || suffix?.startsWith('f')) return true;
  return !space && !suffix && Number(next) > Number(chapter) + 1 && !/^\W*ps/i.test(text) && !isFullName;
}

/** Returns whether a comma can start a verse: in "Juan 3,16", but not in "Juan 3:16,18" or "Juan 3.16,18". */
const commaMayBeColon = (text: string): boolean => !/\d\s?:/.test(text) && /\d\s*([,.])\s*\d/.exec(text)?.[1] === ',';

/** Replaces commas before verses by colons: "13,3-9.18" becomes "13:3-9,18", and "1,1-5 & 3,9" "1:1-5 ; 3:9". */
const withColons = (text: string): string =>
  text
    .replace(/&(?=\s*\d{1,3},\d)/g, ';')
    .replace(
      /(?<!\d)(\d+)(\s*),(\s*\d+[a-e]?)((?:\s*[-,.&]\s*\d+[a-e]?)*)/gi,
      (_, chapter: string, space: string, verse: string, verses: string) => {
        // The number after a dash is a chapter if it is the next one, or too small for a verse: "9,18-11,9". It is one
        // too between blanks, "1,1 - 4,16", and if the number after its comma is no later verse, "1,1-4,2".
        const colon = (written: string, before: string, number: string, next: string): string => {
          const isNoVerse = Number(number) <= Number.parseInt(verse, 10) || Number(next) <= Number(number);
          const isChapter = Number(number) > Number(chapter) && (isNoVerse || /^\s+-\s/.test(before));
          return isChapter || Number(number) === Number(chapter) + 1 ? `${before}:` : written;
        };
        return `${chapter}${space}:${verse}${verses.replace(/^(\s*-\s*(\d+)\s*),(?=\s*(\d+))/, colon).replaceAll('.', ',')}`;
      },
    );

// The characters that the parser skips but that may stand between the spans of a reference.
const separators = String.raw`[\s,;:/|&+.()\[\]"'«»“”‘’*~-]`;

/** Returns whether a text has nothing but separators and words such as "and" and "see also". */
const isMeaningless = (text: string): boolean =>
  text
    .split(separator)
    .map(foldName)
    .every((word) => word === '' || isWordOf('joining', word) || isWordOf('ordinal', word));
const separator = new RegExp(separators, 'u');
const outerSeparators = new RegExp(`^${separators}+|(?<!${separators})${separators}+$`, 'gu');

/** Returns the first unparsed part with more than separators and joining words, or null. */
function firstUnparsedPart(plain: NormalizedText, prepared: string, parsedSpans: readonly ParsedSpan[]): string | null {
  let position = 0;
  for (const [index, parsed] of [...parsedSpans, null].entries()) {
    const gapEnd = parsed?.start ?? prepared.length;
    const gap = prepared.slice(position, gapEnd);
    const before = parsedSpans[index - 1];
    // "Ps 118/119" has the numbers of one Psalm in two numberings.
    if (gap === '/' && before?.span.end.verse === null && parsed?.namesBook === false) position = before.start;
    if (!isMeaningless(prepared.slice(position, gapEnd))) {
      // Of "Wisdom of Solomon 3", the parser reads only "Solomon 3". The error then names the whole text.
      const includesSpan = parsed?.namesBook === true && !/[;,]\s*$/.test(gap);
      const { start, end } = originalRange(plain, position, includesSpan ? parsed.end : gapEnd);
      return firstPart(plain.original.slice(start, end));
    }
    position = Math.max(position, parsed?.end ?? 0);
  }
  return null;
}

/** Returns the first part with more than separators and joining words: "; Foo 1; Bar" gives "Foo 1". */
function firstPart(text: string): string {
  const parts = text.split(';').map((part) => part.replace(outerSeparators, ''));
  return parts.find((part) => !isMeaningless(part)) ?? text.trim();
}

/** Replaces lone surrogates, so that the part can be quoted in a response in UTF-8. */
const unintelligible = (
  part: string,
  reason: Unintelligible['reason'],
  missing: Unintelligible['missing'] = null,
): Unintelligible => ({ kind: 'unintelligible', part: part.replace(/\p{Cs}/gu, '\ufffd'), reason, missing });
