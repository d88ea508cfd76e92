import type { Place } from '@lectern/canon';
import { createPerTranslationLoader, createValueBudget, type WorkBudget } from '@lectern/subgraph';
import { type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';
import type { IndexedVerse } from './data/files';
import type { ConcordanceTranslation } from './data/metadata';
import type { ConcordanceStore } from './store';

type SelectedFields = Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>;

/**
 * Counts the fields selected below these fields, at every depth. A fragment counts each time it is
 * spread, but its fields are visited only once.
 */
function countSelectedFields({ fieldNodes, fragments }: SelectedFields): number {
  const fragmentCounts = new Map<string, number>();
  const countInFragment = (name: string): number => {
    const count = fragmentCounts.get(name) ?? countBelow(fragments[name]?.selectionSet);
    fragmentCounts.set(name, count);
    return count;
  };
  const countBelow = (set: SelectionSetNode | undefined): number => {
    let count = 0;
    for (const selection of set?.selections ?? []) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) count += countInFragment(selection.name.value);
      else count += countBelow(selection.selectionSet) + (selection.kind === Kind.FIELD ? 1 : 0);
    }
    return count;
  };
  return fieldNodes.reduce((sum, { selectionSet }) => sum + countBelow(selectionSet), 0);
}

/**
 * The maximum number of field values of words in one response: about the words of a Gospel with
 * five fields each. A limit on words is not enough, because a request can select one field of a
 * word many times under aliases.
 */
const maxWordValuesPerRequest = 150_000;

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
     * Counts the field values of `count` words before the words are resolved: the fields selected
     * below the field `words`. Throws if the response exceeds the maximum.
     */
    countWords(count: number, info: SelectedFields): void {
      const fieldsPerWord = fieldCounts.get(info.fieldNodes) ?? countSelectedFields(info);
      fieldCounts.set(info.fieldNodes, fieldsPerWord);
      valueBudget.consume(count * fieldsPerWord);
    },

    /** Resolves with null if the translation has no such verse. */
    verse: (translation: ConcordanceTranslation, place: Place): Promise<IndexedVerse | null> =>
      loader.load(translation, place),
  };
}

export type RequestContext = ReturnType<typeof createRequestContext>;
