import { type NormalizedText, type Replacement, replaceRanges } from './normalize-text';

/** Rewrites Roman numerals, two numbers of one Psalm and words such as "capítulo". Less in `prose`. */
export const rewriteForParser = (plain: NormalizedText, { prose = false } = {}): NormalizedText => {
  const { text, ...positions } = replaceRomanNumerals(plain, prose);
  return { ...positions, text: replaceWords(text) };
};

const romanNumeral =
  /(?<![\p{L}\p{N}])([ivxl]|[ivxlc]{2,7})(?![\p{L}\p{N}])(?:\s{0,3}[.:,](?=\s{0,3}\d)|\.(?=\s{0,3}-))?/giu;
const validRoman = /^c?(?:x[lc]|l?x{0,3})(?:i[xv]|v?i{0,3})$/i;
const romanValues = { i: 1, v: 5, x: 10, l: 50, c: 100 };
/** The highest chapter number of any book: Psalms has 150 chapters. */
const maxChapter = 150;
const singleChapterBook =
  /(?:jude?|judas|philemon|filem[oó]n|phm|obadiah|abd[ií]as|oba|[23i]\s*(?:jn|john|juan))\.?\s+$/iu;
/** The maximum length of the text before a Roman numeral that is searched for a reason to read it as a chapter. */
const contextLength = 20;

/**
 * Replaces Roman numerals of chapters: "Ps. cxix. 105" becomes "Ps. 119: 105". Such a numeral stands between a word and
 * no other word, or after a chapter. In a book with one chapter, "v. 3" is verse 3.
 */
function replaceRomanNumerals(plain: NormalizedText, isProse: boolean): NormalizedText {
  const { text } = plain;
  const replacements: Replacement[] = [];
  for (const match of text.matchAll(romanNumeral)) {
    const value = romanValue(match[1] ?? '');
    const at = replacements.at(-1)?.end ?? 0;
    const isInList =
      at > 0 && match.index - at <= contextLength && /^[\s\d.:,;&-]*[;,-]\s*$/.test(text.slice(at, match.index));
    if (value === null || !(isInList || isChapter(text, match, isProse))) continue;
    const end = match.index + match[0].length;
    const digits = /[.:,]$/.test(match[0]) && text[end] !== '-' ? `${value}:` : `${value}`;
    replacements.push({ start: match.index, end, text: digits });
  }
  return replaceRanges(plain, replacements);
}

function romanValue(numeral: string): number | null {
  if (!validRoman.test(numeral)) return null;
  const values = Array.from(numeral.toLowerCase(), (letter) => romanValues[letter as keyof typeof romanValues]);
  const value = values.reduce((sum, each, index) => (each < (values[index + 1] ?? 0) ? sum - each : sum + each), 0);
  return value <= maxChapter ? value : null;
}

function isChapter(text: string, { 0: written, 1: numeral = '', index }: RegExpExecArray, isProse: boolean): boolean {
  const before = text.slice(Math.max(0, index - contextLength), index);
  const word = (isProse ? /(?<!\p{L})(\p{L})\p{L}*\.?\s+$/u : /(?<!\p{L})(\p{L})\p{L}*\.?,?\s+$/u).exec(before);
  if (!word || (/^v$/i.test(numeral) && singleChapterBook.test(before))) return false;
  const hasVerse = written.length > numeral.length;
  const after = text.slice(index + written.length, index + written.length + contextLength);
  if (!isProse) return hasVerse || !/^\s*\p{L}/u.test(after);
  // In "John XXIII", "James II", "and I, too" and "LXX" the numeral is no chapter.
  if (/(?:^|[\s(])(?:chap(?:ter)?|ch|cap(?:[ií]tulo)?)\.?\s+$/i.test(before)) return true;
  const isName = word[1] !== word[1]?.toLowerCase();
  return (
    isName && (hasVerse || (/^[ivxlc]{2,}$/.test(numeral) && numeral !== 'lxx' && /^\s*(?:[.,;:)-]|$)/.test(after)))
  );
}

const wordBeforeNumber = (alternatives: string): RegExp =>
  new RegExp(String.raw`(?<![\p{L}\p{N}])(?:${alternatives})(?=\s*\d)`, 'giu');

const translation =
  '(?:KJV|AKJV|NKJV|AV|ASV|RSV|NRSV|NASB|NIV|ESV|CSB|HCSB|NLT|NET|CEV|GNT|NAB|NABRE|MSG|AMP|WEB|YLT|RVR?(?:19)?(?:09|60|95)?|RVA|RVC|NVI|LBLA|NBLA|NTV|DHH|TLA|NBV|PDT|BLP|BJ|ARC|ARA|ACF|NVT|NAA|NTLH|CEI|LND|EÜ|LUT|ELB|HFA|SLT|LSG|BDS|S21|HSV|SV|NBG)';

// The words and brackets that the parser does not know, or knows only in English, with their replacements. A
// look-behind allows at most 20 blanks, because without a limit its time grows with the square of their number.
const wordReplacements: readonly (readonly [RegExp, string])[] = [
  // Rewrites "Juan 3:16 y ss." (y siguientes) as "Juan 3:16ff", and "Juan 3:16s" as "Juan 3:16f".
  [
    /(?<=\d[a-e]?\s{0,20})(?:(?:y|e|et|i|и|und)\s{1,3})?(?:ss|e\.?v|en\svolgende|sqq|sgg|segg|seqq|nn|suivants|sigs|siguientes|seguintes|seguenti|folgende|следующие|далее|дальше|сл)(?![\p{L}\p{N}])\.?/giu,
    'ff',
  ],
  [
    /(?<=\d[a-e]?\s{0,3})(?:(?:et\s|y\s|e\s)?(?:suivant|siguiente|seguinte|seguente|sig)|s|sq|sg|seg|suiv|след|n)(?![\p{L}\p{N}])\.?(?=\s{0,20}(?:$|[;,)]))/giu,
    'f',
  ],
  // Rewrites "John 3:16ab" as "John 3:16a", and "John 3:16~18" as "John 3:16-18".
  [/(?<=\d)[a-e]{2,5}(?![\p{L}\p{N}])/giu, 'a'],
  [/(?<=\d[a-e]?\s{0,3})~(?=\s{0,3}\d)/gu, '-'],
  // Leaves out the verse of the refrain, "(R. 2a)", and the number of the reading in an Orthodox lectionary, "(зач. 10)".
  [/(?<=\d[a-f]{0,2}\s{0,3})\((?:r\s?[.:/]|зач)[^()]{1,40}\)/giu, ''],
  // Rewrites "John 3:16-end" and "John 3:16 to the end" as "John 3:16ff".
  [/(?<=\d\s{0,3})(?:-|to\s)\s{0,3}(?:(?:the\s)?end|ende|fin|final|fine|fim|конца?|koniec)(?!\p{L})/giu, 'ff'],
  // Leaves out "s." (German for "see"), and "par." (and parallels).
  [/(?<![\p{L}\p{N}'’])s\.(?=\s{0,3}[\p{L}\d])/gu, ''],
  [
    /(?<=\d[a-f]{0,2}\s{0,3})(?:[,;(]\s{0,3})?(?:(?:and|und|et|e|y)\s{1,3})?(?:parr?|parallels?|parallelen)(?!\p{L})\.?\)?/giu,
    '',
  ],
  // Rewrites "Juan cap. 3" as "Juan ch 3", and "capítulo 3 de Juan" as "ch 3 of Juan".
  [
    wordBeforeNumber(
      String.raw`cap[ií]tulos?|caps?\.?|chapitres?|kapitel|kapitol[ay]|kap\.?|capitol[oi]|глав[аы]|гл\.?|розділ|rozdz(?:iał)?\.?|hoofdstuk|caput`,
    ),
    'ch',
  ],
  // Rewrites "Josué, cap. 1" as "Josué  ch 1".
  [/(?<=\p{L}),(?=\s{1,3}ch(?:apter)?\.?\s{0,20}\d)/giu, ''],
  [/(?<=(?<!\p{L})ch\s{0,20}\d{1,3}\s{1,20})del?(?=\s+\p{L})/giu, 'of'],
  // Rewrites "2 Пар. 36 гл." as "2 Пар. 36".
  [/(?<=\d)\s{0,3}(?:-?й\s)?гл(?:ав[аы])?(?!\p{L})\.?(?!\s{0,3}\d)/gu, ''],
  // Rewrites "Juan 3 versículo 16" as "Juan 3 v 16".
  [
    wordBeforeNumber(
      String.raw`vers[ií]culos?|versets?|versos?|vers\.?|versett[oi]|стих[иа]?|ст\.?|werset(?:y)?|wiersze?|w\.`,
    ),
    'v',
  ],
  // Rewrites "Juan 3:16 y 18" as "Juan 3:16 & 18", and "Juan 3:16 al 18" as "Juan 3:16 - 18".
  [/(?<=\d[a-e]?\s{1,20})(?:y|e|et|und|u\.|i|и|en|og|och|or|oder|ou|oppure|lub|или)(?=\s)/giu, '&'],
  [/(?<=\d\s{1,20})(?:al?|hasta|bis|até|ao?|à|au|to|through|fino\sa|по|до|do|tot|t\/m)(?=\s+(?:\d|\p{Lu}))/gu, '-'],
  // Rewrites "John [3:16]" as "John (3:16)", because the parser does not read on inside square brackets.
  [/\[/g, '('],
  [/\]/g, ')'],
  // Rewrites "Lk 2,(1-14)15" as "Lk 2, 1-14,15", and "Lk 2,1(2-14)15" as "Lk 2,1,2-14,15".
  [/(?<=\d)\((?=\d{1,3}(?:-\d{1,3})?\)\d)/gu, ','],
  [/(?<=\d,\s{0,3})\(/gu, ' '],
  [/(?<=\d)\)(?=\d)/gu, ','],
  // Rewrites "Rom 15,5(7)-13" as "Rom 15,5-13".
  [/(?<=\d)\(\d{1,3}\)(?=\s{0,3}-\s{0,3}\d)/gu, ''],
  // Rewrites "Ps 22(23):1" as "Ps 22:1": the number in parentheses belongs to another numbering.
  [/(?<=\d)\s{0,20}\(\d{1,3}\)(?=\s{0,20}[:,.]\s{0,20}[\dv])/gu, ''],
  // Rewrites "John 3:16 (NIV)" as "John 3:16".
  [
    new RegExp(
      String.raw`(?<=\d[a-f]{0,2}\s{0,3},?\s{0,3})(?:[([]\s*${translation}\s*[)\]]|${translation})(?![\p{L}\p{N}])`,
      'gu',
    ),
    '',
  ],
  [
    /(?<=\d[a-f]?\s{0,3})[,(]\s?(?:\p{Lu}[\p{L}']{2,15}\s){1,4}(?:Version|Translation|Bible)(?:\s\([A-Z\d]{2,8}\))?\)?/gu,
    '',
  ],
  [
    /(?<=\d\s{0,3})[([]?(?:[和新][合译譯]本|思高本?|口語訳|新共同訳|新改訳(?:2017)?|개역개정|개역한글|새번역)[)\]]?/gu,
    '',
  ],
];

/** Matches "Ps 22 (23)", one Psalm in two numberings. The number outside the parentheses counts. */
const twoNumberings =
  /((?<!\p{L})(?:psa?|psalms?|sal|salmos?)\.?\s{0,3})(\d{1,3})(\s{0,3}[([](\d{1,3})[)\]])(?=\s{0,20}(?:$|;))/giu;
const withoutOther = (written: string, name: string, number: string, _: string, inside: string): string =>
  Math.abs(Number(number) - Number(inside)) === 1 ? (name + number).padEnd(written.length) : written;

// The ordinal numbers in order: "first" to "nineteenth", then "twentieth" to "ninetieth".
const ordinals = (
  'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth ' +
  'fifteenth sixteenth seventeenth eighteenth nineteenth'
).split(' ');
const tens = 'zero ten twent thirt fort fift sixt sevent eight ninet'.split(' ');
const ordinalNumber = new RegExp(
  String.raw`(?<!\p{L})(?:the\s{1,9})?(?:(\d{1,3})(?:st|nd|rd|th)|(?:(?:one\s)?(hundred)(?:\sand)?\s)?(?:(${tens.join('|')})(?:ieth|y[\s-]?))?(${ordinals.join('|')})?)\s{1,9}(psalm|chapter)(?!\p{L})`,
  'giu',
);

/** Moves the number behind the noun: "The twenty-third Psalm" becomes "Psalm 23", padded with spaces. */
function nounFirst(written: string, ...groups: (string | undefined)[]): string {
  const [digits, hundred, ten, unit, noun = ''] = groups;
  const number = Number(digits ?? 0) + (hundred ? 100 : 0) + 10 * indexIn(tens, ten) + indexIn(ordinals, unit);
  return number > 0 ? noun + String(number).padStart(written.length - noun.length) : written;
}

const indexIn = (words: readonly string[], word: string | undefined): number =>
  word === undefined ? 0 : words.indexOf(word.toLowerCase());

/** The words for 0 to 19, then for 20, 30 and so on to 90, by language (ISO 639-3). */
export const numberWords = {
  eng: (
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen ' +
    'eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety'
  ).split(' '),
  spa: (
    'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete ' +
    'dieciocho diecinueve veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa'
  ).split(' '),
};

/** Replaces words. Pads each replacement with spaces, so that all other characters keep their positions. */
const replaceWords = (text: string): string =>
  wordReplacements.reduce(
    (replaced, [pattern, replacement]) => replaced.replace(pattern, (written) => replacement.padEnd(written.length)),
    text.replace(ordinalNumber, nounFirst).replace(twoNumberings, withoutOther),
  );
