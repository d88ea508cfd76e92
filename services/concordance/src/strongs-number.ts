/** A word of the Hebrew or the Greek text, by its number in Strong's concordance. */
export interface StrongsEntry {
  readonly number: string;
  readonly lemma: string | null;
  readonly transliteration: string | null;
  readonly definition: string | null;
  /** ISO 639-3. */
  readonly language: string;
}

/** A number of Strong's as the corpus writes it: G26, H2617. Null for a text that is none; `H0430` and `h430` are H430. */
export function parseStrongsNumber(text: string): string | null {
  const match = /^([GH])0*([1-9]\d{0,4})$/i.exec(text.trim());
  return match ? `${match[1]?.toUpperCase() ?? ''}${match[2] ?? ''}` : null;
}

/** ISO 639-3. Strong numbered the Aramaic of Daniel and Ezra among the Hebrew words, so H stands for both. */
export const strongsLanguage = (number: string): 'grc' | 'hbo' => (number.startsWith('G') ? 'grc' : 'hbo');
