import type { Embedder, OpenVectors, Ranked, SimilarVerses, TopicMatch } from '@lectern/embeddings';
import { createSharedRows, noSimilarVerses, openVectors, sharedVectorsFile } from '@lectern/embeddings';
import type { Logger } from '@lectern/serving';
import type { IndexedTranslation, SearchFiles } from '../search-files';
import type { SearchMetrics } from '../search-metrics';
import { watchEmbedder } from './embedder-availability';
import { memoizeAsync } from './memoize-async';
import { isSelected } from './parse-semantic-translations';
import { createPreparedTranslations } from './prepared-translations';
import { createQueryVectors } from './query-vectors';
import type { LargeRankingWork, RankingWork } from './rank-nearest';
import { atOnce, createNearestRanking } from './rank-nearest';
import { openTopicPhrases } from './topic-phrases';

export interface SemanticIndexOptions {
  /** The folder that `buildSemanticIndex` has filled. */
  dataDir: string;
  /** The identifiers of the translations with semantic search; `*` for all. */
  translations: readonly string[];
  /** The embedder of queries. Its model must be the model of the verse vectors. The index closes the embedder. */
  embedder: Embedder;
  /** How long a query may wait for its vector, in milliseconds. */
  timeoutMs: number;
  /** The interval between two probes of a remote endpoint, in milliseconds. 10 seconds by default. */
  probeEveryMs?: number;
  /** Runs the parts of rankings that several requests share. By default they run at once. */
  sharedWork?: LargeRankingWork | undefined;
  log: Logger;
}

/** The maximum number of verses in a semantic result. */
export const maxResults = 50;

/** The cached results of all translations: about 3 MB. */
const maxCachedResults = 1_000;

/**
 * Opens the shared vectors of verses and the phrases of topics, and starts to load the model or to probe the endpoint in
 * the background. Translations are prepared at their first query.
 * Rejects if the vectors are missing, damaged or made with another model. The error has one line, with the repair command.
 */
export async function openSemanticIndex(
  options: SemanticIndexOptions & { metrics: SearchMetrics },
  files: SearchFiles,
) {
  const { dataDir, embedder, metrics, log } = options;
  const vectorOf = createQueryVectors(options);
  const shared = await openSharedVectors(options);
  const sharedRows = createSharedRows(shared);
  const phrases = openTopicPhrases({ ...options, rowOf: sharedRows.rowOfStandard, count: shared.header.count });
  await phrases.refresh();
  const prepared = createPreparedTranslations({
    dataDir,
    files,
    shared,
    sharedRows,
    embedder: embedder.passageId,
    work: options.sharedWork ?? atOnce,
    log,
  });
  const { versesOf } = prepared;
  const ranking = createNearestRanking({
    files,
    shared,
    sharedRows,
    versesOf,
    vectorOf,
    addEvidence: phrases.addEvidence,
    sharedWork: options.sharedWork,
  });
  const results = createResultCache(files, ranking, metrics);
  if (embedder.isCircuitOpen) metrics.observeBreaker(embedder.isCircuitOpen);
  const availability = watchEmbedder(options);
  metrics.observeSemanticSearch(availability.isAvailable);
  let refreshes: Promise<unknown> = Promise.resolve();

  return {
    ...createSearches({ ...options, files, ranking, results, phrases, vectorOf }),

    /** Returns whether the embedder was available when it was last used. */
    isAvailable: availability.isAvailable,

    /** Returns the titles of the reference works whose phrases are missing. */
    missingWorks: phrases.missingWorks,

    /** Returns whether topics can be compared with queries. */
    hasTopics: phrases.hasTopics,

    /** Follows changes of the data: new texts, new vectors and new phrases. */
    refresh(): void {
      refreshes = refreshes.then(async () => {
        prepared.clear();
        await phrases.refresh();
        results.clear();
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

/** Opens the shared vectors. Closes the embedder if they cannot be used. */
async function openSharedVectors({ dataDir, embedder }: SemanticIndexOptions): Promise<OpenVectors> {
  const { passageId } = embedder;
  try {
    return await openVectors(sharedVectorsFile(dataDir, passageId), { embedder: passageId });
  } catch (error) {
    await embedder.close();
    throw error;
  }
}

type NearestRanking = ReturnType<typeof createNearestRanking>;

/** Caches ranked verses by the translation, its text and the query. */
function createResultCache(files: SearchFiles, { rankVerses }: NearestRanking, { cacheRequest }: SearchMetrics) {
  const create = () =>
    memoizeAsync(
      maxCachedResults,
      async (key) => {
        const [identifier = '', , query = ''] = JSON.parse(key) as string[];
        const entry = files.find(identifier);
        return entry ? rankVerses(entry, query, maxResults) : [];
      },
      cacheRequest,
    );
  let results = create();
  return {
    /** Resolves with the `maxResults` verses nearest to a query. */
    of: (translation: string, query: string): Promise<Ranked[]> =>
      results(JSON.stringify([translation, files.translationDigests().get(translation), query])),
    clear(): void {
      results = create();
    },
  };
}

interface SearchesOptions extends Pick<SemanticIndexOptions, 'translations'> {
  files: SearchFiles;
  ranking: NearestRanking;
  results: ReturnType<typeof createResultCache>;
  phrases: Pick<ReturnType<typeof openTopicPhrases>, 'hasTopics' | 'nearestTopics'>;
  vectorOf: (query: string) => Promise<Float32Array>;
}

/** Creates the searches in the translations that have vectors. */
function createSearches({ translations, files, ranking, results, phrases, vectorOf }: SearchesOptions) {
  const has = (translation: string): boolean =>
    isSelected(translations, translation) && files.find(translation) !== null;
  const entryOf = (translation: string): IndexedTranslation | null =>
    has(translation) ? files.find(translation) : null;

  return {
    /** Returns the identifiers of the translations with vectors. */
    translations: (): string[] => [...files.translationDigests().keys()].filter(has),

    /** Returns whether the translation has vectors. */
    has,

    /**
     * Resolves with the verses nearest to the query in meaning. If the query is a reference, the verses that it names come
     * first, then the verses nearest to the first of them.
     * Resolves with none, and embeds nothing, if the translation has no vectors.
     */
    search: async (translation: string, query: string, limit: number): Promise<Ranked[]> =>
      has(translation) && limit > 0 ? (await results.of(translation, query)).slice(0, limit) : [],

    /**
     * Like `search`, for any limit, with the verses in no order. The result is not cached. `work` finds the verses: thousands
     * take milliseconds.
     */
    async nearest(translation: string, query: string, limit: number, work?: RankingWork): Promise<SimilarVerses> {
      const entry = entryOf(translation);
      return entry ? ranking.nearest(entry, query, limit, work) : noSimilarVerses;
    },

    /** Resolves with the topics nearest to the query in meaning. Embeds nothing if there are no topics. */
    topics: async (query: string, limit: number): Promise<TopicMatch[]> =>
      phrases.hasTopics() && limit > 0 ? phrases.nearestTopics(await vectorOf(query), limit) : [],

    /**
     * Resolves with the verses nearest to a verse, without the verse itself.
     * Concurrent calls run as one batch.
     */
    async similar(translation: string, ordinal: number, limit: number): Promise<Ranked[]> {
      const entry = limit > 0 ? entryOf(translation) : null;
      return entry ? ranking.rankOthers(entry, ordinal, limit) : [];
    },
  };
}
