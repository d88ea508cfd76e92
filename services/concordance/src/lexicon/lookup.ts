import { errors } from '@lectern/errors';
import type { ConcordanceFiles } from '../data/files';
import type { StrongsEntry } from './number';
import { parseStrongsNumber, strongsLanguage } from './number';

/**
 * Creates the functions that look up Strong's numbers, which identify Hebrew and Greek words.
 * `dictionary` has the entries of Strong's dictionaries by number.
 */
export function createStrongsLookup(dictionary: ReadonlyMap<string, StrongsEntry>, files: ConcordanceFiles) {
  return {
    /**
     * Parses a Strong's number in any spelling and returns its entry. Throws `strongsNotFound`.
     * Yields between short steps, because the catalogue of many translations takes long to parse.
     */
    *strongs(text: string): Generator<void, StrongsEntry> {
      const number = parseStrongsNumber(text);
      if (number !== null) {
        const entry = dictionary.get(number);
        if (entry) return entry;
        // A number without a dictionary entry is valid if a word of a translation is tagged with
        // it.
        yield* files.parseEntriesInSteps();
        if (files.entries().some((translation) => translation.hasStrongsNumber(number)))
          return entryWithoutWord(number);
      }
      throw errors.strongsNotFound(text);
    },

    /**
     * Returns the entry of a Strong's number that a verse contains. If no dictionary has the
     * number, the entry has only the number and the language.
     */
    strongsEntry: (number: string): StrongsEntry => dictionary.get(number) ?? entryWithoutWord(number),
  };
}

const entryWithoutWord = (number: string): StrongsEntry => ({
  number,
  lemma: null,
  transliteration: null,
  definition: null,
  language: strongsLanguage(number),
});
