import { isTranslationIdentifier } from '@lectern/canon';
import {
  createClassifyQuery,
  createEmbedder,
  createSharedRows,
  type Embedder,
  embeddingsSettings,
  openVectors,
  type Ranked,
  sharedVectorsFile,
  type TopicMatch,
} from '@lectern/embeddings';
import { type Logger, milliseconds, splitList, textFor, type WorkBudget } from '@lectern/serving';
import type { IndexedTranslation, SearchFiles } from '../store';
import type { SemanticMetrics } from './metrics';
import { createNearestRanking, type NearestOptions, type NearestVerses } from './nearest-ranking';
import { createQueryVectors, memoizeAsync, watchEmbedder } from './query-vectors';
import { openTopicPhrases } from './topic-phrases';
import { createVerseVectorRowsCache } from './verse-vectors';

export interface SemanticIndexOptions {
  /** The data folder, in which `buildSemanticFiles` has built the files. */
  dataDir: string;
  /** The identifiers of the translations with semantic search. `*` means all translations. */
  translations: readonly string[];
  /** Embeds queries with the model of the verse vectors. The index closes the embedder. */
  embedder: Embedder;
  /** The maximum number of queries that wait for their vectors. */
  maxQueries: number;
  /** How long a query may wait for its vector, in milliseconds. */
  timeoutMs: number;
  /** The interval between two probes of a remote endpoint. Default: 10 seconds. */
  probeEveryMs?: number;
  log: Logger;
}

/**
 * Creates the options of the semantic index from the settings. If SEMANTIC_TRANSLATIONS is empty,
 * resolves with null and loads no model.
 */
export async function createSemanticOptions({
  settings,
  dataDir,
  log,
}: {
  settings: SemanticSettings;
  dataDir: string;
  log: Logger;
}): Promise<SemanticIndexOptions | null> {
  const { SEMANTIC_TRANSLATIONS: list, SEMANTIC_TIMEOUT_MS: timeoutMs, EMBEDDINGS_QUEUE: maxQueries } = settings;
  const translations = parseTranslations(list);
  if (translations.length === 0) return null;
  return { dataDir, translations, maxQueries, timeoutMs, log, embedder: await createEmbedder(settings) };
}

/** The maximum number of verses in a semantic result. */
export const maxResults = 50;

/** The maximum number of cached results, of all translations together. They take about 3 MB. */
const maxCachedResults = 1_000;

/**
 * Opens the verse vectors that all translations share, and the phrases of topics. Starts to load
 * the model, or to probe the embedding endpoint, in the background. Reads what a translation needs
 * at its first query. Rejects if the vectors are missing, damaged or made with another model. The
 * error has one line, with the repair command. `sharedWork` runs the parts of rankings that several
 * requests share, so that their computing time counts towards no single request.
 */
export async function openSemanticIndex(
  options: SemanticIndexOptions & { metrics: SemanticMetrics; sharedWork: WorkBudget },
  files: SearchFiles,
) {
  const { dataDir, translations, embedder, metrics, sharedWork, log } = options;
  const { passageId } = embedder;
  const vectorOf = createQueryVectors(options);
  const shared = await openVectors(sharedVectorsFile(dataDir, passageId), { embedder: passageId }).catch(
    async (error: unknown) => {
      await embedder.close();
      throw error;
    },
  );
  const sharedRows = createSharedRows(shared);
  const phrases = openTopicPhrases({ ...options, rowOf: sharedRows.rowOfStandard });
  await phrases.refresh();
  const vectors = { files, shared, sharedRows, sharedWork };
  const isBuilt = (translation: string): boolean => isSelected(translations, translation);
  const verseRows = createVerseVectorRowsCache({ ...vectors, dataDir, embedder: passageId, isBuilt, log });
  const { versesOf } = verseRows;
  const classifyQuery = createClassifyQuery(embedder.id);
  const ranking = createNearestRanking({ ...vectors, ...phrases, classifyQuery, versesOf, vectorOf });
  /** Creates the cache of results. A key is JSON with the translation, the digest of its text, and the query. */
  const createResultCache = () =>
    memoizeAsync(
      maxCachedResults,
      async (key, work) => {
        const [identifier = '', , query = ''] = JSON.parse(key) as string[];
        const entry = files.find(identifier);
        return entry ? ranking.rankVerses(entry, query, maxResults, work) : [];
      },
      metrics.cacheRequest,
    );
  let results = createResultCache();
  if (embedder.isCircuitOpen) metrics.observeBreaker(embedder.isCircuitOpen);
  const availability = watchEmbedder(options);
  metrics.observeSemanticSearch(availability.isAvailable);
  let refreshes: Promise<unknown> = Promise.resolve();

  const entryOf = (translation: string): IndexedTranslation | null =>
    isBuilt(translation) ? files.find(translation) : null;
  const has = (translation: string): boolean => entryOf(translation) !== null;

  return {
    /** Returns whether `search` and `similar` find verses of the translation. */
    has,

    translations: (): string[] => [...files.translationDigests().keys()].filter(has),

    /**
     * Resolves with the verses nearest to the query in meaning. If the query is a reference, the
     * verses that it names come first, then the verses nearest to the first of them. If the
     * translation has no vectors, resolves with no verses and embeds nothing.
     */
    async search(translation: string, query: string, limit: number, work: WorkBudget): Promise<Ranked[]> {
      if (!has(translation) || limit <= 0) return [];
      const key = JSON.stringify([translation, files.translationDigests().get(translation), query]);
      return (await results(key, work)).slice(0, limit);
    },

    /**
     * Like `search`, but for several translations. They need not be named in SEMANTIC_TRANSLATIONS, because the shared
     * vectors serve all translations. Accepts any limit, and caches nothing.
     */
    nearest: (
      entries: readonly IndexedTranslation[],
      query: string,
      options: NearestOptions,
    ): Promise<NearestVerses[]> => ranking.nearest(entries, query, options),

    /** Resolves with the topics nearest to the query. Embeds nothing if there are no topics. */
    topics: async (query: string, limit: number, work: WorkBudget): Promise<TopicMatch[]> =>
      phrases.hasTopics() && limit > 0 ? phrases.nearestTopics(await vectorOf(query, work), limit, work) : [],

    /**
     * Resolves with the verses nearest to a verse, without the verse itself. The vectors of
     * concurrent calls are compared in one pass.
     */
    async similar(translation: string, ordinal: number, limit: number, work: WorkBudget): Promise<Ranked[]> {
      const entry = limit > 0 ? entryOf(translation) : null;
      return entry ? ranking.rankOthers(entry, ordinal, limit, work) : [];
    },

    isAvailable: availability.isAvailable,
    missingWorks: phrases.missingWorks,
    hasTopics: phrases.hasTopics,

    /**
     * Call this after the texts or files of translations changed. The next query of a translation
     * reads its verses and its own vectors again. Opens the phrases again if their file was
     * replaced. Drops all cached results. The shared vectors stay as they are.
     */
    refresh(): void {
      refreshes = refreshes.then(async () => {
        verseRows.clear();
        await phrases.refresh();
        results = createResultCache();
      });
      refreshes.catch((error: unknown) => log.error({ err: error }, 'the phrases of topics cannot be opened'));
    },

    async close(): Promise<void> {
      availability.close();
      await refreshes.catch(() => undefined);
      await Promise.all([embedder.close(), shared.close(), phrases.close()]);
    },
  };
}

export type SemanticIndex = Awaited<ReturnType<typeof openSemanticIndex>>;

/** Returns whether a list from `parseTranslations` selects a translation. `*` selects all. */
export const isSelected = (list: readonly string[], translation: string): boolean =>
  list.includes('*') || list.includes(translation);

/**
 * Parses SEMANTIC_TRANSLATIONS and removes duplicates. Throws if an identifier is malformed,
 * because identifiers become parts of file names.
 */
export function parseTranslations(list: string): string[] {
  const identifiers = splitList(list);
  const malformed = identifiers.find((identifier) => identifier !== '*' && !isTranslationIdentifier(identifier));
  if (malformed !== undefined)
    throw new Error(`SEMANTIC_TRANSLATIONS names '${malformed}', which is not a translation identifier.`);
  return [...new Set(identifiers)];
}

/** The settings of semantic search, with the settings of the embedding model. */
export const semanticSettings = {
  SEMANTIC_TRANSLATIONS: textFor(parseTranslations)({
    default: 'spa-rv1909',
    desc: 'The translations with semantic search: identifiers, separated by commas, or * for all. Run `npm run data` after a change. Empty: none.',
  }),
  SEMANTIC_TIMEOUT_MS: milliseconds({
    default: 4500,
    desc: "How long a query waits for its vector, in milliseconds. Later, semanticSearch alone is unavailable. Keep it below the gateway's SUBGRAPH_TIMEOUT_MS.",
  }),
  ...embeddingsSettings,
};

export type SemanticSettings = {
  readonly [Name in keyof typeof semanticSettings]: ReturnType<(typeof semanticSettings)[Name]['_parse']>;
};
