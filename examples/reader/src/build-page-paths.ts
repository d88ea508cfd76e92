import type { InterlinearOrder, SearchMode } from '@lectern/client';
import type { VersePlace } from './api';

// Text that a user types goes into the query string of a URL. In the path, an incomplete
// percent-encoding would be an error of the router.

const withQuery = (path: string, query: Readonly<Record<string, string | undefined>>): string => {
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
};

export const booksPath = (translation: string): string => `/read/${translation}`;

/**
 * `verse` is the verse to mark, or the first and the last one, such as `28-30`. `beside` is the identifier of a second translation to show
 * beside the first.
 */
export const chapterPath = (
  translation: string,
  book: string,
  chapter: number,
  { verse, beside }: { verse?: number | string | undefined; beside?: string | undefined } = {},
): string => withQuery(`/read/${translation}/${book}/${chapter}`, { verse: verse?.toString(), beside });

export const versePath = ({ translation, book, chapter, verse }: VersePlace): string =>
  `/verse/${translation}/${book}/${chapter}/${verse}`;

export const searchPath = (translation: string, query: string, mode: SearchMode = 'BEST'): string =>
  withQuery('/search', { translation, query, mode: mode === 'BEST' ? undefined : mode });

/** `reference` is a reference as people write it, such as `Rom 12:1`. */
export const passagePath = (translation: string, reference: string): string =>
  withQuery('/passage', { translation, reference });

export const wordPath = (translation: string, word: string): string => withQuery('/word', { translation, word });

export const strongsPath = (translation: string, number: string): string =>
  withQuery('/strongs', { translation, number });

export const interlinearPath = (translation: string, book: string, chapter: number, order?: InterlinearOrder): string =>
  withQuery(`/interlinear/${translation}/${book}/${chapter}`, { order });

/** `strongs` may have the letter of a sense, such as `H1254a`. `lemma` is for words without a number. */
export const originalPath = (translation: string, word: { strongs?: string; lemma?: string }): string =>
  withQuery('/original', { translation, ...word });

export const topicsPath = (query: string): string => withQuery('/topics', { query });

export const topicPath = (name: string): string => withQuery('/topic', { name });
