import { type Embedder, isEmbedderError } from '@lectern/embeddings';
import { errors, isPublicError } from '@lectern/errors';
import { createOutageReporter, type Logger, type WorkBudget } from '@lectern/serving';
import { LRUCache } from 'lru-cache';
import type { SemanticMetrics } from './metrics';

/** Caches no rejections. Concurrent calls of one client share a load, a hit. Others do not: each client takes turns. */
export function memoizeAsync<Value extends object>(
  maxEntries: number,
  load: (key: string, work: WorkBudget) => Promise<Value>,
  onLookup: (result: 'hit' | 'miss') => void = () => {},
) {
  const cache = new LRUCache<string, Value>({ max: maxEntries });
  const inFlight = new Map<string, Promise<Value>>();

  const start = async (name: string, key: string, work: WorkBudget): Promise<Value> => {
    try {
      const value = await load(key, work);
      cache.set(key, value);
      return value;
    } finally {
      inFlight.delete(name);
    }
  };

  return async function find(key: string, work: WorkBudget): Promise<Value> {
    const name = `${work.clients.join(' ')} ${key}`;
    const cached = cache.get(key);
    const shared = inFlight.get(name);
    onLookup(cached || shared ? 'hit' : 'miss');
    if (cached) return cached;
    const value = shared ?? start(name, key, work);
    if (!shared) inFlight.set(name, value);
    return value.catch((error: unknown) => {
      // The request that began the load has no time left, but this one has. It loads again.
      if (shared && isTooExpensive(error) && !work.spent()) return find(key, work);
      throw error;
    });
  };
}

const isTooExpensive = (error: unknown): boolean =>
  isPublicError(error) && error.extensions.code === errors.requestTooExpensive.code;

interface QueryVectorsOptions {
  embedder: Pick<Embedder, 'embedQueries' | 'parallelQueries'>;
  maxQueries: number;
  timeoutMs: number;
  metrics: Pick<SemanticMetrics, 'embedding'>;
  log: Logger;
}

interface WaitingQuery {
  readonly clients: readonly string[];
  readonly work: WorkBudget;
  readonly begin: () => void;
}

/** A vector takes 1.5 kB with the built-in model, and 16 kB with 4,096 dimensions. */
const maxCachedVectors = 2_000;

const logIntervalMs = 10_000;

/** Clients take turns. Rejects with `embeddingUnavailable` (failure, timeout, full queue) or `requestTooExpensive`. */
export function createQueryVectors({ embedder, maxQueries, timeoutMs, metrics, log }: QueryVectorsOptions) {
  let [loggedAt, failures, running] = [Number.NEGATIVE_INFINITY, 0, 0];
  const waiting: WaitingQuery[] = [];

  /** Logs the first failure at once, and afterwards at most one line in `logIntervalMs`. */
  const logFailure = (reason: string): void => {
    failures += 1;
    if (performance.now() - loggedAt < logIntervalMs) return;
    log.warn({ reason, queries: failures }, 'queries could not be embedded');
    [loggedAt, failures] = [performance.now(), 0];
  };

  const beginNext = (): void => {
    while (running < embedder.parallelQueries && waiting.length > 0) {
      running += 1;
      waiting[0]?.work.takeNext(waiting)?.begin();
    }
  };

  /** Resolves when it is the client's turn. Rejects if `signal` is aborted before. */
  const waitForTurn = (work: WorkBudget, signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const cancel = (): void => {
        waiting.splice(waiting.indexOf(query), 1);
        reject(signal.reason);
      };
      const query: WaitingQuery = {
        clients: work.clients,
        work,
        begin() {
          signal.removeEventListener('abort', cancel);
          resolve();
        },
      };
      signal.addEventListener('abort', cancel, { once: true });
      waiting.push(query);
      beginNext();
    });

  /** Computes a vector in the client's turn. Rejects if `signal` is aborted. */
  const compute = async (query: string, work: WorkBudget, signal: AbortSignal): Promise<Float32Array> => {
    await waitForTurn(work, signal);
    try {
      const spent = work.spent();
      if (spent) throw spent;
      const startedAt = performance.now();
      let isReported = false;
      const onComputed = (ms: number): void => {
        isReported = true;
        work.add(ms);
      };
      const [vector] = await embedder.embedQueries([query], { signal, onComputed }).finally(() => {
        // An endpoint reports no computing time. Its time counts for the turns of clients, but not against the budget.
        if (!isReported) work.addTurnTime(performance.now() - startedAt);
      });
      if (!vector) throw new Error('The embedder returned no vector');
      return vector;
    } finally {
      running -= 1;
      beginNext();
    }
  };

  const embed = async (query: string, work: WorkBudget): Promise<Float32Array> => {
    const signal = AbortSignal.timeout(timeoutMs);
    const startedAt = performance.now();
    try {
      const vector = await compute(query, work, signal);
      metrics.embedding('embedded', (performance.now() - startedAt) / 1_000);
      return vector;
    } catch (error) {
      if (isTooExpensive(error)) throw error;
      metrics.embedding('failed', (performance.now() - startedAt) / 1_000);
      if (!signal.aborted && !isEmbedderError(error)) throw error;
      logFailure(signal.aborted ? `no vector within ${timeoutMs} ms` : String(error));
      throw errors.embeddingUnavailable();
    }
  };

  return memoizeAsync(maxCachedVectors, async (query, work) => {
    if (waiting.length >= maxQueries) {
      logFailure(`${maxQueries} queries wait already`);
      throw errors.embeddingUnavailable();
    }
    return embed(query, work);
  });
}

interface WatchedEmbedder {
  embedder: Pick<Embedder, 'warm' | 'probe' | 'isCircuitOpen'>;
  probeEveryMs?: number;
  log: Logger;
}

/** Loads a local model, or probes an endpoint regularly, because requests would notice a failure too late. */
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
    /** Returns whether queries can be embedded, as far as the last load, probe or request shows. */
    isAvailable: (): boolean => !isModelMissing && !outage.isOngoing() && embedder.isCircuitOpen?.() !== true,
    close(): void {
      closed = true;
      clearTimeout(timer);
    },
  };
}
