import type { Book, BookCode, Place } from '@lectern/canon';
import { bookName, findBook, foldName, ordinalParts } from '@lectern/canon';
import type { WordTag } from '@lectern/corpus';
import { alphabetical } from './surface-forms';
import type { IndexedWord } from './verse-encoding';
import { decodeTags, decodeWords } from './verse-encoding';

export interface TranslationRow {
  number: number;
  identifier: string;
  language: string;
  books: string;
}

/** An edition as the index knows it. */
export interface IndexedTranslation {
  /** Its number in the file. */
  readonly number: number;
  readonly identifier: string;
  /** ISO 639-3. */
  readonly language: string;
  bookName(code: BookCode): string;
  /** Null for a text that names no book, or more than one. */
  findBook(text: string): Book | null;
  /** Compares words by the alphabet of its language. */
  compare(a: string, b: string): number;
}

export function indexedTranslation({ number, identifier, language, books }: TranslationRow): IndexedTranslation {
  const names = new Map(JSON.parse(books) as [BookCode, string][]);
  const codes = new Map(Array.from(names, ([code, name]) => [foldName(name), code]));
  return {
    number,
    identifier,
    language,
    bookName: (code) => names.get(code) ?? bookName(code, language),
    findBook: (text) => findBook(text, language, codes),
    compare: alphabetical(language),
  };
}

export interface VerseRow {
  ordinal: number;
  text: string;
  words: Buffer;
  tags: Buffer | null;
}

/** A verse with its words and tags, which are unpacked when somebody asks for them. */
export interface IndexedVerse extends Place {
  readonly edition: IndexedTranslation;
  readonly text: string;
  words(): readonly IndexedWord[];
  /** Sorted by start; empty when the verse is untagged. */
  tags(): readonly WordTag[];
}

export function indexedVerse(edition: IndexedTranslation, { ordinal, text, words, tags }: VerseRow): IndexedVerse {
  const place = ordinalParts(ordinal);
  if (!place) throw new Error(`no verse has the number ${ordinal}`);
  let unpackedWords: readonly IndexedWord[] | undefined;
  let unpackedTags: readonly WordTag[] | undefined;
  return {
    ...place,
    edition,
    text,
    words: () => (unpackedWords ??= decodeWords(words)),
    tags: () => (unpackedTags ??= tags === null ? [] : decodeTags(tags)),
  };
}
