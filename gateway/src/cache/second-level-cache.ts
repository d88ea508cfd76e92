import { createHash } from 'node:crypto';
import type { GatewayMetrics } from '../gateway-metrics';
import type { CachedResponse, RedisCache } from './redis-response-cache';

/**
 * The dataset (the Bible texts) that a graph's subgraphs serve, as far as they have reported it.
 */
export interface ServedDataset {
  /**
   * Returns the dataset version (a digest) that all subgraphs report. Subgraphs whose responses
   * have never had a version are ignored. Returns null if the version of another subgraph is not
   * known yet, or if the versions differ.
   */
  datasetVersion(): string | null;
  /** Returns a number that changes whenever a subgraph reports another dataset than before. */
  datasetGeneration(): number;
}

export interface SecondLevelCacheOptions {
  redisCache: Pick<RedisCache, 'isAvailable' | 'keyFor' | 'get' | 'set'>;
  supergraphSdl: string;
  dataset: ServedDataset;
  metrics: Pick<GatewayMetrics, 'sharedCacheLookup'>;
}

/** The entry of one request in the second-level cache. */
export interface SecondLevelEntry {
  /**
   * Resolves to the cached response. Resolves to null if there is no response, if the response
   * cannot be read in time, or if the dataset has changed meanwhile. Never rejects.
   */
  get(): Promise<CachedResponse | null>;
  set(body: string | Buffer): void;
}

/**
 * Returns the entry of a request. Returns null while Redis is unavailable or the dataset version is
 * unknown.
 */
export type SecondLevelCache = (request: string) => SecondLevelEntry | null;

/**
 * Shares the cached responses of one supergraph among gateways, in Redis. The key of an entry names
 * the supergraph, the dataset version and the request. If a subgraph reports another dataset during
 * the request, a response may be from either dataset. So a response from Redis is then not used,
 * and a new response is not written to Redis.
 */
export function createSecondLevelCache({
  redisCache,
  supergraphSdl,
  dataset,
  metrics,
}: SecondLevelCacheOptions): SecondLevelCache {
  const supergraphHash = createHash('sha256').update(supergraphSdl).digest('hex');

  return (request) => {
    const version = dataset.datasetVersion();
    if (version === null || !redisCache.isAvailable()) {
      metrics.sharedCacheLookup('skipped');
      return null;
    }
    const generation = dataset.datasetGeneration();
    const isSameDataset = (): boolean => dataset.datasetGeneration() === generation;
    const key = redisCache.keyFor([supergraphHash, version, request]);
    return {
      async get() {
        try {
          const cached = await redisCache.get(key);
          const usable = isSameDataset() ? cached : null;
          metrics.sharedCacheLookup(usable ? 'hit' : 'miss');
          return usable;
        } catch {
          metrics.sharedCacheLookup('failed');
          return null;
        }
      },
      set(body) {
        if (isSameDataset()) redisCache.set(key, body);
      },
    };
  };
}
