import { createItemValueBudget, createPerTranslationLoader, type WorkBudget } from '@lectern/subgraph';
import { createLexiconContext } from './lexicons/context';
import type { OriginalVerse, OriginalWord } from './reader';
import type { OriginalsStore } from './store';

/** The maximum number of field values of words in one response, as for words of translations. */
const maxWordValuesPerRequest = 150_000;

/** Creates the context of one request. Verses that are loaded in one tick share one SQL statement. */
export function createRequestContext({ reader, lexicons }: OriginalsStore, work: WorkBudget) {
  const wordBudget = createItemValueBudget(maxWordValuesPerRequest);
  const words = createPerTranslationLoader(work, {
    loadBatch: (_: null, verses: readonly OriginalVerse[]) => reader?.words(verses) ?? verses.map(() => []),
    // The words of 50 verses take about two milliseconds.
    keysPerBatch: 50,
  });
  return {
    work,

    /** Counts the field values of `count` words. Throws `valueBudgetSpent` for too many. */
    countWords: wordBudget.consume,

    lexicons: createLexiconContext(lexicons, work),

    words: (verse: OriginalVerse): Promise<OriginalWord[]> => words.load(null, verse),
  };
}

export type RequestContext = ReturnType<typeof createRequestContext>;
