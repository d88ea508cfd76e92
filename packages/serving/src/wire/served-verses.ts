/** The header of a subgraph's response with the verses whose text it has, by translation: `eng-web=31,spa-rv1909=2`. */
const header = 'x-lectern-verses';

/** The verses of a translation. A response that names too many translations counts the rest as `(other)`. */
export interface VerseCount {
  readonly translation: string;
  readonly verses: number;
}

/** No identifier has parentheses. */
export const otherTranslations = '(other)';

/** The maximum length of a written list, in characters. HTTP clients reject headers of 16 kB. */
const maxCharacters = 4_000;

/**
 * Counts the verses whose text a response has. A verse counts as often as its text stands there. This is a class
 * because each request has one, as it has a `WorkBudget`.
 */
export class ServedVerses {
  /** The counts of earlier translations. Null until there is a second one: most responses have one translation. */
  private counts: Map<string, number> | null = null;
  private translation = '';
  private verses = 0;

  add(translation: string, verses = 1): void {
    if (translation !== this.translation) {
      if (this.verses > 0) (this.counts ??= new Map()).set(this.translation, this.verses);
      this.translation = translation;
      this.verses = this.counts?.get(translation) ?? 0;
    }
    this.verses += verses;
  }

  /** Writes the counts as the header has them. Returns an empty text if there are none. */
  write(): string {
    if (!this.counts) return this.verses === 0 ? '' : `${this.translation}=${this.verses}`;
    let [written, others] = ['', 0];
    for (const [translation, verses] of new Map(this.counts).set(this.translation, this.verses))
      if (verses > 0 && written.length + translation.length < maxCharacters) written += `${translation}=${verses},`;
      else others += verses;
    return others === 0 ? written.slice(0, -1) : `${written}${otherTranslations}=${others}`;
  }
}

/** Returns the header of a subgraph's response that reports the verses, unless the response has none. */
export function reportVerses(served: ServedVerses): Record<string, string> {
  const written = served.write();
  return written === '' ? {} : { [header]: written };
}

/** Returns the verses that a subgraph reports. Returns none if the header is missing or malformed. */
export function readReportedVerses(headers: Readonly<Record<string, string | string[] | undefined>>): VerseCount[] {
  const written = headers[header];
  if (typeof written !== 'string') return [];
  const counts = parseVerseCounts(written);
  const isValid = ({ translation, verses }: VerseCount): boolean =>
    /^([a-z\d-]{1,100}|\(other\))$/.test(translation) && Number.isInteger(verses) && verses > 0 && verses < 1_000_000;
  return counts.every(isValid) ? counts : [];
}

/** Parses a list that `ServedVerses.write` has written. */
export const parseVerseCounts = (written: string): VerseCount[] =>
  written.split(',').map((count) => {
    const [translation = '', verses] = count.split('=');
    return { translation, verses: Number(verses) };
  });
