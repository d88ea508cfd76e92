import type { Place } from '@lectern/canon';
import { createItemValueBudget, createPerTranslationLoader, type WorkBudget } from '@lectern/subgraph';
import type { IndexedVerse } from './data/files';
import type { ConcordanceTranslation } from './data/translation';
import type { ConcordanceStore } from './store';

/**
 * The maximum number of field values of words in one response: about a Gospel with five fields of each word. Values are
 * counted instead of words, because aliases can select a field of one word many times.
 */
const maxWordValuesPerRequest = 150_000;

/**
 * Creates the context of one request. Verses that are loaded in one tick of the event loop share one SQL statement
 * for each translation.
 */
export function createRequestContext(store: ConcordanceStore, work: WorkBudget) {
  const loader = createPerTranslationLoader(work, { loadBatch: store.verses, prepare: store.verifyInSteps });
  const wordBudget = createItemValueBudget(maxWordValuesPerRequest);
  return {
    work,

    /** Counts the field values of `count` words. Throws if the response has too many. */
    countWords: wordBudget.consume,

    /** Resolves with null if the translation has no such verse. */
    verse: (translation: ConcordanceTranslation, place: Place): Promise<IndexedVerse | null> =>
      loader.load(translation, place),
  };
}

export type RequestContext = ReturnType<typeof createRequestContext>;
