import type { Embedder, LexicalOverlap, OpenVectors, Ranked } from '@lectern/embeddings';
import {
  lexicalBonus,
  lexicalOverlapFile,
  openLexicalOverlap,
  openVectors,
  rank,
  vectorsFile,
} from '@lectern/embeddings';
import type { Logger } from '@lectern/serving';
import type { SearchMetrics } from '../metrics';
import { memoizeAsync } from './memoize-async';
import { createQueryVectors } from './query-vectors';

export interface SemanticIndexOptions {
  /** The folder that `buildSemanticIndex` has filled. */
  dataDir: string;
  /** The identifiers of the editions that it was built for. */
  translations: readonly string[];
  /** The one that made the vectors, or they are refused. Whoever opens hands it over: it is closed with the rest. */
  embedder: Embedder;
  /** How long a question may wait for its vector, in milliseconds. */
  timeoutMs: number;
  log: Logger;
}

interface Index {
  vectors: OpenVectors;
  /** The best verses for a question, as many as anybody may ask for. */
  best(question: string): Promise<Ranked[]>;
}

/** The most verses that a question is answered with. */
export const maxResults = 50;

/** Questions whose answers stay at hand, an edition: some 3 MB. */
const answersKept = 1_000;

/**
 * Opens the vectors and words of the editions, and begins to load the model without waiting for it. Files that are missing, damaged, of
 * another model or not made from this corpus are refused with one line that names the command which mends them.
 */
export async function openSemanticIndex(
  {
    dataDir,
    translations,
    embedder,
    timeoutMs,
    log,
    observations,
  }: SemanticIndexOptions & { observations: SearchMetrics },
  corpusDigest: string,
) {
  const vectorOf = createQueryVectors({ embedder, timeoutMs, log, observations });
  const indexes = new Map<string, Index>();
  let closed = false;
  const close = async (): Promise<void> => {
    closed = true;
    await Promise.all([embedder.close(), ...Array.from(indexes.values(), ({ vectors }) => vectors.close())]);
  };
  try {
    for (const translation of translations) {
      const coverage = await openLexicalOverlap(lexicalOverlapFile(dataDir, translation), {
        translation,
        corpusDigest,
      });
      const vectors = await openVectors(vectorsFile(dataDir, translation), {
        translation,
        corpusDigest,
        embedder: embedder.id,
      });
      const best = memoizeAsync(
        answersKept,
        async (question) => compare({ question, vector: await vectorOf(question), vectors, coverage }),
        observations.remembered,
      );
      indexes.set(translation, { vectors, best });
    }
  } catch (error) {
    await close();
    throw error;
  }
  const { isCircuitOpen } = embedder;
  if (isCircuitOpen) observations.watchEmbedder(isCircuitOpen);
  embedder.warm().catch((error: unknown) => {
    if (!closed)
      log.error({ err: error }, 'the model for semantic search cannot be loaded: semanticSearch is unavailable');
  });

  return {
    /** Whether the edition has vectors. */
    has: (translation: string): boolean => indexes.has(translation),

    /** The verses nearest to what a question means. None without embedding anything where there are no vectors to compare with. */
    async search(translation: string, question: string, limit: number): Promise<Ranked[]> {
      const index = indexes.get(translation);
      if (!index || limit === 0) return [];
      return (await index.best(question)).slice(0, limit);
    },

    /** The verses nearest to a verse, without it. Those asked for in one go are compared together. */
    async similar(translation: string, ordinal: number, limit: number): Promise<Ranked[]> {
      const vectors = indexes.get(translation)?.vectors;
      const vector = vectors?.vectorOf(ordinal);
      if (!vectors || !vector || limit === 0) return [];
      const found = await vectors.nearest({ vector, limit: limit + 1 });
      return rank(
        found.filter((each) => each.ordinal !== ordinal),
        limit,
      );
    },

    close,
  };
}

interface Compared {
  question: string;
  vector: Float32Array;
  vectors: OpenVectors;
  coverage: LexicalOverlap;
}

async function compare({ question, vector, vectors, coverage }: Compared): Promise<Ranked[]> {
  const covered = coverage.score(question);
  return rank(
    await vectors.nearest({ vector, limit: maxResults, bonus: covered && lexicalBonus(covered) }),
    maxResults,
  );
}

export type SemanticIndex = Awaited<ReturnType<typeof openSemanticIndex>>;
