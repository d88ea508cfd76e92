import { verseOrdinal } from '@lectern/canon';
import type { Ranked } from '@lectern/embeddings';
import { errors } from '@lectern/errors';
import DataLoader from 'dataloader';
import type { SemanticSearch } from './semantic/semantic-search';
import type { IndexedTranslation, SearchStore, Verse } from './store';

/** The verses that one request may hold over all its fields: a Gospel or two, not an edition. */
export const maxVersesPerRequest = 5_000;

/** The verses of which one request may ask the neighbours: each is compared with the whole Bible. */
export const maxSimilarPerRequest = 200;

/** A verse that is near in meaning to a question or to another verse. */
export interface NearVerse {
  verse: Verse;
  similarity: number;
}

interface WantedSimilar {
  verse: Verse;
  limit: number | null;
}

interface Wanted {
  edition: IndexedTranslation;
  ordinals: readonly number[];
}

/**
 * Lives as long as one request. Fields that ask in the same tick share one statement an edition, and every verse that the request
 * comes to hold is counted: the field that would pass the bound throws.
 */
export function createRequestContext(store: SearchStore, semantic: SemanticSearch) {
  let held = 0;
  let compared = 0;
  const loader = new DataLoader<Wanted, (Verse | null)[]>(async (wanted) => load(store, wanted), {
    cache: false,
  });
  // Answered all at once, so that the verses of all neighbours are one statement too.
  const neighbours = new DataLoader<WantedSimilar, Ranked[]>(
    async (wanted) => {
      const found = await Promise.allSettled(
        wanted.map(({ verse, limit }) => semantic.similar(verse.edition, verseOrdinal(verse), limit)),
      );
      return found.map((each) => (each.status === 'fulfilled' ? each.value : asError(each.reason)));
    },
    { cache: false },
  );

  const context = {
    /** The verses with these numbers, in their order; null where the edition has none. */
    async verses(edition: IndexedTranslation, ordinals: readonly number[]): Promise<(Verse | null)[]> {
      if (held + ordinals.length > maxVersesPerRequest) throw errors.verseBudgetSpent(maxVersesPerRequest);
      held += ordinals.length;
      return ordinals.length === 0 ? [] : loader.load({ edition, ordinals });
    },

    /** The same for numbers that an index of this edition gave: every verse is there. */
    async foundVerses(edition: IndexedTranslation, ordinals: readonly number[]): Promise<Verse[]> {
      const verses = await context.verses(edition, ordinals);
      return verses.map((verse, index) => {
        if (!verse) throw new Error(`the index lacks a verse that it found: ${edition.identifier} ${ordinals[index]}`);
        return verse;
      });
    },

    /** Ranked verses with what they hold, in their order. */
    async nearVerses(edition: IndexedTranslation, ranked: readonly Ranked[]): Promise<NearVerse[]> {
      const verses = await context.foundVerses(
        edition,
        ranked.map(({ ordinal }) => ordinal),
      );
      return verses.map((verse, index) => ({ verse, similarity: ranked[index]?.similarity ?? 0 }));
    },

    /** The neighbours of a verse in meaning; all that are asked for in the same tick are compared together. */
    async similar(verse: Verse, limit: number | null): Promise<NearVerse[]> {
      if (compared >= maxSimilarPerRequest) {
        throw errors.similarBudgetSpent(maxSimilarPerRequest);
      }
      compared += 1;
      return context.nearVerses(verse.edition, await neighbours.load({ verse, limit }));
    },
  };
  return context;
}

export type RequestContext = ReturnType<typeof createRequestContext>;

/** One statement an edition; each asker gets the slice that is its own. */
function load(store: SearchStore, wanted: readonly Wanted[]): (Verse | null)[][] {
  const found: (Verse | null)[][] = wanted.map(() => []);
  for (const edition of new Set(wanted.map((each) => each.edition))) {
    const askers = [...wanted.entries()].filter(([, each]) => each.edition === edition);
    const verses = store.verses(
      edition,
      askers.flatMap(([, each]) => each.ordinals),
    );
    let taken = 0;
    for (const [index, { ordinals }] of askers) {
      found[index] = verses.slice(taken, taken + ordinals.length);
      taken += ordinals.length;
    }
  }
  return found;
}

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)));
