/**
 * Returns a function that compares words by the alphabet of a language (ISO 639-3).
 * For example, in Spanish ñ sorts between n and o. Unknown languages use the order of English.
 */
export function alphabetical(language: string): (a: string, b: string) => number {
  const isSupported = Intl.Collator.supportedLocalesOf([language]).length > 0;
  const collator = new Intl.Collator(isSupported ? [language] : ['en']);
  return (a, b) => collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
}

export interface SurfaceForm {
  readonly text: string;
  readonly occurrences: number;
}

/** The maximum number of forms of a word in a response. */
export const maxSurfaceForms = 10;

/** Returns a comparison that sorts the most frequent form first, and equal counts by `compare`. */
export const byCount =
  (compare: (a: string, b: string) => number) =>
  (a: SurfaceForm, b: SurfaceForm): number =>
    b.occurrences - a.occurrences || compare(a.text, b.text);

/** Returns the key of a form: spellings that differ only in case (`Amor`, `amor`) are one form. */
export const caseless = (written: string): string => written.normalize('NFC').toLowerCase();

/** Returns the most frequent spelling of a form. */
export function commonestSpelling(
  spellings: ReadonlyMap<string, number>,
  compare: (a: string, b: string) => number,
): string {
  const forms = Array.from(spellings, ([text, occurrences]) => ({ text, occurrences }));
  return forms.sort(byCount(compare))[0]?.text ?? '';
}
