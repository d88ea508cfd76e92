import { errors } from '@lectern/errors';
import DataLoader from 'dataloader';
import type { EditionVerse, IndexedEdition, SearchStore } from './store';

/** The verses that one request may hold over all its fields: a Gospel or two, not an edition. */
export const mostVersesPerRequest = 5_000;

interface Wanted {
  edition: IndexedEdition;
  ordinals: readonly number[];
}

/**
 * Lives as long as one request. Fields that ask in the same tick share one statement an edition, and every verse that the request
 * comes to hold is counted: the field that would pass the bound throws.
 */
export function createRequestContext(store: SearchStore) {
  let held = 0;
  const loader = new DataLoader<Wanted, (EditionVerse | null)[]>(async (wanted) => load(store, wanted), { cache: false });

  return {
    /** The verses with these numbers, in their order; null where the edition has none. */
    async verses(edition: IndexedEdition, ordinals: readonly number[]): Promise<(EditionVerse | null)[]> {
      if (held + ordinals.length > mostVersesPerRequest) throw errors.verseBudgetSpent(mostVersesPerRequest);
      held += ordinals.length;
      return ordinals.length === 0 ? [] : loader.load({ edition, ordinals });
    },
  };
}

export type RequestContext = ReturnType<typeof createRequestContext>;

/** One statement an edition; each asker gets the slice that is its own. */
function load(store: SearchStore, wanted: readonly Wanted[]): (EditionVerse | null)[][] {
  const found: (EditionVerse | null)[][] = wanted.map(() => []);
  for (const edition of new Set(wanted.map((each) => each.edition))) {
    const askers = [...wanted.entries()].filter(([, each]) => each.edition === edition);
    const verses = store.verses(edition, askers.flatMap(([, each]) => each.ordinals));
    let taken = 0;
    for (const [index, { ordinals }] of askers) {
      found[index] = verses.slice(taken, taken + ordinals.length);
      taken += ordinals.length;
    }
  }
  return found;
}
