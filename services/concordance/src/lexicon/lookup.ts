import { errors } from '@lectern/errors';
import type { ConcordanceFiles } from '../data/files';

/** A Hebrew or Greek word of the Bible, as Strong's concordance numbers them. */
export interface StrongsEntry {
  /** The Strong's number, with the letter H for Hebrew or G for Greek: H2617, G26. */
  readonly number: string;
  readonly lemma: string | null;
  /** The spellings of the word that `lemma` has, in the order of their transliterations. Empty without `lemma`. */
  readonly spellings: readonly string[];
  readonly transliteration: string | null;
  readonly definition: string | null;
  /** The language code of ISO 639-3. */
  readonly language: string;
}

/** The maximum length of a Strong's number from a client, including leading zeros and whitespace. */
const maxNumberLength = 100;

/** Parses a Strong's number: returns H430 for `H0430` or ` h430`. Returns null for any other text. */
export function parseStrongsNumber(text: string): string | null {
  if (text.length > maxNumberLength) return null;
  const match = /^([GH])0*([1-9]\d{0,4})$/i.exec(text.trim());
  return match ? `${match[1]?.toUpperCase() ?? ''}${match[2] ?? ''}` : null;
}

/**
 * Returns the language of a Strong's number: Greek for G, Hebrew for H. The Aramaic words of Daniel and Ezra also have
 * H, because Strong numbered them together with Hebrew.
 */
export const strongsLanguage = (number: string): 'grc' | 'hbo' => (number.startsWith('G') ? 'grc' : 'hbo');

/** Creates the functions that look up Strong's numbers in the entries of the dictionaries. */
export function createStrongsLookup(dictionary: ReadonlyMap<string, StrongsEntry>, files: ConcordanceFiles) {
  /** Returns the entry of a number. If no dictionary has it, the entry has only the number and the language. */
  const strongsEntry = (number: string): StrongsEntry =>
    dictionary.get(number) ?? {
      number,
      lemma: null,
      spellings: [],
      transliteration: null,
      definition: null,
      language: strongsLanguage(number),
    };
  return {
    strongsEntry,

    /**
     * Parses a Strong's number and returns its entry. Throws `strongsNotFound`. Yields between short steps, because
     * parsing the catalogue of many translations takes long.
     */
    *strongs(text: string): Generator<void, StrongsEntry> {
      const number = parseStrongsNumber(text);
      if (number === null) throw errors.strongsNotFound(text);
      // A number that is in no dictionary is still valid if a translation has words with it.
      if (!dictionary.has(number)) {
        yield* files.parseEntriesInSteps();
        if (!files.entries().some((translation) => translation.hasStrongsNumber(number)))
          throw errors.strongsNotFound(text);
      }
      return strongsEntry(number);
    },
  };
}
