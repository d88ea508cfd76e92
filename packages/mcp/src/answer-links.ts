export interface LinkOptions {
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
