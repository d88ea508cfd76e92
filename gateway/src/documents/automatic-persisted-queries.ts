import { errors } from '@lectern/errors';
import type { Awaitable } from '../awaitable';
import { thenMaybe } from '../awaitable';
import type { GatewayMetrics } from '../gateway-metrics';
import { createPersistedQueryMemory } from './persisted-query-memory';
import { isQueryHash } from './query-hash';
import type { RedisPersistedQueries } from './redis-persisted-queries';

export interface PersistedQueriesSettings {
  /** The memory for persisted queries, in bytes. 0 turns persisted queries off. */
  maxBytes: number;
  /** The time for which a query is stored. 0 turns persisted queries off. */
  maxSeconds: number;
}

/** The share of the memory that one API key may take. */
const maxKeyShare = 1 / 16;

export const maxKeyBytesOf = ({ maxBytes }: PersistedQueriesSettings): number => Math.ceil(maxBytes * maxKeyShare);

/**
 * Automatic persisted queries as Apollo defines them. A client sends the hash of a query. If the
 * gateway does not know the hash, the client sends hash and query. The queries of each API key are
 * stored separately.
 */
export function createPersistedQueries({
  settings,
  redis,
  metrics,
}: {
  settings: PersistedQueriesSettings;
  /** The store that gateways share. Null without Redis. */
  redis: RedisPersistedQueries | null;
  metrics: Pick<GatewayMetrics, 'persistedQuery'>;
}) {
  const isOff = settings.maxBytes === 0 || settings.maxSeconds === 0;
  const memory = createPersistedQueryMemory({ ...settings, maxKeyBytes: maxKeyBytesOf(settings) });

  const find = (keyId: string, hash: string): Awaitable<string | null> => {
    const known = memory.get(keyId, hash);
    if (known !== null || !redis) return known;
    return redis.get(keyId, hash).then((query) => {
      if (query !== null) memory.set(keyId, hash, query);
      return query;
    });
  };

  return {
    /**
     * Returns the query of this hash: the query that the client sent, or else the stored query.
     * Throws `persistedQueryNotSupported`, `persistedQueryNotFound` or `invalidBody`.
     */
    resolve(keyId: string, hash: string, query: string | null): Awaitable<string> {
      if (isOff) throw errors.persistedQueryNotSupported();
      if (!isQueryHash(hash))
        throw errors.invalidBody(
          'The member "extensions.persistedQuery.sha256Hash" must be the SHA-256 hash of the query: 64 hexadecimal digits in lower case.',
        );
      if (query !== null) return query;
      return thenMaybe(find(keyId, hash), (found) => {
        metrics.persistedQuery(found === null ? 'miss' : 'hit');
        if (found === null) throw errors.persistedQueryNotFound();
        return found;
      });
    },
    /** Stores the query of a request that was executed, under the hash that the client sent. */
    register(keyId: string, hash: string, query: string): void {
      if (isOff || memory.get(keyId, hash) !== null) return;
      metrics.persistedQuery('registered');
      memory.set(keyId, hash, query);
      redis?.set(keyId, hash, query);
    },
  };
}

export type PersistedQueries = ReturnType<typeof createPersistedQueries>;
