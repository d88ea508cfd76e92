import { isEmbedderError } from '@lectern/embeddings';
import { errors } from '@lectern/errors';
import type { Hint, WorkBudget } from '@lectern/subgraph';
import { clamp, validateQuery } from '../full-text/search';
import type { Need, UnderstoodNeed } from '../needs';
import type { IndexedTranslation, SearchFiles } from '../store';
import type { SemanticMetrics, SemanticQueryOutcome } from './metrics';
import { type NearestOptions, type NearestVerses, noNearestVerses, type RankedVerses } from './nearest-ranking';
import type { TopicMatch } from './phrases-file';
import { maxResults, type SemanticIndex } from './semantic-index';

const defaultLimit = 10;
const defaultSimilarLimit = 5;
const defaultTopicLimit = 5;

const maxTopics = 20;

/** Every valid query counts as an embedding call, also if the translation has no vectors or topics. */
interface SemanticQuery {
  readonly query: string;
  readonly limit: number | null;
  readonly onEmbeddingCall: () => void;
  readonly work: WorkBudget;
}

/** Validates and limits the arguments of clients. If `index` is null, semantic search finds nothing. */
export function createSemanticSearch(
  index: SemanticIndex | null,
  files: Pick<SearchFiles, 'find' | 'translationDigests'>,
  metrics: Pick<SemanticMetrics, 'semanticQuery'>,
) {
  /** Counts an embedding call and runs the search. `hasVectors` tells whether a searched translation has vectors. */
  async function countCall<Found>(
    hasVectors: boolean,
    { query, onEmbeddingCall }: Omit<SemanticQuery, 'limit' | 'work'>,
    search: () => Promise<Found>,
  ): Promise<Found> {
    validateQuery(query);
    onEmbeddingCall();
    const startedAt = performance.now();
    let outcome: SemanticQueryOutcome = 'failed';
    try {
      const found = await search();
      outcome = hasVectors ? 'succeeded' : 'no-vectors';
      return found;
    } finally {
      metrics.semanticQuery(outcome, (performance.now() - startedAt) / 1_000);
    }
  }

  const hasEmbeddings = (identifier: string): boolean =>
    index !== null && index.isBuilt(identifier) && files.find(identifier) !== null;

  return {
    isEnabled: index !== null,
    hasEmbeddings,
    translationsWithEmbeddings: (): string[] => [...files.translationDigests().keys()].filter(hasEmbeddings),

    /** Resolves with the verses nearest in meaning, or with none if the translation has no vectors. */
    search(
      translation: IndexedTranslation,
      { query, limit, onEmbeddingCall, work }: SemanticQuery,
    ): Promise<RankedVerses> {
      const wanted = clamp(limit ?? defaultLimit, 0, maxResults);
      return countCall(hasEmbeddings(translation.identifier), { query, onEmbeddingCall }, () =>
        orUnavailable(index?.search(translation.identifier, normalizeQuery(query), wanted, work), {
          ranked: [],
          need: null,
        }),
      );
    },

    /** Finds the `limit` nearest verses of each translation, in no order. Counts as one embedding call. */
    nearest(
      translations: readonly IndexedTranslation[],
      { query, onEmbeddingCall, work, meanwhile }: Omit<SemanticQuery, 'limit'> & Pick<NearestOptions, 'meanwhile'>,
      limit: number,
    ): Promise<NearestVerses[]> {
      const nothing = translations.map(() => noNearestVerses);
      return countCall(index !== null, { query, onEmbeddingCall }, () =>
        orUnavailable(index?.nearest(translations, normalizeQuery(query), { limit, work, meanwhile }), nothing),
      );
    },

    /** Resolves with the topics nearest in meaning, or with none if no topics are installed. */
    async topics({ query, limit, onEmbeddingCall, work }: SemanticQuery): Promise<TopicMatch[]> {
      validateQuery(query);
      onEmbeddingCall();
      const wanted = clamp(limit ?? defaultTopicLimit, 0, maxTopics);
      return orUnavailable(index?.topics(normalizeQuery(query), wanted, work), []);
    },

    /** Resolves with the need that the meaning of a query shows. Null if semantic search is off. */
    async need({ query, onEmbeddingCall, work }: Omit<SemanticQuery, 'limit'>): Promise<UnderstoodNeed | null> {
      if (index === null) return null;
      return countCall(true, { query, onEmbeddingCall }, () =>
        orUnavailable(index.need(normalizeQuery(query), work), null),
      );
    },

    similar(
      { identifier }: IndexedTranslation,
      ordinal: number,
      { limit, ...options }: { limit: number | null; need: Need | null; work: WorkBudget },
    ) {
      const wanted = clamp(limit ?? defaultSimilarLimit, 0, maxResults);
      return orUnavailable(index?.similar(identifier, ordinal, { limit: wanted, ...options }), []);
    },
  };
}

export type SemanticSearch = ReturnType<typeof createSemanticSearch>;

/** Resolves with `nothing` if `found` is undefined. Embedder errors become `embeddingUnavailable`. */
async function orUnavailable<Found>(found: Promise<Found> | undefined, nothing: Found): Promise<Found> {
  try {
    return (await found) ?? nothing;
  } catch (error) {
    throw isEmbedderError(error) ? errors.embeddingUnavailable() : error;
  }
}

/** Normalizes a query, so that queries that look alike share a vector: single spaces, NFC, no lone surrogates. */
const normalizeQuery = (query: string): string =>
  query
    .replaceAll(/\p{Surrogate}/gu, '\ufffd')
    .normalize('NFC')
    .trim()
    .replaceAll(/\s+/g, ' ');

const maxListed = 10;

export const hintOfSearch = (message: string): Hint => ({ coordinate: 'Query.searchVerses', message });

/** Creates the `extensions.hints` of responses with fields that find verses by meaning. */
export function createSemanticHints({
  hasEmbeddings,
  translationsWithEmbeddings,
}: Pick<SemanticSearch, 'hasEmbeddings' | 'translationsWithEmbeddings'>) {
  const toDo = (): string => {
    const available = translationsWithEmbeddings();
    if (available.length === 0) return 'This service has no translation with vectors: SEMANTIC_TRANSLATIONS sets them.';
    const listed = [...available.slice(0, maxListed), ...(available.length > maxListed ? ['...'] : [])].join(', ');
    return `Use a translation with vectors (${listed}), or ask the operator to add one to SEMANTIC_TRANSLATIONS.`;
  };

  return {
    /** Returns the hint for translations without vectors. Null if each of them has vectors. */
    withoutVectors(coordinate: string, translations: readonly IndexedTranslation[]): Hint | null {
      const lacking = translations.map(({ identifier }) => identifier).filter((each) => !hasEmbeddings(each));
      if (lacking.length === 0) return null;
      const message = `No verse is found by meaning in ${lacking.join(', ')}, because there are no vectors. ${toDo()}`;
      return { coordinate, message };
    },

    disabled: hintOfSearch(
      'No verse is found by meaning, because the operator has turned semantic search off (SEMANTIC_TRANSLATIONS).',
    ),
    onlyWords: hintOfSearch(
      'Verses were found by their words alone, because the embedding model is unavailable. Try again later.',
    ),
  };
}
