import type { Place } from '@lectern/canon';
import type { Translation } from '@lectern/corpus';
import { errors } from '@lectern/errors';
import { createStandardVerses, type VerseSpan, versesInTranslation } from '@lectern/reference-works';
import {
  createItemValueBudget,
  createPerTranslationLoader,
  createVerseBudget,
  type WorkBudget,
} from '@lectern/subgraph';
import { hasVerse } from '../alignment/aligned-verses';
import type { LexiconEntry } from './entry';
import type { LexiconReader, Occurrences } from './queries';

/** The maximum number of entries in one response. So many entries have about a megabyte of text. */
const maxEntriesPerRequest = 500;
/** The maximum number of field values of senses and spans in one response. */
const maxValuesPerRequest = 150_000;
export const maxIdLength = 200;

/** All verses, as the King James Version numbers them. All requests share this list. */
export const standardVerses = createStandardVerses();

/** Creates the functions with which one request loads data of the lexicons. */
export function createLexiconContext(reader: LexiconReader, work: WorkBudget) {
  let entryCount = 0;
  const verseBudget = createVerseBudget();
  const valueBudget = createItemValueBudget(maxValuesPerRequest);
  const countEntries = (count: number): void => {
    entryCount += count;
    if (entryCount > maxEntriesPerRequest)
      throw errors.badUserInput(
        `One request gives at most ${maxEntriesPerRequest} lexicon entries; ask for less at once`,
      );
  };
  const entries = createPerTranslationLoader(work, {
    loadBatch: (_: null, ids: readonly string[]) => reader.entries(ids),
    keysPerBatch: 50,
  });
  const entriesOfNumbers = createPerTranslationLoader(work, {
    loadBatch: (_: null, numbers: readonly string[]) => reader.entriesOfNumbers(numbers),
    keysPerBatch: 50,
  });
  const occurrences = createPerTranslationLoader(work, {
    loadBatch: (_: null, wanted: readonly LexiconEntry[]): Occurrences[] =>
      wanted.map((entry) => reader.occurrences(entry)),
    // One key in a batch, because the occurrences of the most frequent lemma take a few milliseconds.
    keysPerBatch: 1,
  });

  return {
    /** Counts the selected fields of `count` senses or spans. Throws `valueBudgetSpent` if there are too many. */
    countItems: valueBudget.consume,

    /** Resolves with null for an unknown id. Throws `badUserInput` if the request has too many entries. */
    async entry(id: string): Promise<LexiconEntry | null> {
      if (id.length > maxIdLength) return null;
      countEntries(1);
      return entries.load(null, id);
    },

    async related({ related }: LexiconEntry, first: number): Promise<LexiconEntry[]> {
      const ids = related.slice(0, first);
      countEntries(ids.length);
      return ids.length === 0 ? [] : (await entries.loadMany(null, ids)).filter((entry) => entry !== null);
    },

    async entriesOfNumber(number: string): Promise<LexiconEntry[]> {
      const found = await entriesOfNumbers.load(null, number.slice(0, maxIdLength));
      countEntries(found.length);
      return found;
    },

    occurrences: (entry: LexiconEntry): Promise<Occurrences> => occurrences.load(null, entry),

    /** Returns the first verses of a span that the translation has, at most `first`. Throws `verseBudgetSpent`. */
    verses(translation: Translation, span: VerseSpan, first: number) {
      const { numbering } = translation;
      const found = { numbering, hasVerse: (place: Place) => hasVerse(translation, place) };
      const places = versesInTranslation(found, span, first, standardVerses);
      verseBudget.hold(places.length);
      return places;
    },
  };
}
