import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { GatewayMetrics } from '../metrics';
import type { Awaitable } from '../shared/awaitable';
import type { Cacheability, UncacheableFields } from './cacheability';
import { findCacheability } from './cacheability';
import type { SecondLevelCache, SecondLevelEntry } from './redis';

export interface CacheableOperation {
  readonly document: DocumentNode;
  readonly definition: OperationDefinitionNode;
  /** A hash that identifies the document's text and the operation. */
  readonly hash: string;
  /** Whether responses to the operation may be cached. Null until the cache first needs this. */
  cacheability: Cacheability | null;
}

export interface CacheableRequest {
  readonly operation: CacheableOperation;
  /** The operation name as the client sent it. Null if the client sent none. */
  readonly operationName: string | null;
  /** The variables as the client sent them. Null if the client sent none. */
  readonly variables: Readonly<Record<string, unknown>> | null;
}

/** The keys of the response to one request, in this process and in the second-level cache. */
export interface CacheKey {
  /**
   * The key in this process. It begins with the number of changes of the subgraphs' Bible texts, so
   * a response from older texts is not found.
   */
  readonly local: string;
  /** The hash of the operation, the operation name that the client sent, and the variables. */
  readonly request: string;
  /**
   * The entry in the second-level cache (Redis), to which `set` also writes. Null until `get` has
   * looked there, and if the second-level cache is off or cannot be used.
   */
  secondLevel: SecondLevelEntry | null;
}

export interface ResponseCacheOptions {
  schema: GraphQLSchema;
  uncacheableFields: UncacheableFields;
  /** The memory for cached responses, in bytes. 0 turns the cache off. */
  maxBytes: number;
  /**
   * The time for which a response is cached. The time bounds how long a response outlives the data
   * from which it was made.
   */
  maxSeconds: number;
  /** Returns a number that changes whenever a subgraph reports other Bible texts than before. */
  datasetGeneration: () => number;
  secondLevel: SecondLevelCache | null;
  metrics: Pick<GatewayMetrics, 'cacheLookup' | 'execution'>;
}

/** The codings in which compressed responses are cached, as Content-Encoding names them. */
export type ContentCoding = 'br' | 'gzip';

/** A cached response, and its compressed forms as far as clients have asked for them. */
export interface CachedBody extends Partial<Readonly<Record<ContentCoding, Buffer>>> {
  readonly body: Buffer;
}

/** Bytes that an entry takes beside its key and its response. */
const bytesPerEntry = 300;

/**
 * Caches complete responses without errors as bytes, by document, operation and variables. The
 * gateway reads the cache only after it has authenticated, limited and validated the request. The
 * cache belongs to one supergraph. When the supergraph is replaced, the cached responses are
 * dropped.
 */
export function createResponseCache({
  schema,
  uncacheableFields,
  maxBytes,
  maxSeconds,
  datasetGeneration,
  secondLevel,
  metrics,
}: ResponseCacheOptions) {
  const responses =
    maxBytes === 0
      ? null
      : new LRUCache<string, CachedBody>({
          maxSize: maxBytes,
          sizeCalculation: ({ body, br, gzip }, key) =>
            body.length + (br?.length ?? 0) + (gzip?.length ?? 0) + 2 * key.length + bytesPerEntry,
        });

  const store = (key: string, body: string | Buffer, milliseconds: number): CachedBody => {
    const cached: CachedBody = { body: copyOf(body) };
    responses?.set(key, cached, { ttl: milliseconds });
    return cached;
  };

  const getFromSecondLevel = async (key: CacheKey, entry: SecondLevelEntry): Promise<CachedBody | null> => {
    const found = await entry.get();
    if (!found) return null;
    metrics.execution('cached');
    return store(key.local, found.body, found.remainingMs);
  };

  return {
    /**
     * Returns the cache key of a request. Returns null if the response must not be cached, or if
     * the cache is off.
     */
    keyFor({ operation, operationName, variables }: CacheableRequest): CacheKey | null {
      if (!responses) return null;
      const { document, definition, hash } = operation;
      operation.cacheability ??= findCacheability(schema, uncacheableFields, document, definition);
      if (operation.cacheability.kind === 'uncacheable') return null;
      const { requiredVariables, variables: declared } = operation.cacheability;
      if (requiredVariables.some((name) => (variables?.[name] ?? null) === null)) return null;
      const request = `${hash}\n${operationName ?? ''}\n${variables ? writeVariables(declared, variables) : ''}`;
      return { local: `${datasetGeneration()} ${request}`, request, secondLevel: null };
    },

    /** Looks for the response in this process, then in the second-level cache. */
    get(key: CacheKey): Awaitable<CachedBody | null> {
      const cached = responses?.get(key.local) ?? null;
      metrics.cacheLookup(cached ? 'hit' : 'miss');
      if (cached) {
        metrics.execution('cached');
        return cached;
      }
      key.secondLevel = secondLevel ? secondLevel(key.request) : null;
      return key.secondLevel && getFromSecondLevel(key, key.secondLevel);
    },

    /** Stores a response without errors in this process and in the second-level cache. */
    set(key: CacheKey, body: string | Buffer): CachedBody {
      key.secondLevel?.set(body);
      return store(key.local, body, maxSeconds * 1_000);
    },

    /**
     * Stores a compressed form of a response in this process, for as long as the response stays
     * cached. Does nothing if the response is no longer cached.
     */
    setCompressed(key: CacheKey, { body }: CachedBody, coding: ContentCoding, compressed: Buffer): void {
      const cached = responses?.peek(key.local);
      if (!responses || cached?.body !== body) return;
      const ttl = Math.floor(responses.getRemainingTTL(key.local));
      // For lru-cache, a time to live of 0 would mean that the entry never expires.
      if (ttl < 1) return;
      responses.set(key.local, { ...cached, [coding]: copyOf(compressed) }, { ttl });
    },

    size: () => ({ responses: responses?.size ?? 0, bytes: responses?.calculatedSize ?? 0 }),
  };
}

export type ResponseCache = ReturnType<typeof createResponseCache>;

/**
 * Returns a copy that owns its memory. A small buffer may be a slice of a larger buffer, which
 * would stay in memory as a whole.
 */
function copyOf(body: string | Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(Buffer.byteLength(body));
  if (typeof body === 'string') copy.write(body);
  else body.copy(copy);
  return copy;
}

/**
 * Writes the declared variables, in the order of their declaration. Other variables do not change
 * the response.
 */
function writeVariables(declared: readonly string[], variables: Readonly<Record<string, unknown>>): string {
  const values = declared.filter((name) => Object.hasOwn(variables, name)).map((name) => [name, variables[name]]);
  return values.length === 0 ? '' : JSON.stringify(values);
}
