import { z } from 'zod';

interface LinkOptions {
  /** The URL of the service's pages, without a slash at its end. */
  readonly pagesUrl: string;
  /**
   * The URL of a reader with the paths of examples/reader, without a slash at its end; '' if there
   * is none.
   */
  readonly readerUrl: string;
}

/**
 * Creates the functions that return the links of answers. Each link leads to a page that exists.
 */
export function createLinks({ pagesUrl, readerUrl }: LinkOptions) {
  const service = `${pagesUrl}/`;
  const inReader = (path: string, query: Readonly<Record<string, string>>) =>
    `${readerUrl}${path}?${new URLSearchParams(query)}`;
  return {
    /** A passage: in the reader, or as a query in the explorer. */
    passage: (translation: string, reference: string): string =>
      readerUrl === ''
        ? explorerLink(pagesUrl, translation, reference)
        : inReader('/passage', { translation, reference }),
    /**
     * Verses that have the words of a query: in the reader, or only the first verse as a query in
     * the explorer.
     */
    words: (translation: string, query: string, reference: string): string =>
      readerUrl === ''
        ? explorerLink(pagesUrl, translation, reference)
        : inReader('/search', { translation, query, mode: 'WORDS' }),
    /**
     * A word with its counts by book, its collocates and its verses: in the reader, or on the
     * concordance page.
     */
    word: (translation: string, word: string): string =>
      readerUrl === ''
        ? `${pagesUrl}/concordance/${encodeURIComponent(translation)}/${encodeURIComponent(word)}`
        : inReader('/word', { translation, word }),
    /**
     * A topic in the reader. The service has no page of a topic, so its link leads to the landing
     * page.
     */
    topic: (name: string): string => (readerUrl === '' ? service : inReader('/topic', { name })),
    /** The page where people request a key. */
    keyRequest: `${pagesUrl}/api-keys/request`,
    /** The landing page of the service. */
    service,
  };
}

export type Links = ReturnType<typeof createLinks>;

function explorerLink(pagesUrl: string, translation: string, reference: string): string {
  const [first, second] = [reference, translation].map((text) => JSON.stringify(text));
  const query = `{passage(reference:${first},translation:${second}){reference text translationNote}}`;
  return `${pagesUrl}/explorer?${new URLSearchParams({ query })}`;
}

/** The fields of a translation that the operations select for the attribution of an answer. */
interface SourceFields {
  readonly identifier: string;
  readonly name: string;
  readonly licence: { readonly code: string; readonly attribution: string };
}

export const sourceSchema = z
  .object({
    identifier: z.string(),
    name: z.string(),
    attribution: z.string().describe('Show it where you quote the text.'),
    licence: z.string().describe('PD for the public domain, or an SPDX identifier.'),
  })
  .describe('The translation that the text is from.');

type Source = z.infer<typeof sourceSchema>;

export const toSource = ({ identifier, name, licence }: SourceFields): Source => ({
  identifier,
  name,
  attribution: licence.attribution,
  licence: licence.code,
});

/** One line: the name, the identifier and the attribution of a translation. */
const sourceLine = ({ name, identifier, attribution }: Source): string =>
  `Translation: ${name} (${identifier}). ${attribution}`;

export const verseSchema = z.object({ reference: z.string(), text: z.string() });

export const linkSchema = z.string().describe('A page for people to read on.');

export const noteSchema = z
  .string()
  .nullable()
  .describe('What the answer leaves out and how to get it, or why it is empty. Null if there is nothing to say.');

export const nextPageSchema = z
  .string()
  .nullable()
  .describe('Send it as `after` with the same arguments for the next page. Null on the last page.');

export const toVerse = ({ reference, text }: { reference: string; text: string }) => ({ reference, text });

export const verseLine = ({ reference, text }: { reference: string; text: string }): string => `${reference}  ${text}`;

interface AnswerEnd {
  readonly sources?: readonly Source[];
  readonly link: string;
  readonly note: string | null;
}

/**
 * Joins the lines of an answer, and appends the note if there is one, a line for each translation
 * with its attribution, and the link.
 */
export function answerText(lines: readonly string[], { sources = [], link, note }: AnswerEnd): string {
  const end = [...(note === null ? [] : [`Note: ${note}`]), ...sources.map(sourceLine), `Link: ${link}`];
  return `${lines.join('\n').trimEnd()}\n\n${end.join('\n')}`.trimStart();
}

/** Returns the note of a page of verses, or null on the last page. */
export function pageNote(shown: number, total: number | null, nextPage: string | null): string | null {
  if (nextPage === null) return null;
  const left = total === null ? 'There are more verses.' : `This page has ${shown} of ${total} verses.`;
  return `${left} For the next page, call the tool again with the same arguments and after: ${JSON.stringify(nextPage)}.`;
}

interface Bounds {
  readonly maxItems: number;
  readonly maxCharacters: number;
}

/**
 * Returns the first items within the bounds. Returns the first item even if it has more than
 * `maxCharacters`.
 */
export function takeWithin<Item>(
  items: readonly Item[],
  charactersOf: (item: Item) => number,
  { maxItems, maxCharacters }: Bounds,
): Item[] {
  const taken: Item[] = [];
  let characters = 0;
  for (const item of items.slice(0, maxItems)) {
    characters += charactersOf(item);
    if (characters > maxCharacters && taken.length > 0) break;
    taken.push(item);
  }
  return taken;
}

export interface NumberedVerse {
  readonly bookId: string;
  readonly chapter: number;
  readonly verse: number;
  /** The reference in the translation's language, such as `Juan 3:16`. */
  readonly reference: string;
}

/** The service rejects longer references. */
const maxReferenceLength = 200;

/**
 * Returns a reference to the verses, such as `Psalms 119:61-176`, which the service can parse. The
 * verses are in the order of the text. A reference that would be too long names only the first
 * ranges of verses.
 */
export function referenceOfVerses(verses: readonly NumberedVerse[]): string {
  let reference = '';
  for (const range of rangesOf(verses)) {
    const longer = reference === '' ? range : `${reference}; ${range}`;
    if (longer.length > maxReferenceLength) break;
    reference = longer;
  }
  return reference;
}

function rangesOf(verses: readonly NumberedVerse[]): string[] {
  const ranges: { first: NumberedVerse; last: NumberedVerse }[] = [];
  for (const verse of verses) {
    const range = ranges.at(-1);
    if (range && follows(range.last, verse)) range.last = verse;
    else ranges.push({ first: verse, last: verse });
  }
  return ranges.map(({ first, last }) => (first === last ? first.reference : `${first.reference}-${last.verse}`));
}

const follows = (last: NumberedVerse, verse: NumberedVerse): boolean =>
  last.bookId === verse.bookId && last.chapter === verse.chapter && last.verse + 1 === verse.verse;
