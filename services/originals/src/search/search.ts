import { bookByCode, findBook, firstIndexFrom, maxBookListLength, ordinalParts, parseBookList } from '@lectern/canon';
import { errors } from '@lectern/errors';
import { clampFirst } from '@lectern/subgraph';
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

/** The result of a search: all its verses, and where the requested page starts. */
export interface SearchResult {
  /** The numbers of the verses, in canonical order. */
  readonly verses: readonly number[];
  /** The numbers of the matching words in all verses, in ascending order. */
  readonly matches: Uint32Array;
  /** Returns whether a word matches as written. If not, the words that are read aloud in its place (qere) match. */
  readonly isWritten: (word: number) => boolean;
  readonly start: number;
  readonly limit: number;
}

const maxWords = 5;
const defaultWithin = 5;
const maxWithin = 100;
const defaultFirst = 25;
const maxFirst = 100;
/** The number of verses that are searched, in 0.1 to 3 ms, before other requests may run. */
const versesPerStep = 500;
/** An upper bound for the words of `versesPerStep` verses. A verse has at most 58 words. */
const maxWordsPerStep = 50_000;

export function createSearch(db: Database, reader: OriginalsReader) {
  const filterOf = createWordFilters(db, reader);
  const { form: forms, lemma: lemmas, parsing: parsings } = reader.columns;
  const qere = [...reader.qere].filter(([, read]) => read.length > 0);
  const qereWords = Uint32Array.from(qere, ([word]) => word);

  /** Creates the functions that find which filters a word passes, as bits. */
  function createMarker(filters: readonly WordFilter[]) {
    const all = (1 << filters.length) - 1;
    const ofForm = bitsOf(filters, 'forms', reader.forms.count + 1);
    const ofLemma = bitsOf(filters, 'lemmas', reader.lemmaCount + 1);
    const ofParsing = bitsOf(filters, 'parsings', reader.grammars.length);
    const bitsOfWord = (form: number, lemma: number, parsing: number): number =>
      all & (ofForm?.[form] ?? all) & (ofLemma?.[lemma] ?? all) & (ofParsing?.[parsing] ?? all);
    /** Marks the words from `from` to before `to`. A word also passes if its qere, which is read in its place, does. */
    function markWords(marks: Uint8Array, from: number, to: number): void {
      const count = to - from;
      if (ofParsing)
        for (let word = 0; word < count; word += 1) marks[word] = ofParsing[parsings[from + word] ?? 0] ?? 0;
      else marks.fill(all, 0, count);
      if (ofLemma)
        for (let word = 0; word < count; word += 1)
          marks[word] = (marks[word] ?? 0) & (ofLemma[lemmas[from + word] ?? 0] ?? 0);
      if (ofForm)
        for (let word = 0; word < count; word += 1)
          marks[word] = (marks[word] ?? 0) & (ofForm[forms[from + word] ?? 0] ?? 0);
      for (let index = firstIndexFrom(qereWords, from + 1); (qereWords[index] ?? Infinity) <= to; index += 1) {
        const [number, read] = qere[index] ?? [0, []];
        for (const { form, lemma, parsing } of read)
          marks[number - 1 - from] = (marks[number - 1 - from] ?? 0) | bitsOfWord(form, lemma, parsing);
      }
    }
    const isWritten = (word: number): boolean =>
      bitsOfWord(forms[word - 1] ?? 0, lemmas[word - 1] ?? 0, parsings[word - 1] ?? 0) !== 0;
    return { markWords, isWritten };
  }

  /** Yields between two steps. Throws `badUserInput`, `bookNotFound`, `tooLong` or `invalidCursor`. */
  function* search(args: SearchArguments): Generator<void, SearchResult> {
    const { words, ordered, withinWords, first, after } = args;
    if (words.length === 0 || words.length > maxWords)
      throw errors.badUserInput(`words must have 1 to ${maxWords} words, but has ${words.length}`);
    const filters = words.map((word, index) => filterOf(word, `words[${index}]`));
    const { from, to, isInScope } = scopeOf(args, filters, reader);
    const within = Math.min(Math.max(withinWords ?? defaultWithin, 1), maxWithin);
    const { markWords, isWritten } = createMarker(filters);
    const findMatches = createMatcher(filters.length, { within, ordered: ordered === true });
    const verses: number[] = [];
    // The array has room for all words. The operating system reserves memory only for the part that is written.
    const matches = new Uint32Array(forms.length + 1);
    let matchCount = 0;
    const [marks, hits] = [new Uint8Array(maxWordsPerStep), new Uint8Array(maxWordsPerStep)];
    const { firstWord } = reader;
    for (let next = from; next < to; next += versesPerStep) {
      const end = Math.min(next + versesPerStep, to);
      const [start, count] = [firstWord(next), firstWord(end) - firstWord(next)];
      markWords(marks, start - 1, start - 1 + count);
      hits.fill(0, 0, count);
      for (let number = next; number < end; number += 1)
        if (isInScope(number) && findMatches(marks, firstWord(number) - start, firstWord(number + 1) - start, hits))
          verses.push(number);
      for (let word = 0; word < count; word += 1) {
        matches[matchCount] = start + word;
        matchCount += hits[word] ?? 0;
      }
      yield;
    }
    return {
      verses,
      matches: matches.subarray(0, matchCount),
      isWritten,
      start: after ? startAfter(after, verses) : 0,
      limit: clampFirst(first, defaultFirst, maxFirst),
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

  return { search };
}

/** Returns the bits of the filters that each form, lemma or parsing passes. Null if all pass every filter. */
function bitsOf(filters: readonly WordFilter[], key: 'forms' | 'lemmas' | 'parsings', size: number) {
  if (filters.every(({ [key]: wanted }) => wanted === null)) return null;
  let ofAll = 0;
  for (const [bit, { [key]: wanted }] of filters.entries()) if (wanted === null) ofAll |= 1 << bit;
  const bits = new Uint8Array(size).fill(ofAll);
  for (const [bit, { [key]: wanted }] of filters.entries())
    for (let number = 0; number < (wanted?.length ?? 0); number += 1)
      bits[number] = (bits[number] ?? 0) | ((wanted?.[number] ?? 0) << bit);
  return bits;
}

/** A verse must pass all filters. Throws if these filters and the words imply two languages. */
function scopeOf(args: SearchArguments, filters: readonly WordFilter[], reader: OriginalsReader) {
  const { books, testament } = args;
  const text = findText(args.text, reader.texts);
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
  const of = implied && reader.texts.find(({ language }) => language === implied?.language);
  const all = { from: 1, to: implied && !of ? 1 : reader.verseCount + 1 };
  return {
    // Only the verses from `from` to before `to` are read, and `isInScope` selects verses among these.
    ...(of ? reader.versesOfText(of) : all),
    isInScope: (number: number): boolean =>
      positions.size === 0 || positions.has(Math.floor(reader.ordinal(number) / 1_000_000)),
  };
}

function findText(id: string | null | undefined, texts: readonly OriginalText[]): OriginalText | null {
  if (id === null || id === undefined) return null;
  const text = texts.find((each) => each.id === id);
  if (!text)
    throw errors.badUserInput(`text must be one of ${texts.map((each) => each.id).join(', ') || 'originalTexts'}`);
  return text;
}

/** Writes the cursor of a verse, which has the id of the text and the ordinal of the verse. */
export const writeCursor = (textId: string, ordinal: number): string =>
  Buffer.from(`o1:${textId}:${ordinal}`, 'latin1').toString('base64url');

function parseCursor(cursor: string): { text: string; ordinal: number } | null {
  if (cursor.length > 60) return null;
  const [, text = '', ordinal] =
    /^o1:([a-z0-9-]+):(\d{7,8})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? [];
  return ordinal === undefined ? null : { text, ordinal: Number(ordinal) };
}
