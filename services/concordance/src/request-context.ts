import type { Place } from '@lectern/canon';
import { errors } from '@lectern/errors';
import DataLoader from 'dataloader';
import type { GraphQLResolveInfo } from 'graphql';
import { countSelectedFields } from './count-selected-fields';
import type { IndexedTranslation, IndexedVerse } from './indexed-translation';
import type { ConcordanceStore } from './store';

interface Wanted {
  edition: IndexedTranslation;
  place: Place;
}

/** The words of a Gospel with five fields of each: a passage may be a book, and aliases make a field of its every word cost little to ask for and much to send. */
export const maxWordValuesPerRequest = 150_000;

/** Lives as long as one request. Verses that are asked for in the same tick share one statement an edition. */
export function createRequestContext(store: ConcordanceStore) {
  const loader = new DataLoader<Wanted, IndexedVerse | null>(async (wanted) => load(store, wanted), { cache: false });
  const values = new Map<readonly unknown[], number>();
  let given = 0;
  return {
    /** Counts what a request is given of words, before they are. */
    giveWords(count: number, { fieldNodes, fragments }: Pick<GraphQLResolveInfo, 'fieldNodes' | 'fragments'>): void {
      const ofOne = values.get(fieldNodes) ?? countSelectedFields(fieldNodes, fragments);
      values.set(fieldNodes, ofOne);
      given += count * ofOne;
      if (given > maxWordValuesPerRequest) throw errors.valueBudgetSpent(maxWordValuesPerRequest);
    },

    /** Null when the edition has no such verse. */
    verse: (edition: IndexedTranslation, place: Place): Promise<IndexedVerse | null> => loader.load({ edition, place }),
  };
}

export type RequestContext = ReturnType<typeof createRequestContext>;

function load(store: ConcordanceStore, wanted: readonly Wanted[]): (IndexedVerse | null)[] {
  const found: (IndexedVerse | null)[] = wanted.map(() => null);
  for (const edition of new Set(wanted.map((each) => each.edition))) {
    const askers = [...wanted.entries()].filter(([, each]) => each.edition === edition);
    const verses = store.verses(
      edition,
      askers.map(([, each]) => each.place),
    );
    for (const [at, [index]] of askers.entries()) found[index] = verses[at] ?? null;
  }
  return found;
}
