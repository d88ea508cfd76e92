/** The alphabet of a language (ISO 639-3): in Spanish ñ comes between n and o. Where it is not known, the order of Unicode's default. */
export function alphabetical(language: string): (a: string, b: string) => number {
  const known = Intl.Collator.supportedLocalesOf([language]).length > 0;
  const collator = new Intl.Collator(known ? [language] : ['en']);
  return (a, b) => collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
}

export interface SurfaceForm {
  readonly text: string;
  readonly occurrences: number;
}

/** How many forms of a word are shown. */
export const maxSurfaceForms = 10;

/** Commonest first, ties alphabetical. */
export const byCount =
  (compare: (a: string, b: string) => number) =>
  (a: SurfaceForm, b: SurfaceForm): number =>
    b.occurrences - a.occurrences || compare(a.text, b.text);

/** What spellings that differ only in case share: `Amor` at the head of a sentence is no other form than `amor`. */
export const caseless = (written: string): string => written.normalize('NFC').toLowerCase();

/** The spelling that stands for a form: the commonest as written. */
export function commonestSpelling(
  spellings: ReadonlyMap<string, number>,
  compare: (a: string, b: string) => number,
): string {
  const forms = Array.from(spellings, ([text, occurrences]) => ({ text, occurrences }));
  return forms.sort(byCount(compare))[0]?.text ?? '';
}
