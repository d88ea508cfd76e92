/** A Hebrew or Greek word, identified by its number in Strong's concordance. */
export interface StrongsEntry {
  /** The Strong's number, with the letter H for Hebrew or G for Greek: H2617, G26. */
  readonly number: string;
  readonly lemma: string | null;
  readonly transliteration: string | null;
  readonly definition: string | null;
  /** The language code of ISO 639-3. */
  readonly language: string;
}

/** The maximum length of a number that a client sends, with leading zeros and whitespace. */
const maxNumberLength = 100;

/**
 * Parses a Strong's number and writes it as the corpus does: `H0430` and ` h430` become H430.
 * Returns null if the text is not a Strong's number.
 */
export function parseStrongsNumber(text: string): string | null {
  if (text.length > maxNumberLength) return null;
  const match = /^([GH])0*([1-9]\d{0,4})$/i.exec(text.trim());
  return match ? `${match[1]?.toUpperCase() ?? ''}${match[2] ?? ''}` : null;
}

/**
 * Returns the ISO 639-3 code of a number's language. Numbers with H are Hebrew, also those of the
 * Aramaic words of Daniel and Ezra, because Strong numbered them among the Hebrew words.
 */
export const strongsLanguage = (number: string): 'grc' | 'hbo' => (number.startsWith('G') ? 'grc' : 'hbo');
