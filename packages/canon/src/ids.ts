import { type BookCode, bookByCode, books, isBookCode } from './books';

declare const brand: unique symbol;

/** Opaque to clients. Only `verseId` makes one, so that every subgraph gives one verse the same id. */
export type VerseId = string & { readonly [brand]: 'VerseId' };

export interface Place {
  book: BookCode;
  chapter: number;
  verse: number;
}

export interface VerseParts extends Place {
  /** The translation's identifier, such as eng-web. */
  translation: string;
}

const version = 'v1';
const versePattern = /^v1:([a-z0-9-]+)\.([0-9A-Z]{3})\.([1-9][0-9]{0,2})\.([1-9][0-9]{0,2})$/;

/** True for the identifiers a translation may have: lower-case letters, digits and hyphens. */
export function isTranslationIdentifier(text: string): boolean {
  return /^[a-z0-9-]+$/.test(text);
}

/** The global id of a verse: base64url of `v1:translation.BOOK.chapter.verse`. */
export function verseId(parts: VerseParts): VerseId {
  return encode(`${version}:${parts.translation}.${parts.book}.${parts.chapter}.${parts.verse}`) as VerseId;
}

/** Null, not an exception: an id from outside is allowed to be wrong. Only the exact text `verseId` would make is read. */
export function parseVerseId(text: string): VerseParts | null {
  const match = versePattern.exec(decode(text) ?? '');
  if (!match) return null;
  const [, translation = '', book = '', chapter, verse] = match;
  if (!isBookCode(book)) return null;
  const parts = { translation, book, chapter: Number(chapter), verse: Number(verse) };
  // base64 has several spellings of one text (spare bits at the end); a cache key must have one.
  return verseId(parts) === text ? parts : null;
}

/** The global id of a translation. Opaque: nothing resolves it. */
export function translationId(identifier: string): string {
  return encode(`${version}:translation:${identifier}`);
}

/** The global id of a book, the same in every translation. Opaque: nothing resolves it. */
export function bookId(code: BookCode): string {
  return encode(`${version}:book:${code}`);
}

/** A number that sorts verses canonically: JHN 3:16 is 43003016. */
export function verseOrdinal({ book, chapter, verse }: Place): number {
  return bookByCode(book).position * 1_000_000 + chapter * 1_000 + verse;
}

/** The place behind `verseOrdinal`; null when no book has that number. */
export function ordinalParts(ordinal: number): Place | null {
  const book = books[Math.floor(ordinal / 1_000_000) - 1];
  if (!book || !Number.isSafeInteger(ordinal)) return null;
  return { book: book.code, chapter: Math.floor(ordinal / 1_000) % 1_000, verse: ordinal % 1_000 };
}

// Every text encoded here is ASCII without < = > ? @ or ~, so that btoa is exact and neither + nor / can come out of it. A page of
// verses encodes hundreds of ids: padding is cut by hand. Canon stays free of node's Buffer.
function encode(text: string): string {
  const padded = btoa(text);
  return padded.slice(0, padded.length - ((3 - (text.length % 3)) % 3));
}

const decode = (text: string): string | null => {
  if (!/^[A-Za-z0-9_-]{1,200}$/.test(text) || text.length % 4 === 1) return null;
  return atob(text.replaceAll('-', '+').replaceAll('_', '/'));
};
