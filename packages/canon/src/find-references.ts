import type { FoundName } from './book-names';
import { type BookCode, bookName } from './books';
import { foldName, type NormalizedText, normalizeText, originalRange } from './normalize-text';
import { withoutOtherNumbers } from './other-numbering';
import { isAfterDash, type ParsedSpan, type PassageParser, sharedParser } from './reference-parser';
import { clampSpans, readReference } from './resolve-reference';
import { rewriteNames } from './rewrite-names';
import { rewriteForParser } from './rewrite-text';
import { hasDeuterocanon, namesOf } from './shape';
import type { ReferencePoint, ReferenceSpan, ReferenceStatus, TextTooLong, TranslationShape } from './types';
import { referenceLimits } from './types';

export interface FoundReference {
  /** The normalized reference in the translation's language: "John 3:16-36". */
  reference: string;
  /** The first book of the reference. The translation may lack it. */
  bookId: BookCode;
  status: ReferenceStatus;
  /** The number of different verses that the translation has. It may exceed `referenceLimits.verses`. */
  verseCount: number;
  /** The start of the reference in the text as it was sent, in UTF-16 units, like `length`. */
  start: number;
  length: number;
  /** The reference as it was written, before it was reduced to verses that the translation has. */
  spans: readonly ReferenceSpan[];
}

export interface FoundReferences {
  kind: 'found';
  references: readonly FoundReference[];
}

/** Texts are parsed in parts of this length, in UTF-16 units. A part takes at most 15 ms. */
const partLength = 500;
/** Parts overlap by more than `referenceLimits.length`, so that each reference is complete in one part. */
const partOverlap = 250;

/**
 * Finds the references in running text, in order. Yields every few milliseconds, so that other work may run. Returns at
 * most `referenceLimits.found`, none longer than `referenceLimits.length`. Prose has many words that name books:
 * - A book counts only with a number: "Genesis is a book" has no reference.
 * - A name in small letters, other than "psalm", needs a chapter and a verse: "mark 3:16", but not "mark 3".
 * - An ordinary word needs a capital, a chapter and a verse: "Is 53:8", but not "Is 2" or "is 53:8".
 * - A few common words never count, although they abbreviate a book in some language: "no 3:1".
 * - Numbers without a book count soon after a reference: "John 3:16, read with v. 17", "see 7:4".
 * - A bracket ends a reference: "Gen 1 [Ex 2] 3:4" has Genesis 1 and Exodus 2.
 */
export function* findReferences(text: string, shape: TranslationShape): Generator<void, FoundReferences | TextTooLong> {
  if (text.length > referenceLimits.textLength) return { kind: 'text-too-long' };
  const { plain: named } = rewriteNames(normalizeText(withoutOtherNumbers(text)), namesOf(shape), isLikelyName);
  const plain = rewriteForParser(named, { prose: true });
  yield;
  const references: FoundReference[] = [];
  let before: ReadGroup | null = null;
  for (const groups of groupsByPart(plain.text, sharedParser(hasDeuterocanon(shape)))) {
    yield;
    for (const group of groups) {
      if (before) references.push(...(yield* versesAfter(plain, before, group.start, shape)));
      before = readGroup(plain, group, shape);
      if (before) references.push(before.found);
      if (references.length >= referenceLimits.found) break;
      yield;
    }
    if (references.length >= referenceLimits.found) break;
  }
  if (before) references.push(...(yield* versesAfter(plain, before, plain.text.length, shape)));
  return { kind: 'found', references: references.slice(0, referenceLimits.found) };
}

/** Finds references like `findReferences`, but all at once. Returns [] for a text that is too long. */
export function listReferences(text: string, shape: TranslationShape): readonly FoundReference[] {
  const steps = findReferences(text, shape);
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value.kind === 'found' ? step.value.references : [];
}

/** A range of a part of the text, in UTF-16 units, that may be one reference. */
interface Group {
  start: number;
  end: number;
}

interface ReadGroup {
  found: FoundReference;
  end: number;
  last: ReferencePoint;
}

function readGroup(
  plain: NormalizedText,
  { start, end }: Group,
  shape: TranslationShape,
  text?: string,
): ReadGroup | null {
  const range = originalRange(plain, start, end);
  const parsed = readReference(text ?? plain.original.slice(range.start, range.end), shape);
  const bookId = parsed.kind === 'reference' && parsed.spans[0]?.start.book;
  const last = parsed.kind === 'reference' && parsed.spans.at(-1)?.end;
  if (parsed.kind !== 'reference' || !bookId || !last) return null;
  const { spans } = parsed;
  const { reference, status, count: verseCount } = clampSpans(spans, shape);
  const found = { reference, bookId, status, verseCount, start: range.start, length: range.end - range.start, spans };
  return { found, end, last };
}

/** The maximum distance between a reference and a "v. 10" that means the same chapter, in UTF-16 units. */
const contextLength = 100;
const numberList = String.raw`\d{1,3}(?:\s{0,20}(?:-|,|&|to|and|through)\s{0,20}\d{1,3})*`;
/** Matches numbers that belong to the reference before: "v. 10", "chapter 4", "see 7:4", "7:4-12". Not "at 7:30". */
const bareNumbers = new RegExp(
  [
    String.raw`(?<![\p{L}\p{N}])(?:v|vv|vers?|verses?)\.?\s{0,20}(?<verses>${numberList})(?![\d:])`,
    String.raw`(?<![\p{L}\p{N}])(?:ch|chaps?|chapters?)\.?\s{0,20}(?<chapters>${numberList}(?::${numberList})?)(?![\d:])`,
    String.raw`(?:(?<=(?:\(|(?<!\p{L})(?:see|cf\.?|compare|also|read|without|and in|v[eé]ase|ver|comp[aá]rese|tambi[eé]n|lee|sin|y en)\s{1,3})\s{0,3})\d{1,3}:${numberList}|(?<![\d:]|(?:at|from|las|de|till?|until|hasta)\s{1,3})\d{1,3}:\d{1,3}\s{0,3}[-,]\s{0,3}${numberList})(?![\d:]|\s{0,3}(?:am|pm|[ap]\.m|h)(?!\p{L}))`,
  ].join('|'),
  'giu',
);

function* versesAfter(plain: NormalizedText, { end, last }: ReadGroup, next: number, shape: TranslationShape) {
  const found: FoundReference[] = [];
  let chapter = last.chapter;
  const context = plain.text.slice(end, Math.min(next, end + contextLength));
  for (const { 0: written, index, groups } of context.matchAll(bareNumbers)) {
    yield;
    if (groups?.['verses'] && chapter === null) continue;
    const numbers = groups?.['verses'] ? `${chapter}:${groups['verses']}` : (groups?.['chapters'] ?? written);
    const group = { start: end + index, end: end + index + written.length };
    const read = readGroup(plain, group, shape, `${bookName(last.book, 'eng')} ${numbers}`);
    if (!read || (!groups?.['verses'] && read.found.status !== 'OK')) continue;
    found.push(read.found);
    ({ chapter } = read.last);
  }
  return found;
}

/**
 * Yields the likely references of each part. A group that begins before the overlap also ends in its part. The next
 * part begins at the first group in the overlap or at `lastWordStart`, the earlier, but after this part's last group.
 */
function* groupsByPart(text: string, parser: PassageParser): Generator<Group[]> {
  // The parser's time grows with the square of the number of open brackets: 133 times "Ps 1 (" take half a second.
  const readable = text.replace(/[()[\]]/g, '|');
  for (let from = 0; from < text.length; ) {
    const part = readable.slice(from, from + partLength);
    const isLast = from + part.length === text.length;
    // A part without digits has no reference, because in running text a book's name counts only with a number.
    const groups = /\d/.test(part) ? groupByBook(parser.read(part, { prose: true }), part) : [];
    const complete = isLast ? groups : groups.filter(({ start }) => start < partLength - partOverlap);
    const offset = from;
    yield complete
      .filter((group) => isLikelyReference(group, part))
      .map(({ start, end }) => ({ start: offset + start, end: offset + endOfRange(part, start, end) }));
    const next = groups[complete.length]?.start ?? part.length;
    from += isLast ? part.length : Math.max(complete.at(-1)?.end ?? 0, Math.min(next, lastWordStart(part)));
  }
}

/** The parser stops at "18" in "Mt 13,3-9.18-23", so the end is moved to the end of the range. */
const endOfRange = (text: string, start: number, end: number): number =>
  /,\d+-\d+\.\d+$/.test(text.slice(start, end))
    ? end + (/^-\d{1,3}(?!\d)/.exec(text.slice(end, end + 5))?.[0].length ?? 0)
    : end;

/** Returns the start of the last word that leaves `referenceLimits.length` units of the part, or else this bound. */
function lastWordStart(part: string): number {
  const end = partLength - referenceLimits.length;
  const words = /^.*\s/su.exec(part.slice(partLength - partOverlap, end));
  return words ? partLength - partOverlap + words[0].length : end;
}

/** Joins spans to groups that begin with a book: "Rom 8:28-30" and "; 12:1". `referenceLimits.length` ends a group. */
function groupByBook(parsedSpans: readonly ParsedSpan[], text: string): ParsedSpan[] {
  const groups: ParsedSpan[] = [];
  let isOpen = false;
  for (const [index, parsed] of parsedSpans.entries()) {
    const last = groups.at(-1);
    const before = parsedSpans[index - 1];
    if (parsed.namesBook) {
      groups.push({ ...parsed });
      isOpen = true;
    } else if (last && isOpen) {
      // "John 3:16 2 dogs" is John 3:16. "John 3:16-1" is not a range, so the reference ends before the dash.
      isOpen =
        /\S/.test(text.slice(last.end, parsed.start)) &&
        !(before && isAfterDash(before, parsed, text)) &&
        parsed.end - last.start <= referenceLimits.length;
      if (isOpen) last.end = parsed.end;
    }
  }
  return groups;
}

// Abbreviations in one language that are common words in another, such as "no" (Numbers) and "de" (Deuteronomy).
const neverNames = new Set(
  'at no can why room ed pag son yo este esta estar esa era de et dal bin im mit nach'.split(' '),
);
// Abbreviations and titles that are also ordinary words: "is" (Isaiah), "mar" (Mark, or March).
const ordinaryWords = new Set(
  'is am so he ha la le mi ti ma na ne es est os da je l num ob ces act song songs number king kings jan mar bar bel man sir wisdom'.split(
    ' ',
  ),
);

/** Returns whether a name probably belongs to a reference. A short one needs a verse: "So 3" is none. */
function isLikelyName({ written, length }: FoundName, after: string): boolean {
  const word = foldName(written);
  const isSmall = /\p{Ll}/u.test(written) && !/^\d|\p{Lu}/u.test(written);
  if (isSmall || neverNames.has(word) || ordinaryWords.has(word)) return false;
  const isLong = length > 2 || /^[\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7af]/.test(written);
  const number = isLong
    ? /^\.?,?\s{0,9}(?:ch(?:ap(?:ter)?)?\.?\s|cap(?:[ií]tulo)?\.?\s)?\d/
    : /^\.?\s{0,9}\d+\s?[:.,]\s?\d/;
  return number.test(after.slice(0, 20));
}

// After these words, the number counts things ("Dan 4 books", "Mark 3 times") or parts ("Acts 2 of the play").
const countedThings =
  /^\s*(?:(?:more|other|different|otr[ao]s|más)\s+)?(?:o'clock|seconds?|minutes?|hours?|days?|weeks?|months?|years?|times|books|copies|interviews|offers|people|men|women|children|kids|friends|dogs|cats|points|goals|dollars|pounds|euros|percent|miles|segundos?|minutos?|horas?|d[ií]as?|semanas?|mes(?:es)?|años?|veces|libros|copias|entrevistas|ofertas|personas|hombres|mujeres|niñ[ao]s|hijos|amigos|perros|gatos|puntos|goles|dólares|pesos|(?:of|de)\s+(?:the|la))(?!\p{L})/iu;

function isLikelyReference({ start, end, span }: ParsedSpan, text: string): boolean {
  if (end - start > referenceLimits.length) return false;
  // The reference from its book on: "chapter 3 of John" begins with other words.
  const fromBook = text
    .slice(start, end)
    .replace(/^(?:ch|\d+(?:st|nd|rd|th)\b).*?\b(?:of|from|in)\s+(?:the\s+book\s+of\s+)?/i, '');
  const name = /\p{L}[^\d]*/u.exec(fromBook.replace(/^\d\.?(?:[ao]|r[ao]|er|n?d[ao])?\s+(?:del?\s+)?/i, ''))?.[0] ?? '';
  const word = foldName(name).replace(/[^\p{L}][^]*$/u, '');
  const isSmall = !/^(?:psalms?|salmos?)$/.test(word) && name.charAt(0) !== name.charAt(0).toUpperCase();
  if (neverNames.has(word)) return false;
  // "Is 7,14" has a verse, because `parseReference` reads this comma as a colon.
  const hasCommaVerse = /^(?:is|am|os)$/.test(word) && /^\p{L}+\.?\s*\d{1,3},\d{1,2}(?!\d)/u.test(fromBook);
  const hasVerse = hasCommaVerse || span.start.verse !== null || span.end.verse !== null;
  if (!hasVerse && countedThings.test(text.slice(end))) return false;
  return hasVerse ? !(isSmall && ordinaryWords.has(word)) : !isSmall && !ordinaryWords.has(word);
}
