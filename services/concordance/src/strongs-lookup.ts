import { errors } from '@lectern/errors';
import type { ConcordanceFiles } from './concordance-files';
import type { StrongsEntry } from './strongs-number';
import { parseStrongsNumber, strongsLanguage } from './strongs-number';

/** Creates the functions that look up Strong's numbers. `dictionary` has the entries of the dictionaries by number. */
export function createStrongsLookup(dictionary: ReadonlyMap<string, StrongsEntry>, files: ConcordanceFiles) {
  return {
    /** Parses a Strong's number in any spelling and returns its entry. Throws `strongsNotFound`. */
    strongs(text: string): StrongsEntry {
      const number = parseStrongsNumber(text);
      if (number !== null) {
        const entry = dictionary.get(number);
        if (entry) return entry;
        // If no dictionary has the number, the number exists if a translation has a word with it.
        if (files.entries().some((translation) => translation.hasStrongsNumber(number)))
          return entryWithoutWord(number);
      }
      throw errors.strongsNotFound(text);
    },

    /** Returns the entry of a number in a verse. The entry has only the number if no dictionary has it. */
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
