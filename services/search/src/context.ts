import { verseOrdinal } from '@lectern/canon';
import { errors } from '@lectern/errors';
import { asError } from '@lectern/serving';
import type { Hint, WorkBudget } from '@lectern/subgraph';
import { createHintList, createPerTranslationLoader, createVerseBudget } from '@lectern/subgraph';
import DataLoader from 'dataloader';
import type { SearchPage } from './full-text/search';
import type { Need } from './needs';
import type { Ranked } from './semantic/ranking';
import type { SemanticSearch } from './semantic/search';
import type { IndexedTranslation, SearchStore, Verse } from './store';

/** The maximum number of verses whose `Verse.similar` one request selects. Each is compared with the whole Bible. */
const maxSimilarPerRequest = 200;

/** The maximum number of concurrent searches by meaning of one request. More would only wait for the model. */
const maxParallelSearches = 2;

/** A verse that is similar in meaning to a query or a verse. The similarity is from 0 to 1, with four decimals. */
export interface SimilarVerse {
  verse: Verse;
  similarity: number;
}

/** Verses that are loaded in one tick share one SQL statement for each translation. */
export function createRequestContext(store: SearchStore, semanticSearch: SemanticSearch, work: WorkBudget) {
  const verseBudget = createVerseBudget();
  const suggestions = new Map<SearchPage, string | null | Promise<string | null>>();
  const hintList = createHintList();
  let similarFields = 0;
  let embeddingCalls = 0;
  const loader = createPerTranslationLoader(work, { loadBatch: store.verses, prepare: store.verifyInSteps });
  // Waits until all verses of a batch are compared, so that one SQL statement loads all similar verses.
  const similarLoader = new DataLoader<{ verse: Verse; limit: number | null }, readonly Ranked[]>(
    (requests) =>
      Promise.all(
        requests.map(({ verse, limit }) =>
          semanticSearch
            .similar(verse.translation, verseOrdinal(verse), { limit, need: verse.need ?? null, work })
            .catch(asError),
        ),
      ),
    { cache: false },
  );

  let runningSearches = 0;
  const waitingSearches: (() => void)[] = [];

  const context = {
    work,
    embeddingCalls: () => embeddingCalls,
    hints: hintList.all,
    addHint(hint: Hint | null): void {
      if (hint) hintList.add(hint);
    },
    onEmbeddingCall(): void {
      embeddingCalls += 1;
    },

    /** Runs a search by meaning when fewer than `maxParallelSearches` of this request are running. */
    async byMeaning<Found>(search: () => Promise<Found>): Promise<Found> {
      if (runningSearches < maxParallelSearches) runningSearches += 1;
      else await new Promise<void>((resolve) => waitingSearches.push(resolve));
      try {
        const spent = work.spent();
        if (spent) throw spent;
        return await search();
      } finally {
        const next = waitingSearches.shift();
        if (next) next();
        else runningSearches -= 1;
      }
    },

    /** Resolves with the verses in the order of `ordinals`. The item of a missing verse is null. */
    async verses(translation: IndexedTranslation, ordinals: readonly number[]): Promise<(Verse | null)[]> {
      verseBudget.hold(ordinals.length);
      return ordinals.length === 0 ? [] : loader.loadMany(translation, ordinals);
    },

    /** Resolves with verses of the search index. Rejects if a verse is missing, because the index is then wrong. */
    async indexedVerses(translation: IndexedTranslation, ordinals: readonly number[]): Promise<Verse[]> {
      const verses = await context.verses(translation, ordinals);
      return verses.map((verse, index) => {
        if (!verse)
          throw new Error(`The index lists a verse without text: ${translation.identifier} ${ordinals[index]}`);
        return verse;
      });
    },

    async rankedVerses(
      translation: IndexedTranslation,
      ranked: readonly Ranked[],
      need: Need | null,
    ): Promise<SimilarVerse[]> {
      const verses = await context.indexedVerses(
        translation,
        ranked.map(({ ordinal }) => ordinal),
      );
      return verses.map((found, index) => ({
        verse: need?.harmless ? { ...found, need } : found,
        similarity: ranked[index]?.similarity ?? 0,
      }));
    },

    /** Returns the suggested query of a page. Several selections of the field share one search for it. */
    suggestion(page: SearchPage): string | null | Promise<string | null> {
      const suggestion = suggestions.get(page) ?? work.runInSteps(page.suggestion());
      suggestions.set(page, suggestion);
      return suggestion;
    },

    /** Resolves with the verses most similar to a verse. Calls in one tick of the event loop form one batch. */
    async similar(verse: Verse, limit: number | null): Promise<SimilarVerse[]> {
      if (similarFields >= maxSimilarPerRequest) throw errors.similarBudgetSpent(maxSimilarPerRequest);
      similarFields += 1;
      return context.rankedVerses(verse.translation, await similarLoader.load({ verse, limit }), verse.need ?? null);
    },
  };
  return context;
}

export type RequestContext = ReturnType<typeof createRequestContext>;
