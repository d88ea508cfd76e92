import { allBooks, type BookCode, bookByCode, isBookCode } from './books';

/** Returns the index of a number in an ascending list, or -1. */
export function indexOfSorted(sorted: ArrayLike<number>, wanted: number): number {
  const index = firstIndexFrom(sorted, wanted);
  return sorted[index] === wanted ? index : -1;
}

/** Returns the index of the first number in an ascending list that is at least `wanted`. */
export function firstIndexFrom(sorted: ArrayLike<number>, wanted: number): number {
  let low = 0;
  for (let high = sorted.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}

declare const brand: unique symbol;

/** The global id of a verse. It is the same in every subgraph, and clients must not interpret it. */
export type VerseId = string & { readonly [brand]: 'VerseId' };

export interface Place {
  book: BookCode;
  chapter: number;
  verse: number;
}

export interface VerseParts extends Place {
  translation: string;
}

const versePattern = /^v1:([a-z0-9-]+)\.([0-9A-Z]{3})\.([1-9][0-9]{0,2})\.([1-9][0-9]{0,2})(?:\.(0|[1-9][0-9]{0,5}))?$/;

export const isTranslationIdentifier = (text: string): boolean => /^[a-z0-9-]{1,100}$/.test(text);

/** Encodes the global id of a verse: base64url of `v1:translation.BOOK.chapter.verse`. */
export const verseId = ({ translation, book, chapter, verse }: VerseParts): VerseId =>
  encode(`v1:${translation}.${book}.${chapter}.${verse}`) as VerseId;

/** Decodes a verse id. Returns null for any text that `verseId` does not produce. */
export function parseVerseId(text: string): VerseParts | null {
  const id = parseId(text);
  return id?.start === null ? id.verse : null;
}

/** Encodes the global id of a word of a verse. `start` is the offset of the word in the verse's text. */
export const verseWordId = ({ translation, book, chapter, verse }: VerseParts, start: number): string =>
  encode(`v1:${translation}.${book}.${chapter}.${verse}.${start}`);

/** Decodes the id of a word. Returns null for any text that `verseWordId` does not produce. */
export function parseVerseWordId(text: string): { verse: VerseParts; start: number } | null {
  const id = parseId(text);
  return id && id.start !== null ? { verse: id.verse, start: id.start } : null;
}

function parseId(text: string): { verse: VerseParts; start: number | null } | null {
  if (!/^[A-Za-z0-9_-]{1,200}$/.test(text) || text.length % 4 === 1) return null;
  const match = versePattern.exec(atob(text.replaceAll('-', '+').replaceAll('_', '/')));
  if (!match) return null;
  const [, translation = '', book = '', chapter, number, wordStart] = match;
  if (!isBookCode(book)) return null;
  const verse = { translation, book, chapter: Number(chapter), verse: Number(number) };
  const start = wordStart === undefined ? null : Number(wordStart);
  // Base64 text has unused bits. Other texts with the same parts are rejected, so that a verse has one id in caches.
  return (start === null ? verseId(verse) : verseWordId(verse, start)) === text ? { verse, start } : null;
}

/** Returns the global id of a translation. No field of the API takes this id. */
export const translationId = (identifier: string): string => encode(`v1:translation:${identifier}`);

/** Returns the global id of a book, which is the same in every translation. No field of the API takes this id. */
export const bookId = (code: BookCode): string => encode(`v1:book:${code}`);

/** Parses a place in Lectern's own tables, such as `JHN 3:16`. Returns null for any other text. */
export function parsePlace(text: string): Place | null {
  const [, book = '', chapter, verse] = /^(\w{3}) (\d+):(\d+)$/.exec(text) ?? [];
  return isBookCode(book) ? { book, chapter: Number(chapter), verse: Number(verse) } : null;
}

export const formatPlace = ({ book, chapter, verse }: Place): string => `${book} ${chapter}:${verse}`;

/** Returns a number that sorts verses in canonical order. The ordinal of JHN 3:16 is 43003016. */
export const verseOrdinal = ({ book, chapter, verse }: Place): number =>
  bookByCode(book).position * 1_000_000 + chapter * 1_000 + verse;

/** Returns the place of an ordinal. The verse may not exist. Returns null if no book has the position. */
export function ordinalParts(ordinal: number): Place | null {
  const book = allBooks[Math.floor(ordinal / 1_000_000) - 1];
  if (!book || !Number.isSafeInteger(ordinal)) return null;
  return { book: book.code, chapter: Math.floor(ordinal / 1_000) % 1_000, verse: ordinal % 1_000 };
}

/** Returns the place of an ordinal like `ordinalParts`, but throws if no book has the position. */
export function placeOf(ordinal: number): Place {
  const place = ordinalParts(ordinal);
  if (!place) throw new Error(`A data file has a verse that no book has: ${ordinal}`);
  return place;
}

// `btoa`, because this package uses no API of Node. Ids are ASCII without >, ? and ~, so the output has no + and no /.
// Computing the length of the padding is faster than searching for it.
function encode(text: string): string {
  const padded = btoa(text);
  return padded.slice(0, padded.length - ((3 - (text.length % 3)) % 3));
}
