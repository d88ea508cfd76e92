import type { Place } from '@lectern/canon';
import type { WorkBudget } from '@lectern/subgraph';
import { createPerTranslationLoader, createValueBudget } from '@lectern/subgraph';
import type { GraphQLResolveInfo } from 'graphql';
import type { ConcordanceTranslation } from './concordance-translation-metadata';
import { countSelectedFields } from './count-selected-fields';
import type { IndexedVerse } from './indexed-verse';
import type { ConcordanceStore } from './store';

/**
 * The maximum number of field values of words in one response: about the words of a Gospel with
 * five fields each. A limit on words is not enough, because a request can select one field of a
 * word many times under aliases.
 */
export const maxWordValuesPerRequest = 150_000;

/**
 * Creates the context of one request. Verses that are loaded in one tick of the event loop share
 * one SQL statement for each translation.
 */
export function createRequestContext(store: ConcordanceStore, work: WorkBudget) {
  const loader = createPerTranslationLoader(work, { loadBatch: store.verses, prepare: store.verifyInSteps });
  const valueBudget = createValueBudget(maxWordValuesPerRequest);
  const fieldCounts = new Map<readonly unknown[], number>();
  return {
    work,

    /**
     * Counts the field values of `count` words before the words are resolved. Each word has the
     * fields that the operation selects below the field `words`. Throws if the response exceeds the
     * maximum.
     */
    countWords(count: number, { fieldNodes, fragments }: Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>): void {
      const fieldsPerWord = fieldCounts.get(fieldNodes) ?? countSelectedFields(fieldNodes, fragments);
      fieldCounts.set(fieldNodes, fieldsPerWord);
      valueBudget.consume(count * fieldsPerWord);
    },

    /** Loads a verse. Resolves with null if the translation has no such verse. */
    verse: (translation: ConcordanceTranslation, place: Place): Promise<IndexedVerse | null> =>
      loader.load(translation, place),
  };
}

export type RequestContext = ReturnType<typeof createRequestContext>;
