import { errors } from '@lectern/errors';
import type { ConcordanceFiles } from '../data/files';

/** A Hebrew or Greek word, identified by its number in Strong's concordance. */
export interface StrongsEntry {
  /** The Strong's number, with the letter H for Hebrew or G for Greek: H2617, G26. */
  readonly number: string;
  readonly lemma: string | null;
  /** The spellings in `lemma`, in the order of their transliterations. Empty without `lemma`. */
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
 * Returns the language of a number. H stands for Hebrew, and also for the Aramaic words of Daniel and Ezra, because
 * Strong numbered them together.
 */
export const strongsLanguage = (number: string): 'grc' | 'hbo' => (number.startsWith('G') ? 'grc' : 'hbo');

/** Creates the functions that look up Strong's numbers in the entries of the dictionaries. */
export function createStrongsLookup(dictionary: ReadonlyMap<string, StrongsEntry>, files: ConcordanceFiles) {
  /** Returns the entry of a number. If no dictionary has the number, the entry has only the number and the language. */
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
     * Parses a Strong's number in any spelling and returns its entry. Throws `strongsNotFound`.
     * Yields between short steps, because the catalogue of many translations takes long to parse.
     */
    *strongs(text: string): Generator<void, StrongsEntry> {
      const number = parseStrongsNumber(text);
      if (number === null) throw errors.strongsNotFound(text);
      // A number that no dictionary has is valid if a word of some translation is tagged with it.
      if (!dictionary.has(number)) {
        yield* files.parseEntriesInSteps();
        if (!files.entries().some((translation) => translation.hasStrongsNumber(number)))
          throw errors.strongsNotFound(text);
      }
      return strongsEntry(number);
    },
  };
}
