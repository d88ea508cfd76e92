import { isTranslationIdentifier } from '@lectern/canon';
import { createEmbedder, type Embedder, embeddingsSettings, openVectors } from '@lectern/embeddings';
import { type Logger, milliseconds, type SettingValues, splitList, textFor, type WorkBudget } from '@lectern/serving';
import type { Needs, UnderstoodNeed } from '../needs';
import type { IndexedTranslation, SearchFiles } from '../store';
import type { SemanticMetrics } from './metrics';
import { createNearestRanking, type RankedVerses, type SimilarOptions } from './nearest-ranking';
import type { TopicMatch } from './phrases-file';
import { createClassifyQuery } from './query-kind';
import { createQueryVectors, memoizeAsync, watchEmbedder } from './query-vectors';
import type { Ranked } from './ranking';
import { createSharedRows, sharedVectorsFile } from './shared-rows';
import { openTopicPhrases } from './topic-phrases';
import { createVerseVectorRowsCache } from './verse-vectors';

export interface SemanticIndexOptions {
  /** The data folder, with the files that `buildSemanticFiles` has built. */
  dataDir: string;
  /** The identifiers of the translations that have semantic search. `*` stands for all translations. */
  translations: readonly string[];
  /** Embeds queries. It must have the model of the verse vectors. The index closes it. */
  embedder: Embedder;
  maxQueries: number;
  /** The maximum time to wait for a query's vector, in milliseconds. */
  timeoutMs: number;
  /** The names of topics that give no bonus. An evaluation leaves out those from which its expected results come. */
  without?: ReadonlySet<string> | undefined;
  /** The interval between probes of a remote endpoint, in milliseconds. Default: 10 seconds. */
  probeEveryMs?: number;
  log: Logger;
}

/** Resolves with null, and loads no model, if SEMANTIC_TRANSLATIONS is empty. */
export async function createSemanticOptions(
  options: Pick<SemanticIndexOptions, 'dataDir' | 'log'> & { settings: SettingValues<typeof semanticSettings> },
): Promise<SemanticIndexOptions | null> {
  const { settings, ...common } = options;
  const { SEMANTIC_TIMEOUT_MS: timeoutMs, EMBEDDINGS_QUEUE: maxQueries } = settings;
  const translations = parseTranslations(settings.SEMANTIC_TRANSLATIONS);
  if (translations.length === 0) return null;
  return { ...common, translations, maxQueries, timeoutMs, embedder: await createEmbedder(settings) };
}

export const maxResults = 50;

/** More topics than a topical Bible has. */
const maxTopics = 10_000;

const noVerses: RankedVerses = { ranked: [], need: null };

/** The maximum number of results in the cache, for all translations together. They take about 3 MB. */
const maxCachedResults = 1_000;

/**
 * Loads the model, or probes the endpoint, in the background. Rejects with an error of one line that has the repair
 * command. The time of `sharedWork`, which serves several requests, counts towards none.
 */
export async function openSemanticIndex(
  options: SemanticIndexOptions & { metrics: SemanticMetrics; needs: Needs; sharedWork: WorkBudget },
  files: SearchFiles,
) {
  const { dataDir, translations, embedder, metrics, needs, sharedWork, log } = options;
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
  const ranking = createNearestRanking({ ...vectors, ...phrases, classifyQuery, needs, versesOf, vectorOf });
  /** Creates the cache of results. The key is JSON with the translation, the digest of its text, and the query. */
  const createResultCache = () =>
    memoizeAsync(
      maxCachedResults,
      async (key, work) => {
        const [identifier = '', , query = ''] = JSON.parse(key) as string[];
        const entry = files.find(identifier);
        return entry ? ranking.rankVerses(entry, query, maxResults, work) : noVerses;
      },
      metrics.cacheRequest,
    );
  let results = createResultCache();
  const availability = watchEmbedder(options);
  metrics.observeSemanticSearch(availability.isAvailable);
  let refreshes: Promise<unknown> = Promise.resolve();

  const entryOf = (translation: string): IndexedTranslation | null =>
    isBuilt(translation) ? files.find(translation) : null;

  return {
    isBuilt,

    /** A reference's verses come first, then those nearest to the first. Without vectors, finds and embeds nothing. */
    async search(translation: string, query: string, limit: number, work: WorkBudget): Promise<RankedVerses> {
      if (!entryOf(translation) || limit <= 0) return noVerses;
      const key = JSON.stringify([translation, files.translationDigests().get(translation), query]);
      const { ranked, need } = await results(key, work);
      return { ranked: ranked.slice(0, limit), need };
    },

    /** Like `search`, but for any translations, because the shared vectors serve all, and without the cache. */
    nearest: ranking.nearest,

    /** Resolves with the need that the meaning of a query shows. Null if it shows none. */
    need: async (query: string, work: WorkBudget): Promise<UnderstoodNeed | null> =>
      (await ranking.understand(query, work)).need,

    /** Resolves with the topics nearest to the query. Embeds nothing if no topics are installed. */
    async topics(query: string, limit: number, work: WorkBudget): Promise<TopicMatch[]> {
      if (!phrases.hasTopics() || limit <= 0) return [];
      const { vector, need } = await ranking.understand(query, work);
      if (!need?.harmless) return phrases.nearestTopics(vector, limit, work);
      const { topics } = need.harmless;
      const all = await phrases.nearestTopics(vector, maxTopics, work);
      return all.filter(({ topic }) => topics.has(topic)).slice(0, limit);
    },

    /** Finds the verses nearest to a verse. Concurrent calls share one pass over the vectors. */
    async similar(translation: string, ordinal: number, options: SimilarOptions): Promise<readonly Ranked[]> {
      const entry = options.limit > 0 ? entryOf(translation) : null;
      return entry ? ranking.rankOthers(entry, ordinal, options) : [];
    },

    /** Returns the unavailable parts of semantic search, by their names in GET /ready. */
    unavailableParts: (): string[] => [
      ...(availability.isAvailable() ? [] : ['semanticSearch']),
      ...(phrases.hasTopics() ? [] : ['semanticTopics']),
      ...phrases.missingWorks().map((title) => `${title} as evidence of semanticSearch`),
    ],

    /** Drops what depends on changed translations, opens a new file of phrases, and keeps the shared vectors. */
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

/** Returns whether a list of `parseTranslations` selects a translation. `*` selects all. */
export const isSelected = (list: readonly string[], translation: string): boolean =>
  list.includes('*') || list.includes(translation);

/** Throws if an identifier of SEMANTIC_TRANSLATIONS is malformed, because it is a part of file names. */
export function parseTranslations(list: string): string[] {
  const identifiers = splitList(list);
  const malformed = identifiers.find((identifier) => identifier !== '*' && !isTranslationIdentifier(identifier));
  if (malformed !== undefined)
    throw new Error(`SEMANTIC_TRANSLATIONS names '${malformed}', which is not a translation identifier.`);
  return [...new Set(identifiers)];
}

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
