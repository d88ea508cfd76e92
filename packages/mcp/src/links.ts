/** A verse, or the first verse of a passage. */
export interface Place {
  readonly translation: string;
  /** A USFM code. */
  readonly bookId: string;
  readonly chapter: number;
  readonly verse: number;
}

export interface LinkOptions {
  /** The URL of the service's pages, without a slash at its end. */
  readonly pagesUrl: string;
  /** The URL of a chapter in a reader, with `{translation}`, `{book}`, `{chapter}` and perhaps `{verse}`; '' if there is no reader. */
  readonly readerUrl: string;
}

/** Creates the functions that return the links of answers. Each link leads to a page that exists. */
export const createLinks = ({ pagesUrl, readerUrl }: LinkOptions) => ({
  /** The page of a passage: in the reader, or a query in the explorer. */
  passage: (reference: string, place: Place): string =>
    readerUrl === '' ? explorerLink(pagesUrl, reference, place) : readerLink(readerUrl, place),
  /** The page of a word with its books, the words near it and its first lines. */
  word: (translation: string, word: string): string =>
    `${pagesUrl}/concordance/${encodeURIComponent(translation)}/${encodeURIComponent(word)}`,
  /** The page where people request a key. */
  keyRequest: `${pagesUrl}/api-keys/request`,
  /** The page that says what the service is. */
  service: `${pagesUrl}/`,
});

export type Links = ReturnType<typeof createLinks>;

const readerLink = (readerUrl: string, { translation, bookId, chapter, verse }: Place): string =>
  readerUrl
    .replace('{translation}', encodeURIComponent(translation))
    .replace('{book}', bookId)
    .replace('{chapter}', String(chapter))
    .replace('{verse}', String(verse));

function explorerLink(pagesUrl: string, reference: string, { translation }: Place): string {
  const query = `{passage(reference:${JSON.stringify(reference)},translation:${JSON.stringify(translation)}){reference text translationNote}}`;
  return `${pagesUrl}/explorer?query=${encodeURIComponent(query)}`;
}

/** Checks the setting LECTERN_READER_URL. Throws an error that says what it must be. */
export function parseReaderUrl(text: string): string {
  const isTemplate = /^https?:\/\//i.test(text) && text.includes('{book}') && text.includes('{chapter}');
  const unknown = text.replace(/\{(translation|book|chapter|verse)\}/g, '');
  if (text !== '' && !(isTemplate && URL.canParse(unknown) && !/[{}\s"'<>]/.test(unknown)))
    throw new Error(
      'LECTERN_READER_URL must be a URL that begins with http:// or https:// and contains {book} and {chapter}, and perhaps {translation} and {verse}.',
    );
  return text;
}
