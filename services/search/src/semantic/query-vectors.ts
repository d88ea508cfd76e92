import { type Embedder, isEmbedderError } from '@lectern/embeddings';
import { errors } from '@lectern/errors';
import { createOutageReporter, type Logger } from '@lectern/serving';
import { LRUCache } from 'lru-cache';
import type { SemanticMetrics } from './metrics';

/**
 * Returns a function that calls `load` and caches at most `maxEntries` results. Concurrent calls
 * with the same key share one load, which counts as a hit. A rejected load is not cached.
 */
export function memoizeAsync<Value>(
  maxEntries: number,
  load: (key: string) => Promise<Value>,
  onLookup: (result: 'hit' | 'miss') => void = () => {},
) {
  const cache = new LRUCache<string, Promise<Value>>({ max: maxEntries });
  return (key: string): Promise<Value> => {
    const cached = cache.get(key);
    onLookup(cached ? 'hit' : 'miss');
    if (cached) return cached;
    const value = load(key);
    cache.set(key, value);
    value.catch(() => {
      if (cache.peek(key) === value) cache.delete(key);
    });
    return value;
  };
}

interface QueryVectorsOptions {
  embedder: Pick<Embedder, 'embedQueries'>;
  timeoutMs: number;
  metrics: Pick<SemanticMetrics, 'embedding'>;
  log: Logger;
}

/** A vector of the built-in model takes 1.5 kB, and a vector of 4,096 dimensions takes 16 kB. */
const maxCachedVectors = 2_000;

/** The maximum number of different queries in flight. An embedder may have a smaller maximum. */
const maxInFlight = 2_000;

const logIntervalMs = 10_000;

/**
 * Returns a function that resolves with the vector of a query. It rejects with
 * `embeddingUnavailable` if the embedder fails, no vector arrives within `timeoutMs`, or too many
 * queries are in flight.
 */
export function createQueryVectors({ embedder, timeoutMs, metrics, log }: QueryVectorsOptions) {
  let [loggedAt, failures, inFlight] = [Number.NEGATIVE_INFINITY, 0, 0];

  /** Logs the first failure at once, and then at most one line in `logIntervalMs`. */
  const logFailure = (reason: string): void => {
    failures += 1;
    if (performance.now() - loggedAt < logIntervalMs) return;
    log.warn({ reason, queries: failures }, 'queries could not be embedded');
    [loggedAt, failures] = [performance.now(), 0];
  };

  const embed = async (query: string): Promise<Float32Array> => {
    const signal = AbortSignal.timeout(timeoutMs);
    const startedAt = performance.now();
    try {
      const [vector] = await embedder.embedQueries([query], { signal });
      if (!vector) throw new Error('The embedder returned no vector');
      metrics.embedding('embedded', (performance.now() - startedAt) / 1_000);
      return vector;
    } catch (error) {
      metrics.embedding('failed', (performance.now() - startedAt) / 1_000);
      if (!signal.aborted && !isEmbedderError(error)) throw error;
      logFailure(signal.aborted ? `no vector within ${timeoutMs} ms` : String(error));
      throw errors.embeddingUnavailable();
    }
  };

  return memoizeAsync(maxCachedVectors, async (query) => {
    if (inFlight >= maxInFlight) {
      logFailure(`${maxInFlight} queries are in flight already`);
      throw errors.embeddingUnavailable();
    }
    inFlight += 1;
    return embed(query).finally(() => {
      inFlight -= 1;
    });
  });
}

interface WatchedEmbedder {
  embedder: Pick<Embedder, 'warm' | 'probe' | 'isCircuitOpen'>;
  probeEveryMs?: number;
  log: Logger;
}

/**
 * Loads a local model, or probes a remote embedding endpoint at once and then at an interval.
 * Without probes, only a failing request of a client would show that the endpoint does not respond.
 */
export function watchEmbedder({ embedder, probeEveryMs = 10_000, log }: WatchedEmbedder) {
  let isModelMissing = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  const outage = createOutageReporter(log, {
    began: 'the embedding endpoint does not respond: semanticSearch is unavailable',
    ended: 'the embedding endpoint responds again: semanticSearch is available',
  });

  const probe = async (): Promise<void> => {
    try {
      await embedder.probe?.();
      if (!closed) outage.end();
    } catch (error) {
      if (!closed) outage.begin(error);
    }
    if (!closed) timer = setTimeout(() => void probe(), probeEveryMs).unref();
  };

  embedder.warm().catch((error: unknown) => {
    if (closed) return;
    isModelMissing = true;
    log.error({ err: error }, 'the model for semantic search cannot be loaded: semanticSearch is unavailable');
  });
  if (embedder.probe) void probe();

  return {
    /** Whether queries can be embedded, as far as is known. */
    isAvailable: (): boolean => !isModelMissing && !outage.isOngoing() && embedder.isCircuitOpen?.() !== true,
    /** Stops the probes. */
    close(): void {
      closed = true;
      clearTimeout(timer);
    },
  };
}
