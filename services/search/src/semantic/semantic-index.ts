import { isChecksummedFileError } from '@lectern/data-files';
import type { Embedder, LexicalOverlap, OpenVectors, Ranked } from '@lectern/embeddings';
import {
  lexicalBonus,
  lexicalOverlapFile,
  openLexicalOverlap,
  openVectors,
  rank,
  textsDigest,
  vectorsFile,
} from '@lectern/embeddings';
import type { Logger } from '@lectern/serving';
import type { SearchMetrics } from '../search-metrics';
import { watchEmbedder } from './embedder-availability';
import { memoizeAsync } from './memoize-async';
import { namedVerses } from './named-verses';
import { createQueryVectors } from './query-vectors';

export interface SemanticIndexOptions {
  /** The folder that `buildSemanticIndex` has filled. */
  dataDir: string;
  /** The identifiers of the translations to open. */
  translations: readonly string[];
  /** The embedder of queries. Its model must be the model of the verse vectors. The index closes the embedder. */
  embedder: Embedder;
  /** How long a query may wait for its vector, in milliseconds. */
  timeoutMs: number;
  /** The interval between two probes of a remote endpoint, in milliseconds. 10 seconds by default. */
  probeEveryMs?: number;
  log: Logger;
}

/** What the search index knows about the texts of translations. */
export interface IndexedTexts {
  /** Returns the digest of the text of a translation. */
  digestOf(translation: string): string | undefined;
  /** Returns the language of a translation, as an ISO 639-3 code. */
  languageOf(translation: string): string;
}

interface TranslationVectors {
  /** The digest of the texts from which the vectors were made. */
  textsDigest: string;
  vectors: OpenVectors;
  /** The `maxResults` verses nearest to a query. */
  bestVerses(query: string): Promise<Ranked[]>;
}

/** The maximum number of verses in a semantic result. */
export const maxResults = 50;

/** The cached results of each translation: about 3 MB. */
const maxCachedResults = 1_000;

/**
 * Opens the vectors and the lexical overlap of each translation,
 * and starts to load the model or to probe the endpoint in the background.
 * Rejects with an error of one line, which names the repair command,
 * if a file is missing or damaged, or was made with another model or from other texts.
 */
export async function openSemanticIndex(
  options: SemanticIndexOptions & { metrics: SearchMetrics },
  texts: IndexedTexts,
) {
  const { translations, embedder, metrics, log, timeoutMs } = options;
  const vectorOf = createQueryVectors(options);
  const indexes = new Map<string, TranslationVectors>();
  const close = async (): Promise<void> => {
    await Promise.all([embedder.close(), ...Array.from(indexes.values(), ({ vectors }) => vectors.close())]);
  };
  try {
    for (const translation of translations)
      indexes.set(translation, await openTranslation(translation, options, { texts, vectorOf }));
  } catch (error) {
    await close();
    throw error;
  }
  /** Opens the vectors of a translation whose texts have changed. Until its vectors fit, it has none. */
  const refreshTranslation = async (translation: string): Promise<void> => {
    const before = indexes.get(translation);
    const expected = textsDigest(texts.digestOf, translation);
    if (before?.textsDigest === expected) return;
    indexes.delete(translation);
    // Queries in flight finish with the old vectors.
    if (before) setTimeout(() => void before.vectors.close(), 2 * timeoutMs).unref();
    try {
      const opened = await openTranslation(translation, options, { texts, vectorOf });
      if (opened.textsDigest === textsDigest(texts.digestOf, translation)) indexes.set(translation, opened);
      else await opened.vectors.close();
    } catch (error) {
      if (!isChecksummedFileError(error)) throw error;
      log.error(`${translation} has no semantic search: ${error.message}`);
    }
  };
  let refreshes: Promise<unknown> = Promise.resolve();

  if (embedder.isCircuitOpen) metrics.observeBreaker(embedder.isCircuitOpen);
  const availability = watchEmbedder(options);
  metrics.observeSemanticSearch(availability.isAvailable);

  return {
    /** Returns whether queries can be embedded now, as far as is known. */
    isAvailable: availability.isAvailable,

    /**
     * Follows changes of the texts. A translation whose vectors were made from other texts has none until
     * `buildSemanticIndex` has built them, which makes the search subgraph call this function again.
     */
    refresh(): void {
      refreshes = refreshes.then(() => Promise.all(translations.map(refreshTranslation)));
      refreshes.catch((error: unknown) => log.error({ err: error }, 'the vectors of a translation cannot be opened'));
    },

    /** Returns whether the translation has vectors. */
    has: (translation: string): boolean => indexes.has(translation),

    /**
     * Resolves with the verses nearest to the query in meaning. If the query is a reference, the verses that it names come
     * first, then the verses nearest to the first of them.
     * Resolves with none, and embeds nothing, if the translation has no vectors.
     */
    async search(translation: string, query: string, limit: number): Promise<Ranked[]> {
      const index = indexes.get(translation);
      if (!index || limit === 0) return [];
      return (await index.bestVerses(query)).slice(0, limit);
    },

    /**
     * Resolves with the verses nearest to a verse, without the verse itself.
     * Concurrent calls run as one batch.
     */
    async similar(translation: string, ordinal: number, limit: number): Promise<Ranked[]> {
      const vectors = indexes.get(translation)?.vectors;
      const vector = vectors?.vectorOf(ordinal);
      if (!vectors || !vector || limit === 0) return [];
      const nearest = await vectors.nearest({ vector, limit: limit + 1 });
      return rank(
        nearest.filter((candidate) => candidate.ordinal !== ordinal),
        limit,
      );
    },

    async close(): Promise<void> {
      availability.close();
      await refreshes.catch(() => undefined);
      await close();
    },
  };
}

export type SemanticIndex = Awaited<ReturnType<typeof openSemanticIndex>>;

async function openTranslation(
  translation: string,
  { dataDir, embedder, metrics }: SemanticIndexOptions & { metrics: SearchMetrics },
  { texts, vectorOf }: { texts: IndexedTexts; vectorOf: (query: string) => Promise<Float32Array> },
): Promise<TranslationVectors> {
  const expected = { translation, textsDigest: textsDigest(texts.digestOf, translation) };
  const overlap = await openLexicalOverlap(lexicalOverlapFile(dataDir, translation), expected);
  const vectors = await openVectors(vectorsFile(dataDir, translation), {
    ...expected,
    embedder: embedder.passageId,
  });
  const bestVerses = memoizeAsync(
    maxCachedResults,
    async (query) => {
      const named = namedVerses(query, {
        language: texts.languageOf(translation),
        ordinals: vectors.ordinals,
        limit: maxResults,
      });
      return named.length > 0
        ? rankAfter(named, vectors)
        : rankVerses({ query, vector: await vectorOf(query), vectors, overlap });
    },
    metrics.cacheRequest,
  );
  return { textsDigest: expected.textsDigest, vectors, bestVerses };
}

/** Ranks the verses that a reference names first, with the similarity 1, then the verses nearest to the first of them. */
async function rankAfter(named: readonly number[], vectors: OpenVectors): Promise<Ranked[]> {
  const vector = vectors.vectorOf(named[0] ?? 0);
  const nearest = vector ? await vectors.nearest({ vector, limit: maxResults + named.length }) : [];
  const others = nearest.filter(({ ordinal }) => !named.includes(ordinal));
  const ranked = [...named.map((ordinal) => ({ ordinal, similarity: 1 })), ...rank(others, maxResults)];
  return ranked.slice(0, maxResults);
}

interface RankVersesOptions {
  query: string;
  vector: Float32Array;
  vectors: OpenVectors;
  overlap: LexicalOverlap;
}

/**
 * Ranks by the cosine of the vectors plus a bonus for words of the query that the verse contains.
 */
async function rankVerses({ query, vector, vectors, overlap }: RankVersesOptions): Promise<Ranked[]> {
  const scores = overlap.score(query);
  return rank(await vectors.nearest({ vector, limit: maxResults, bonus: scores && lexicalBonus(scores) }), maxResults);
}
