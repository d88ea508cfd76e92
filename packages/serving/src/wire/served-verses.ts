/** The header of a subgraph's response with the verses whose text it has, by translation: `eng-web=31,spa-rv1909=2`. */
export const versesHeader = 'x-lectern-verses';

/** A report that names too many translations counts the rest under this name. No identifier has parentheses. */
const otherTranslations = '(other)';

/** The maximum length of a report, in characters. HTTP clients reject headers of 16 kB. */
const maxCharacters = 4_000;

/** Counts a verse as often as the response has its text. This is a class, because each request has one. */
export class ServedVerses {
  /** The counts of earlier translations. Null until there is a second one: most responses have one translation. */
  private counts: Map<string, number> | null = null;
  private translation = '';
  private verses = 0;
  /** The report of another process. It is parsed only if others are added: most responses have one. */
  private reported = '';

  add(translation: string, verses = 1): void {
    if (translation !== this.translation) {
      if (this.verses > 0) (this.counts ??= new Map()).set(this.translation, this.verses);
      this.translation = translation;
      this.verses = this.counts?.get(translation) ?? 0;
    }
    this.verses += verses;
  }

  addReport(report: string): void {
    if (this.reported === '') this.reported = report;
    else for (const { translation, verses } of parseVerseReport(report)) this.add(translation, verses);
  }

  /** Writes the counts as a report. Returns an empty text if there are none. */
  report(): string {
    const { reported } = this;
    if (reported !== '' && this.translation === '') return reported;
    this.reported = '';
    if (reported !== '')
      for (const { translation, verses } of parseVerseReport(reported)) this.add(translation, verses);
    if (!this.counts) return this.verses === 0 ? '' : `${this.translation}=${this.verses}`;
    let [written, others] = ['', 0];
    for (const [translation, verses] of new Map(this.counts).set(this.translation, this.verses))
      if (translation !== otherTranslations && written.length + translation.length < maxCharacters)
        written += `${translation}=${verses},`;
      else others += verses;
    return others === 0 ? written.slice(0, -1) : `${written}${otherTranslations}=${others}`;
  }
}

/** Parses a report. Returns no counts if it is empty or malformed. */
export function parseVerseReport(report: string): { translation: string; verses: number }[] {
  const counts = report.split(',').map((count) => {
    const [translation = '', verses] = count.split('=');
    return { translation, verses: Number(verses) };
  });
  const isValid = counts.every(
    ({ translation, verses }) =>
      /^([a-z\d-]{1,100}|\(other\))$/.test(translation) && Number.isSafeInteger(verses) && verses > 0,
  );
  return isValid ? counts : [];
}
