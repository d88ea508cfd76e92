import { bookByCode, findBook, maxBookListLength, ordinalParts, parseBookList } from '@lectern/canon';
import { errors } from '@lectern/errors';
import type { Database } from 'better-sqlite3';
import type { OriginalsReader } from '../reader';
import type { OriginalText } from '../texts';
import { createMatcher } from './match';
import { createWordFilters, type Implied, joinImplied, type WordFilter, type WordQuery } from './words';

export interface SearchArguments {
  readonly words: readonly WordQuery[];
  readonly text?: string | null;
  readonly books?: string | null;
  readonly testament?: 'OLD' | 'NEW' | null;
  readonly withinWords?: number | null;
  readonly ordered?: boolean | null;
  readonly first?: number | null;
  readonly after?: string | null;
}

/** All verses that a search finds, and the page of them. */
export interface SearchResult {
  /** The numbers of the verses, in canonical order. */
  readonly verses: readonly number[];
  /** The numbers of the matching words of all verses, in their order. */
  readonly matches: readonly number[];
  readonly start: number;
  readonly limit: number;
}

const maxWords = 5;
const defaultWithin = 5;
const maxWithin = 100;
const defaultFirst = 25;
const maxFirst = 100;
/** No verse has so many words. */
const maxVerseWords = 1_000;
/** One step takes 0.1 ms, and three milliseconds in the worst case. */
const versesPerStep = 500;

export function createSearch(db: Database, reader: OriginalsReader) {
  const filterOf = createWordFilters(db, reader);
  const column = db.prepare<[string], { numbers: Buffer }>('SELECT numbers FROM word_column WHERE name = ?');
  const bytesOf = (name: string): ArrayBuffer => new Uint8Array(column.get(name)?.numbers ?? []).buffer;
  const forms = new Uint32Array(bytesOf('form'));
  const lemmas = new Uint16Array(bytesOf('lemma'));
  const parsings = new Uint16Array(bytesOf('parsing'));

  /** Writes the bit of each filter that a word of a verse passes. Returns the bits of all words. */
  function markWords(filters: readonly WordFilter[], first: number, count: number, marks: Uint8Array): number {
    let all = 0;
    marks.fill(0, 0, count);
    for (let bit = 0; bit < filters.length; bit += 1) {
      const { forms: wantedForms, lemmas: wantedLemmas, parsings: wantedParsings } = filters[bit] as WordFilter;
      let isFound = false;
      for (let index = 0; index < count; index += 1) {
        const word = first - 1 + index;
        if (wantedLemmas !== null && wantedLemmas[lemmas[word] ?? 0] !== 1) continue;
        if (wantedForms !== null && wantedForms[forms[word] ?? 0] !== 1) continue;
        if (wantedParsings !== null && wantedParsings[parsings[word] ?? 0] !== 1) continue;
        marks[index] = (marks[index] ?? 0) | (1 << bit);
        isFound = true;
      }
      if (!isFound) return 0;
      all |= 1 << bit;
    }
    return all;
  }

  const selectSurfaces = db.prepare<[string], { surface: string }>(
    "SELECT replace(f.surface, '/', '') AS surface FROM json_each(?) AS list CROSS JOIN form AS f ON f.number = list.value ORDER BY list.key",
  );

  /** Throws `badUserInput`, `bookNotFound`, `tooLong` or `invalidCursor`. */
  function* search(args: SearchArguments): Generator<void, SearchResult> {
    const { words, ordered, withinWords, first, after } = args;
    if (words.length === 0 || words.length > maxWords)
      throw errors.badUserInput(`words must have 1 to ${maxWords} words, but has ${words.length}`);
    const filters = words.map((word, index) => filterOf(word, `words[${index}]`));
    const text = findText(args.text, reader.texts);
    const isInScope = scopeOf(args, text, filters);
    const within = Math.min(Math.max(withinWords ?? defaultWithin, 1), maxWithin);
    const findMatches = createMatcher(filters.length, { within, ordered: ordered === true });
    const [marks, hits] = [new Uint8Array(maxVerseWords), new Uint8Array(maxVerseWords)];
    const verses: number[] = [];
    const matches: number[] = [];
    for (let number = 1; number <= reader.verseCount; number += 1) {
      if (number % versesPerStep === 0) yield;
      if (!isInScope(number)) continue;
      const [firstWord, count] = [reader.firstWord(number), reader.firstWord(number + 1) - reader.firstWord(number)];
      if (markWords(filters, firstWord, count, marks) === 0 || findMatches(marks, count, hits) === 0) continue;
      verses.push(number);
      for (let index = 0; index < count; index += 1) if (hits[index] === 1) matches.push(firstWord + index);
    }
    const start = after ? startAfter(after, verses) : 0;
    return { verses, matches, start, limit: Math.min(Math.max(first ?? defaultFirst, 1), maxFirst) };
  }

  /** Joins the filters of verses by AND. Throws if they and the words imply two languages. */
  function scopeOf({ books, testament }: SearchArguments, text: OriginalText | null, filters: readonly WordFilter[]) {
    let implied: Implied | null = null;
    for (const filter of filters) implied = joinImplied(implied, filter.language);
    if (text) implied = joinImplied(implied, { language: text.language, by: `text '${text.id}'` });
    if (testament)
      implied = joinImplied(implied, { language: testament === 'OLD' ? 'hbo' : 'grc', by: `testament ${testament}` });
    const names = parseBookList(books ?? '');
    if (!names) throw errors.tooLong('books', maxBookListLength);
    const positions = new Set(
      names.map((name) => {
        const book = findBook(name);
        if (!book) throw errors.bookNotFound(name);
        return bookByCode(book.code).position;
      }),
    );
    const textNumber = reader.texts.find(({ language }) => language === implied?.language)?.number ?? 0;
    return (number: number): boolean => {
      if (implied && reader.textOf(number) !== textNumber) return false;
      return positions.size === 0 || positions.has(Math.floor(reader.ordinal(number) / 1_000_000));
    };
  }

  function startAfter(cursor: string, verses: readonly number[]): number {
    const key = parseCursor(cursor);
    const place = key && ordinalParts(key.ordinal);
    const verse = key && place && reader.verse(key.text, place);
    if (!verse) throw errors.invalidCursor();
    const index = verses.findIndex((number) => number > verse.number);
    return index < 0 ? verses.length : index;
  }

  return {
    search,
    /** More than the number of any form. */
    formCount: forms.reduce((max, form) => Math.max(max, form), 0) + 1,
    /** The numbers of the form and of the parsing of a word. */
    formOf: (word: number): number => forms[word - 1] ?? 0,
    parsingOf: (word: number): number => parsings[word - 1] ?? 0,
    surfacesOf: (numbers: readonly number[]): string[] =>
      selectSurfaces.all(JSON.stringify(numbers)).map(({ surface }) => surface),
  };
}

export type OriginalSearch = ReturnType<typeof createSearch>;

function findText(id: string | null | undefined, texts: readonly OriginalText[]): OriginalText | null {
  if (id === null || id === undefined) return null;
  const text = texts.find((each) => each.id === id);
  if (!text)
    throw errors.badUserInput(`text must be one of ${texts.map((each) => each.id).join(', ') || 'originalTexts'}`);
  return text;
}

/** Writes the cursor of a verse: its text and its ordinal. */
export const writeCursor = (textId: string, ordinal: number): string =>
  Buffer.from(`o1:${textId}:${ordinal}`, 'latin1').toString('base64url');

function parseCursor(cursor: string): { text: string; ordinal: number } | null {
  if (cursor.length > 60) return null;
  const [, text = '', ordinal] =
    /^o1:([a-z0-9-]+):(\d{7,8})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  return ordinal === undefined ? null : { text, ordinal: Number(ordinal) };
}
