import { bookByCode } from './books';
import { restoreNumbers, shrinkNumbers } from './large-numbers';
import type { Leaf, PassageParser } from './passage-parser';
import { originalRange, type PlainText, plainText } from './plain-text';
import { type Reference, referenceLimits, type TooLong, type Unintelligible } from './reference';
import { sharedParser } from './shared-parser';

/**
 * Reads a whole text as a reference, in any of 50 languages. `language` (ISO 639-3) is the translation's: it decides only how a
 * comma between numbers is meant. One part that is not understood spoils the whole, and is named.
 */
export function parseReference(text: string, language = 'eng'): Reference | TooLong | Unintelligible {
  if (text.length > referenceLimits.length) return { kind: 'too-long' };
  const parser = sharedParser();
  const plain = plainText(text);
  const { text: shrunk, large } = shrinkNumbers(plain.text);
  const prepared = regular(shrunk);
  const leaves = readLeaves(prepared, language, parser);
  const part = leaves.length === 0 ? firstPart(text) : unreadPart(plain, prepared, leaves);
  if (part !== null) return { kind: 'unintelligible', part: wellFormed(part), reason: 'book not found' };
  const meant = leaves.filter((leaf, index) => !onlyLeadsTo(leaf, leaves[index + 1]));
  return { kind: 'reference', spans: meant.map(({ span }) => restoreNumbers(span, large)) };
}

/** `John, 3:16` and `John 3, verse 16` do not ask for all of John, nor for all of the chapter. */
function onlyLeadsTo({ span: { start, end }, bookAlone }: Leaf, next: Leaf | undefined): boolean {
  if (!next || next.opensBook) return false;
  const isChapter =
    start.chapter !== null && start.chapter === end.chapter && end.verse === null && start.book === end.book;
  return bookAlone || (isChapter && next.opensVerse);
}

function readLeaves(text: string, language: string, parser: PassageParser): Leaf[] {
  if (!commaMayBeColon(text)) return parser.read(text);
  // John 3,16 are two chapters to an English reader and a verse to a Spanish one; names that both share go by the translation.
  if (parser.isEnglish(text) && !(language === 'spa' && parser.isSpanish(text))) return parser.read(text);
  const leaves = parser.read(fullStopsBetweenVerses(text), { commaIsColon: true });
  // Judas 3,5 can only be two verses: the book has one chapter.
  const impossible = leaves.some(
    ({ span: { start } }) => bookByCode(start.book).singleChapter && start.chapter !== null && start.chapter > 1,
  );
  return impossible ? parser.read(text) : leaves;
}

const commaMayBeColon = (text: string): boolean => !text.includes(':') && /\d\s*([,.])\s*\d/.exec(text)?.[1] === ',';

/** `3,16,18` -> `3,16.18`: once a comma has parted chapter from verse, the next ones part verses. */
const fullStopsBetweenVerses = (text: string): string =>
  text.replace(
    /(\d\s*,\s*\d+[a-e]?)((?:\s*[-,]\s*\d+[a-e]?)+)/gi,
    (_, first: string, rest: string) => first + rest.replaceAll(',', '.'),
  );

const word = (alternatives: string): RegExp =>
  new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${alternatives})(?=\s*\d)`, 'giu');

// The parser knows these in English alone. Each gives way to its English word or sign, blanks filling up its length.
const regularities: readonly (readonly [RegExp, string])[] = [
  [/(?<=\d\s*)ss(?![\p{L}\p{N}])/giu, 'ff'],
  [/(?<=\d)s(?![\p{L}\p{N}])/giu, 'f'],
  [word(String.raw`cap[ií]tulos?|caps?\.?|chapitres?|kapitel|kap\.?`), 'ch'],
  [/(?<=(?<!\p{L})ch\s*\d+\s+)del?(?=\s+\p{L})/giu, 'of'],
  [word(String.raw`vers[ií]culos?|versets?|vers\.?`), 'v'],
  [/(?<=\d[a-e]?\s+)(?:y|e|et|und)(?=\s)/giu, '&'],
  [/(?<=\d\s+)(?:al?|hasta|bis|até|à)(?=\s+\d)/giu, '-'],
  [/\[/g, '('],
  [/\]/g, ')'],
  // "the book of Genesis", "Epístola a los Romanos", "Evangelio según San Juan": the name alone is what it reads best. The
  // Letter of Jeremiah is a book of its own, which we do not have.
  [
    /(?<![\p{L}\p{N}])(?:(?:the|el|la)\s+)?(?:book|gospel|letter|epistle|libro|evangelio|carta|ep[ií]stola)s?\s+(?:of|to|according\s+to|de|del|a|seg[uú]n)\s+(?:(?:the|l[ao]s|la|san|st\.?|saint)\s+)?(?!jerem)(?=\p{L})/giu,
    '',
  ],
];

/** The text in the words that the parser knows, each unit still in its place. */
function regular(text: string): string {
  return regularities.reduce(
    (text, [pattern, meant]) => text.replace(pattern, (said) => meant.padEnd(said.length)),
    text,
  );
}

const separators = String.raw`[\s,;:/&+.()\[\]"'«»“”‘’*~-]`;
const joiningWords = 'and|see|also|cf|compare|y|e|et|und|véase|ver|véanse|también|siehe|vgl|voir';
const nothingSaid = new RegExp(
  String.raw`^(?:${separators}|(?<![\p{L}\p{N}])(?:${joiningWords})(?![\p{L}\p{N}]))*$`,
  'iu',
);
const outerSeparators = new RegExp(`^${separators}+|${separators}+$`, 'gu');

function unreadPart(plain: PlainText, prepared: string, leaves: readonly Leaf[]): string | null {
  let read = 0;
  for (const leaf of [...leaves, null]) {
    const from = leaf?.start ?? prepared.length;
    const gap = prepared.slice(read, from);
    if (!nothingSaid.test(gap)) {
      // "Wisdom of Solomon 3" is one part, though "Solomon 3" alone would be a reference.
      const joined = leaf?.opensBook === true && !/[;,]\s*$/.test(gap);
      const { start, end } = originalRange(plain, read, joined ? leaf.end : from);
      return firstPart(plain.original.slice(start, end));
    }
    read = Math.max(read, leaf?.end ?? 0);
  }
  return null;
}

/** The first of the parts between semicolons that says anything, without the separators around it. */
function firstPart(text: string): string {
  const parts = text.split(';').map((part) => part.replace(outerSeparators, ''));
  return parts.find((part) => !nothingSaid.test(part)) ?? text.trim();
}

/** Lone surrogates have no UTF-8, so they may not stand in an answer. */
const wellFormed = (text: string): string => text.replace(/\p{Cs}/gu, '\ufffd');
