import { z } from 'zod';

/** `readerUrl` has the paths of examples/reader. If it is '', links lead to the service. No URL ends in a slash. */
export function createLinks({ pagesUrl, readerUrl }: { readonly pagesUrl: string; readonly readerUrl: string }) {
  const service = `${pagesUrl}/`;
  const inReader = (path: string, query: Readonly<Record<string, string>>): string =>
    readerUrl && `${readerUrl}${path}?${new URLSearchParams(query)}`;
  const inExplorer = (query: string): string => `${pagesUrl}/explorer?${new URLSearchParams({ query })}`;
  /** Writes the arguments of a field. A JSON text is also a text of GraphQL. */
  const write = (values: Readonly<Record<string, string>>): string =>
    Object.entries(values)
      .map(([name, value]) => `${name}:${JSON.stringify(value)}`)
      .join();
  const passageInExplorer = (translation: string, reference: string): string =>
    inExplorer(`{passage(${write({ reference, translation })}){reference text translationNote}}`);
  return {
    passage: (translation: string, reference: string): string =>
      inReader('/passage', { translation, reference }) || passageInExplorer(translation, reference),
    /** Links to the verses that have the words. Without a reader, to the verse `reference` in the explorer. */
    words: (translation: string, query: string, reference: string): string =>
      inReader('/search', { translation, query, mode: 'WORDS' }) || passageInExplorer(translation, reference),
    /** Returns a link to a word with its counts by book and its verses. */
    word: (translation: string, word: string): string =>
      inReader('/word', { translation, word }) ||
      inExplorer(
        `{concordance(${write({ word, translation })}){entry{totalOccurrences verseCount occurrencesByBook{bookName count}}edges{node{context verse{reference}}}}}`,
      ),
    topic: (name: string): string => inReader('/topic', { name }) || service,
    keyRequest: `${pagesUrl}/api-keys/request`,
    service,
  };
}

export type Links = ReturnType<typeof createLinks>;

export const sourceSchema = z
  .object({
    identifier: z.string(),
    name: z.string(),
    attribution: z.string().describe('Show it where you quote the text.'),
    licence: z.string().describe('PD for the public domain, or an SPDX identifier.'),
  })
  .describe('The translation that the text is from.');

export type Source = z.infer<typeof sourceSchema>;

/** The fields of a translation that the operations select for the attribution of an answer. */
interface SourceFields {
  readonly identifier: string;
  readonly name: string;
  readonly licence: { readonly code: string; readonly attribution: string };
}

export const toSource = ({ identifier, name, licence }: SourceFields): Source => ({
  identifier,
  name,
  attribution: licence.attribution,
  licence: licence.code,
});

export const verseSchema = z.object({ reference: z.string(), text: z.string() });

export const endShape = {
  link: z.string().describe('A page for people to read on.'),
  note: z
    .string()
    .nullable()
    .describe('What the answer leaves out and how to get it, or why it is empty. Null if there is nothing to say.'),
};

export const nextPageSchema = z
  .string()
  .nullable()
  .describe('Send it as `after` with the same arguments for the next page. Null on the last page.');

/** Returns the note of an answer with the first `answered` verses of a passage, or null if these are all. */
export function passageNote(verseCount: number, answered: number): string | null {
  if (verseCount === 0) return 'The translation has no verse at this reference.';
  return verseCount > answered
    ? `The passage has ${verseCount} verses, and only the first ${answered} are answered. Ask for the others in further calls.`
    : null;
}

export const toVerse = ({ reference, text }: { reference: string; text: string }) => ({ reference, text });

export const verseLine = ({ reference, text }: { reference: string; text: string }): string => `${reference}  ${text}`;

/** The members that end each answer of a tool, both as data and as text: sources, link and note. */
export interface AnswerEnd {
  /** The translation of the answer. `sources` has several translations. */
  readonly source?: Source | null;
  readonly sources?: readonly Source[];
  readonly link: string;
  readonly note: string | null;
}

/** Returns the lines, the note, each translation with its attribution, and the link. */
export function answerText(lines: readonly string[], { source, sources, link, note }: AnswerEnd): string {
  const translations = (sources ?? (source ? [source] : [])).map(
    ({ name, identifier, attribution }) => `Translation: ${name} (${identifier}). ${attribution}`,
  );
  const end = [...(note === null ? [] : [`Note: ${note}`]), ...translations, `Link: ${link}`];
  return `${lines.join('\n').trimEnd()}\n\n${end.join('\n')}`.trimStart();
}

/** Returns the cursor of the next page, or null on the last page. */
export const nextPageOf = ({ hasNextPage, endCursor }: { hasNextPage: boolean; endCursor: string | null }) =>
  hasNextPage ? endCursor : null;

/** Returns the note that more verses follow this page, or null on the last page. */
export function pageNote(shown: number, total: number | null, nextPage: string | null): string | null {
  if (nextPage === null) return null;
  const left = total === null ? 'There are more verses.' : `This page has ${shown} of ${total} verses.`;
  return `${left} For the next page, call the tool again with the same arguments and after: ${JSON.stringify(nextPage)}.`;
}

/** The maximum length of an answer, in UTF-16 units. About 3,000 tokens, enough for each chapter except Psalm 119. */
const maxCharacters = 12_000;

/** Returns as many items as fit into an answer, but at least the first item. */
export function takeWithin<Item>(
  items: readonly Item[],
  charactersOf: (item: Item) => number,
  maxItems: number,
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

/** The maximum length of a reference that the service accepts. */
const maxReferenceLength = 200;

/** Returns a reference such as `Psalms 119:61-176`: only its first ranges if all are too long for the service. */
export function referenceOfVerses(verses: readonly NumberedVerse[]): string {
  const ranges: { first: NumberedVerse; last: NumberedVerse }[] = [];
  for (const verse of verses) {
    const range = ranges.at(-1);
    if (range && follows(range.last, verse)) range.last = verse;
    else ranges.push({ first: verse, last: verse });
  }
  let reference = '';
  for (const { first, last } of ranges) {
    const range = first === last ? first.reference : `${first.reference}-${last.verse}`;
    const longer = reference === '' ? range : `${reference}; ${range}`;
    if (longer.length > maxReferenceLength) break;
    reference = longer;
  }
  return reference;
}

/** Returns the note of an answer with the first `shown` verses of a passage. Returns null if these are all. */
export function restNote(verses: readonly NumberedVerse[], shown: number, tool: string): string | null {
  const rest = verses.slice(shown);
  if (rest.length === 0) return null;
  return `The passage has ${verses.length} verses, and these are the first ${shown}. For the rest, call ${tool} with reference: "${referenceOfVerses(rest)}".`;
}

const follows = (last: NumberedVerse, verse: NumberedVerse): boolean =>
  last.bookId === verse.bookId && last.chapter === verse.chapter && last.verse + 1 === verse.verse;
