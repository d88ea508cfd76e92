import type { Place } from '@lectern/canon';
import DataLoader from 'dataloader';
import type { IndexedEdition, IndexedVerse } from './indexed-edition';
import type { ConcordanceStore } from './store';

interface Wanted {
  edition: IndexedEdition;
  place: Place;
}

/** Lives as long as one request. Verses that are asked for in the same tick share one statement an edition. */
export function createRequestContext(store: ConcordanceStore) {
  const loader = new DataLoader<Wanted, IndexedVerse | null>(async (wanted) => load(store, wanted), { cache: false });
  return {
    /** Null when the edition has no such verse. */
    verse: (edition: IndexedEdition, place: Place): Promise<IndexedVerse | null> => loader.load({ edition, place }),
  };
}

export type RequestContext = ReturnType<typeof createRequestContext>;

function load(store: ConcordanceStore, wanted: readonly Wanted[]): (IndexedVerse | null)[] {
  const found: (IndexedVerse | null)[] = wanted.map(() => null);
  for (const edition of new Set(wanted.map((each) => each.edition))) {
    const askers = [...wanted.entries()].filter(([, each]) => each.edition === edition);
    const verses = store.verses(edition, askers.map(([, each]) => each.place));
    for (const [at, [index]] of askers.entries()) found[index] = verses[at] ?? null;
  }
  return found;
}
