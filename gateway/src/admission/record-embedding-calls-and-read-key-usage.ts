import type { Environment, KeyRecord } from '@lectern/keys';
import type { KeyUsage } from '@lectern/site';
import type { RateLimit, RateLimiter } from './rate-limiter';

export interface KeyUsageParts {
  rateLimiter: RateLimiter;
  limits: { readonly key: RateLimit; readonly embeddingCalls: RateLimit };
  environment: Environment;
  /**
   * Returns whether requests are counted in memory because Redis does not respond. Null if the
   * gateway uses no Redis.
   */
  isRedisUnavailable: (() => boolean) | null;
}

/**
 * Counts the embedding calls (of semantic search) of API keys, and reads what keys have used in the
 * current UTC day.
 */
export function createKeyUsage({ rateLimiter, limits, environment, isRedisUnavailable }: KeyUsageParts) {
  return {
    addEmbeddingCalls(keyId: string, calls: number): void {
      rateLimiter.add({ limit: limits.embeddingCalls, subject: keyId }, calls);
    },
    /**
     * Resolves with what a key has used today. Resolves with null for a key of the other
     * environment (`test` or `live`), because the gateways of that environment count the key's
     * requests.
     */
    async today({ id, environment: keyEnvironment, requestsPerDay }: KeyRecord): Promise<KeyUsage | null> {
      if (keyEnvironment !== environment) return null;
      const max = requestsPerDay ?? limits.key.max;
      const [requests = 0, embeddingCalls = 0] = await rateLimiter.used([
        { limit: limits.key, subject: id },
        { limit: limits.embeddingCalls, subject: id },
      ]);
      return {
        // Without a quota, the rate limiter does not count requests.
        requests: max > 0 ? { count: requests, max } : null,
        embeddingCalls,
        isOfOneGateway: isRedisUnavailable?.() ?? false,
      };
    },
  };
}
