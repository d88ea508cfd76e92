// The package has no types.
declare module 'stopword' {
  /** The stop words of each language, by ISO 639-3 code. */
  const lists: Readonly<Record<string, readonly string[] | undefined>>;
  export = lists;
}
