import { isChecksummedFileError } from '@lectern/data-files';
import type { Embedder, Nearest, OpenVectors, Ranked, TopicMatch, VerseValues } from '@lectern/embeddings';
import {
  createLexicalOverlap,
  createSharedRows,
  lexicalBonus,
  openVectors,
  rank,
  secondTranslation,
  sharedVectorsFile,
  textsDigest,
} from '@lectern/embeddings';
import type { Logger } from '@lectern/serving';
import { LRUCache } from 'lru-cache';
import type { IndexedTranslation, SearchFiles } from '../search-files';
import type { SearchMetrics } from '../search-metrics';
import { watchEmbedder } from './embedder-availability';
import { memoizeAsync } from './memoize-async';
import { namedVerses } from './named-verses';
import { ownVectorsFile, readOwnVectors } from './own-vectors';
import { createQueryVectors } from './query-vectors';
import { isSelected } from './selected-translations';
import { openTopicPhrases } from './topic-phrases';
import { createTranslationVerses, type TranslationVerses } from './translation-verses';

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
  log: Logger;
}

/** The maximum number of verses in a semantic result. */
export const maxResults = 50;

/** The cached results of all translations: about 3 MB. */
const maxCachedResults = 1_000;

/** The translations whose rows are kept in memory, with 0.4 MB each. */
const maxCachedTranslations = 32;

/**
 * Opens the shared vectors of verses and the phrases of topics, and starts to load the model or to probe the endpoint in
 * the background. Translations are prepared at their first query.
 * Rejects with an error of one line, which names the repair command, if the vectors are missing or damaged, or were made
 * with another model.
 */
export async function openSemanticIndex(
  options: SemanticIndexOptions & { metrics: SearchMetrics },
  files: SearchFiles,
) {
  const { dataDir, translations, embedder, metrics, log } = options;
  const vectorOf = createQueryVectors(options);
  const shared = await openSharedVectors(options);
  const sharedRows = createSharedRows(shared);
  const phrases = openTopicPhrases({
    ...options,
    positionOf: sharedRows.rowOfStandard,
    count: shared.header.count,
  });
  await phrases.refresh();
  const overlap = createLexicalOverlap(shared.header.count);

  const readOwn = async (identifier: string) => {
    const digest = textsDigest((each) => files.translationDigests().get(each), identifier);
    const expected = { embedder: embedder.passageId, translation: identifier, textsDigest: digest };
    try {
      return await readOwnVectors(ownVectorsFile(dataDir, identifier), expected);
    } catch (error) {
      if (!isChecksummedFileError(error)) throw error;
      return { error };
    }
  };

  /** Finds the verses of a translation. A verse whose vector cannot be read is not found; the others are. */
  const prepare = async (entry: IndexedTranslation): Promise<TranslationVerses> => {
    const own = await readOwn(entry.identifier);
    const verses = createTranslationVerses({
      ordinals: files.use(entry.identifier)?.index.ordinals ?? [],
      numbering: entry.numbering,
      sharedRows,
      rowCount: shared.header.count,
      own: own && 'error' in own ? null : own,
    });
    if (own && 'error' in own && verses.rows.includes(-1))
      log.error(`${entry.identifier}: semantic search lacks some verses: ${own.error.message}`);
    return verses;
  };
  const prepared = new LRUCache<IndexedTranslation, Promise<TranslationVerses>>({ max: maxCachedTranslations });
  const versesOf = (entry: IndexedTranslation): Promise<TranslationVerses> => {
    const verses = prepared.get(entry) ?? prepare(entry);
    prepared.set(entry, verses);
    verses.catch(() => prepared.delete(entry));
    return verses;
  };

  /** Returns the bonus of verses for words of the query, in the translation's own text and in the English text. */
  const wordBonus = async (entry: IndexedTranslation, query: string): Promise<VerseValues | null> => {
    const english = files.find(secondTranslation);
    const entries = [...new Set([entry, ...(english ? [english] : [])])];
    const rows = await Promise.all(entries.map(async (each) => (await versesOf(each)).rows));
    // The files may be closed while a request waits, so the code below does not await.
    const texts = entries.flatMap(({ identifier }, at) => {
      const index = files.use(identifier)?.index;
      if (!index) return [];
      const { ordinals, stemsOf, stemOccurrences: occurrences } = index;
      return [{ verseCount: ordinals.length, stemsOf, occurrences, rows: rows[at] ?? new Int32Array() }];
    });
    const scores = overlap.score(query, texts);
    return scores && lexicalBonus(scores);
  };

  /** Finds the verses of a translation that are nearest to a vector, unsorted. */
  const nearestVerses = async (
    verses: TranslationVerses,
    query: { vector: Float32Array; limit: number; bonus: VerseValues | null },
  ): Promise<Nearest[]> => [
    ...verses.versesOf(await shared.nearest({ ...query, bonus: verses.withoutAbsent(query.bonus) })),
    ...(verses.own?.compare(query.vector) ?? []),
  ];

  const vectorOfVerse = (
    verses: TranslationVerses,
    entry: IndexedTranslation,
    ordinal: number,
  ): Float32Array | null => {
    const row = sharedRows.rowOf(ordinal, entry.numbering);
    return row === null ? (verses.own?.vectorOf(ordinal) ?? null) : shared.vectorOf(shared.ordinals[row] ?? 0);
  };

  /** Ranks the verses nearest to a verse, without these verses. */
  const rankOthers = async (
    entry: IndexedTranslation,
    [ordinal = 0, ...others]: readonly number[],
    limit: number,
  ): Promise<Ranked[]> => {
    const verses = await versesOf(entry);
    const vector = vectorOfVerse(verses, entry, ordinal);
    const left = new Set([ordinal, ...others]);
    const nearest = vector ? await nearestVerses(verses, { vector, limit: limit + left.size, bonus: null }) : [];
    return rank(
      nearest.filter((each) => !left.has(each.ordinal)),
      limit,
    );
  };

  const rankVerses = async (entry: IndexedTranslation, query: string, limit: number): Promise<Ranked[]> => {
    const verses = await versesOf(entry);
    const named = namedVerses(query, { language: entry.language, ordinals: verses.ordinals, limit });
    if (named.length > 0) {
      const others = await rankOthers(entry, named, limit - named.length);
      return [...named.map((ordinal) => ({ ordinal, similarity: 1 })), ...others];
    }
    // The words are compared while the model computes in its thread.
    const [vector, words] = await Promise.all([vectorOf(query), wordBonus(entry, query)]);
    const bonus = await phrases.addEvidence(vector, words);
    return rank(await nearestVerses(verses, { vector, limit, bonus }), limit);
  };

  /** Caches ranked verses by the translation, its text and the query. */
  const createResults = () =>
    memoizeAsync(
      maxCachedResults,
      async (key) => {
        const [identifier = '', , query = ''] = JSON.parse(key) as string[];
        const entry = files.find(identifier);
        return entry ? rankVerses(entry, query, maxResults) : [];
      },
      metrics.cacheRequest,
    );
  let results = createResults();

  if (embedder.isCircuitOpen) metrics.observeBreaker(embedder.isCircuitOpen);
  const availability = watchEmbedder(options);
  metrics.observeSemanticSearch(availability.isAvailable);
  let refreshes: Promise<unknown> = Promise.resolve();
  const has = (translation: string): boolean =>
    isSelected(translations, translation) && files.find(translation) !== null;

  return {
    /** Returns the identifiers of the translations with vectors. */
    translations: (): string[] => [...files.translationDigests().keys()].filter(has),

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
        results = createResults();
      });
      refreshes.catch((error: unknown) => log.error({ err: error }, 'the phrases of topics cannot be opened'));
    },

    /** Returns whether the translation has vectors. */
    has,

    /**
     * Resolves with the verses nearest to the query in meaning. If the query is a reference, the verses that it names come
     * first, then the verses nearest to the first of them.
     * Resolves with none, and embeds nothing, if the translation has no vectors.
     */
    async search(translation: string, query: string, limit: number): Promise<Ranked[]> {
      if (!has(translation) || limit === 0) return [];
      const digest = files.translationDigests().get(translation);
      return (await results(JSON.stringify([translation, digest, query]))).slice(0, limit);
    },

    /** Like `search`, for any limit. The result is not cached. */
    async nearest(translation: string, query: string, limit: number): Promise<Ranked[]> {
      const entry = has(translation) ? files.find(translation) : null;
      return entry ? rankVerses(entry, query, limit) : [];
    },

    /** Resolves with the topics nearest to the query in meaning. Embeds nothing if there are no topics. */
    async topics(query: string, limit: number): Promise<TopicMatch[]> {
      return phrases.hasTopics() && limit > 0 ? phrases.nearestTopics(await vectorOf(query), limit) : [];
    },

    /**
     * Resolves with the verses nearest to a verse, without the verse itself.
     * Concurrent calls run as one batch.
     */
    async similar(translation: string, ordinal: number, limit: number): Promise<Ranked[]> {
      const entry = has(translation) && limit > 0 ? files.find(translation) : null;
      return entry ? rankOthers(entry, [ordinal], limit) : [];
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
