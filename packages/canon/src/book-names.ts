import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { type BookCode, bookNames, books, isBookCode } from './books';
import { foldName } from './normalize-text';
import { isWordOf, readTable, spokenWords } from './reference-words';

/** A word, a number or a character of Chinese, Japanese or Korean, whose words are not separated. */
export interface Token {
  start: number;
  end: number;
  /** In lower case, with accents, because `Jo` is John and `Jó` is Job in Portuguese. */
  exact: string;
  /** Without accents. */
  folded: string;
}

export interface FoundName {
  code: BookCode;
  start: number;
  end: number;
  /** The index of the first token after the name. */
  next: number;
  /** Whether the name is one of a language other than English. Then a comma after a chapter starts a verse. */
  isForeign: boolean;
  /** Whether the name is one of the names in responses, which the package knows. */
  isServed: boolean;
  written: string;
  /** The number of characters of the name without spaces and punctuation. */
  length: number;
}

// A Hebrew abbreviation keeps its mark: מל״א is 1 Kings, מלא׳ is Malachi.
const tokenPattern =
  /[\u05d0-\u05ea]{1,4}["\u05f4][\u05d0-\u05ea](?![\u05d0-\u05ea])|\p{Nd}+|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u30fc]\p{M}*|(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u30fc])[\p{L}\p{M}])+/gu;

export function tokensOf(text: string): Token[] {
  const isAscii = /^[\x20-\x7e]*$/.test(text);
  return Array.from(text.matchAll(isAscii ? /\d+|[a-z]+/gi : tokenPattern), ({ 0: written, index }) => {
    const exact = written.toLowerCase().replace('"', '\u05f4');
    return { start: index, end: index + written.length, exact, folded: isAscii ? exact : foldName(exact) };
  });
}

type NameTable = ReadonlyMap<string, BookCode>;

/** The names of books, most important first: those of a translation, of its language, English ones, all others. */
export interface BookNames {
  language: string;
  own: NameTable;
}

/** The maximum number of tokens of a name, and of characters between two. `テサロニケの信徒への手紙一` has 13 tokens. */
const [maxTokens, maxGap] = [20, 3];

/** Finds books by their names. A name without its accents never replaces another name, and a letter without is none. */
function createTable(named: readonly (readonly [code: BookCode, name: string])[]): NameTable {
  const table = new Map<string, BookCode>();
  for (const form of ['exact', 'folded'] as const)
    for (const [code, name] of named) {
      const tokens = tokensOf(name.normalize('NFC'));
      const number = spokenWords().ordinals.get(tokens[0]?.folded ?? '');
      const others = tokens.slice(1).filter(({ folded }) => !isWordOf('within', folded));
      const keys = [tokens, ...(number ? [[{ exact: number, folded: number }, ...others]] : [])];
      for (const key of keys.map((parts) => parts.map((token) => token[form]).join('')))
        if (/\D/.test(key) && !table.has(key) && (form === 'exact' || key.length > 1)) table.set(key, code);
    }
  return table;
}

/** Leaves out the names of a translation in another language that are all English: its source has none. */
export function createNames(language: string, named: readonly (readonly [BookCode, string])[] = []): BookNames {
  const hasOwn = language === 'eng' || named.some(([code, name]) => bookNames.eng.get(code) !== name);
  return { language, own: createTable(hasOwn ? named : []) };
}

let tables: ReadonlyMap<string, NameTable> | undefined;

/** Reads the names and abbreviations of all languages (ISO 639-3) when they are first needed. */
function allTables(): ReadonlyMap<string, NameTable> {
  tables ??= new Map(
    readdirSync(join(__dirname, '..', 'book-names')).map((file) => {
      const rows = readTable(join('book-names', file));
      const named = rows.flatMap(([code = '', names = '']) =>
        isBookCode(code) ? names.split('|').map((name) => [code, name] as const) : [],
      );
      return [file.replace('.tsv', ''), createTable(named)];
    }),
  );
  return tables;
}

const languageTable = (language: string): NameTable => allTables().get(language) ?? new Map();

let commonNames: ReadonlyMap<string, BookCode> | undefined;

/** Returns the names of all languages, without those that mean different books. The package decides about these. */
function allLanguages(): ReadonlyMap<string, BookCode> {
  if (commonNames) return commonNames;
  const common = new Map<string, BookCode>();
  const ambiguous = new Set<string>();
  for (const table of allTables().values())
    for (const [name, code] of table)
      if ((common.get(name) ?? code) === code) common.set(name, code);
      else ambiguous.add(name);
  for (const name of ambiguous) common.delete(name);
  return (commonNames = common);
}

/** The minimum length of a beginning of a name that counts as an abbreviation. In Hebrew, two letters may be a number. */
const minBeginning = (key: string): number => (/[\u05d0-\u05ea]/.test(key) ? 3 : 2);

/** Returns the only book whose name begins with a text, such as `1 Цар` for `1-я Царств`. Leaves out short names. */
function beginningOf(table: NameTable, key: string, minName: number): BookCode | undefined {
  if (key.replace(/^\d/, '').length < minBeginning(key)) return undefined;
  let found: BookCode | undefined;
  for (const [name, code] of table) {
    if (name.length < minName || !name.startsWith(key)) continue;
    if (found && found !== code) return undefined;
    found = code;
  }
  return found;
}

/** Returns the book that a name or, if `mayBegin`, the beginning of a name means. */
function meaningOf(key: string, { language, own }: BookNames, mayBegin: boolean) {
  const isForeign = language !== 'eng';
  for (const table of isForeign ? [own, languageTable(language)] : [own]) {
    const code =
      table.get(key) ?? (mayBegin ? beginningOf(table, key, table === own || /[^\da-z]/.test(key) ? 0 : 5) : undefined);
    if (code) return { code, isForeign };
  }
  const english = languageTable('eng').get(key);
  if (english) return { code: english, isForeign: false };
  const other = allLanguages().get(key);
  return other && { code: other, isForeign: true };
}

const lowered = (text: string): string => text.toLowerCase().replace(/\s+/g, ' ');
const servedNames: ReadonlySet<string> = new Set(
  Object.values(bookNames).flatMap((names) =>
    books.flatMap(({ code }) => [foldName, lowered].map((fold) => `${code} ${fold(names.get(code) ?? '')}`)),
  ),
);

/** Returns whether a name may end before a token: not if a word follows, as in `Jean Baptiste`. */
function endsName(text: string, name: { start: number; end: number }, next: Token | undefined): boolean {
  const rest = text.slice(name.end, name.end + 12);
  const last = text.slice(name.start, name.end);
  // In `Psalm 151:2`, `约三16` and `יוחנן א:א`, the number belongs to the reference.
  if (/\d$|[一二三四]$|(?<!\p{L})[א-ד]$/u.test(last) && !/^\s*$|^\s+[\d\p{L}]/u.test(rest))
    return /[一二三四]$/u.test(last) && /^\d{1,3}\s*[:章]/u.test(rest);
  if (!next || /^\d/.test(next.folded) || /[^\s.]/.test(text.slice(name.end, next.start))) return true;
  const { folded } = next;
  const { numbers, links } = spokenWords();
  return (
    isWordOf('place', folded) ||
    isWordOf('after', folded) ||
    links.has(folded) ||
    numbers.has(folded) ||
    /^(?:[ivxlc]+|[第〇零一二三四五六七八九十廿卅百]|[א-ת]{1,3}(?:\u05f4[א-ת])?)$/u.test(folded)
  );
}

/** Returns the longest name that begins at a token, or null. */
export function nameAt(
  text: string,
  tokens: readonly Token[],
  from: number,
  names: BookNames,
  exactly = false,
): FoundName | null {
  const first = tokens[from];
  if (!first) return null;
  const number = spokenWords().ordinals.get(first.folded);
  const starts = [{ exact: first.exact, folded: first.folded }, ...(number ? [{ exact: number, folded: number }] : [])];
  let found: FoundName | null = null;
  for (const [variant, key] of starts.entries())
    for (let at = from; at < from + maxTokens; at += 1) {
      const token = tokens[at];
      const gap = at === from ? '' : text.slice(tokens[at - 1]?.end ?? 0, token?.start ?? 0);
      if (!token || gap.length > maxGap || /[;:,]/.test(gap)) break;
      const isFirst = at === from;
      const isAfterNumber = !isFirst && variant === 1 && key.exact === number;
      if (isAfterNumber && isWordOf('within', token.folded)) continue;
      // "1-John" in "2.1-John 2.25" is no book, but "1-я" is a number.
      if (isAfterNumber && gap.includes('-') && at === from + 1) break;
      if (!isFirst) {
        key.exact += token.exact;
        key.folded += token.folded;
      }
      const next = tokens[at + 1]?.folded;
      // The numeral in `1 Cor. I` is a chapter.
      const isNumber = /^\d/.test(token.folded) || (!isFirst && /^[ivxlc]+$/.test(token.folded));
      const mayBegin = !exactly && !isNumber && (next === undefined || /^[\dא-ת]/.test(next));
      const meaning =
        meaningOf(key.exact, names, mayBegin) ??
        (key.exact === key.folded ? undefined : meaningOf(key.folded, names, mayBegin));
      const { start } = first;
      const closes = text[token.end] === ')' && text.slice(start, token.end).includes('(');
      // The sign ׳ marks an abbreviation.
      const end = token.end + (closes || text[token.end] === '\u05f3' ? 1 : 0);
      if (!meaning || (found && found.next > at) || !endsName(text, { start, end }, tokens[at + 1])) continue;
      const written = text.slice(start, end);
      const isServed = servedNames.has(`${meaning.code} ${lowered(written)}`);
      found = { ...meaning, start, end, written, next: at + 1, isServed, length: key.folded.length };
    }
  return found;
}
