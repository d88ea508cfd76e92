import { LRUCache } from 'lru-cache';
import { type ChosenOperation, variableNames } from '../execution/operation';
import type { GatewayMetrics } from '../metrics';

export interface CacheableOperation extends ChosenOperation {
  readonly hash: string;
  /** The names of the declared variables. Null until the cache first needs them. */
  variables: readonly string[] | null;
}

export interface CacheableRequest {
  readonly operation: CacheableOperation;
  readonly operationName: string | null;
  /** The variables as the client sent them. */
  readonly variables: Readonly<Record<string, unknown>> | null;
}

export interface ResponseCacheSettings {
  /** The memory for cached responses, in bytes. 0 turns the cache off. */
  maxBytes: number;
  /** The maximum time for which a response is cached, in seconds. It bounds how long outdated data is served. */
  maxSeconds: number;
}

interface ResponseCacheOptions extends ResponseCacheSettings {
  /** Returns a number that changes whenever a subgraph reports other Bible texts than before. */
  datasetGeneration: () => number;
  metrics: Pick<GatewayMetrics, 'cacheLookup' | 'execution'>;
}

/** The codings in which compressed responses are cached, as Content-Encoding names them. */
export type ContentCoding = 'br' | 'gzip';

/** A cached response, and those of its compressed forms that clients have already asked for. */
export interface CachedBody extends Partial<Readonly<Record<ContentCoding, Buffer>>> {
  readonly body: Buffer;
  /** Until when the subgraphs allow the response to be kept, in milliseconds of `performance.now()`. */
  readonly keptUntil: number;
  /** The report of the verses whose text the response has. */
  readonly verses: string;
}

/** Returns for how many seconds the subgraphs allow a cached response to be kept from now on. */
export const secondsLeft = ({ keptUntil }: CachedBody): number => Math.max(0, (keptUntil - performance.now()) / 1_000);

/** An estimate of the bytes that a cache entry takes in addition to its key and its response. */
const bytesPerEntry = 300;

/** Caches complete responses without errors, of one supergraph. It is read only after all limits were checked. */
export function createResponseCache(options: ResponseCacheOptions) {
  const { maxBytes, maxSeconds, datasetGeneration, metrics } = options;
  const responses = new LRUCache<string, CachedBody>({
    maxSize: Math.max(1, maxBytes),
    ttl: maxSeconds * 1_000,
    sizeCalculation: ({ body, br, gzip, verses }, key) =>
      body.length + (br?.length ?? 0) + (gzip?.length ?? 0) + 2 * key.length + verses.length + bytesPerEntry,
  });

  return {
    /**
     * Returns the cache key of a request, or null for a mutation and if the cache is off. A response may depend on the
     * client's `headers` that subgraphs receive, and on the restricted translations that its API key may read.
     */
    keyFor(
      { operation, operationName, variables }: CacheableRequest,
      { headers, rights }: { headers: Readonly<Record<string, string>> | undefined; rights: string },
    ): string | null {
      if (maxBytes === 0 || operation.definition.operation !== 'query') return null;
      operation.variables ??= variableNames(operation.definition);
      const written = variables ? writeVariables(operation.variables, variables) : '';
      // The rights come before everything that clients write, so that no client can write a key with rights.
      const dataset = rights === '' ? String(datasetGeneration()) : `${datasetGeneration()} ${rights}`;
      return `${dataset} ${operation.hash}\n${operationName ?? ''}\n${written}${headers ? `\n${JSON.stringify(headers)}` : ''}`;
    },

    get(key: string): CachedBody | null {
      const cached = responses.get(key) ?? null;
      metrics.cacheLookup(cached ? 'hit' : 'miss');
      if (cached) metrics.execution('cached');
      return cached;
    },

    /** Caches a response that all its subgraphs allow to be cached for at least `maxAge` seconds. */
    set(key: string, body: string | Buffer, maxAge: number, verses = ''): CachedBody | null {
      if (maxAge <= 0) return null;
      const cached: CachedBody = { body: copyOf(body), keptUntil: performance.now() + maxAge * 1_000, verses };
      responses.set(key, cached, { ttl: Math.min(maxSeconds, maxAge) * 1_000 });
      return cached;
    },

    setCompressed(key: string, { body }: CachedBody, coding: ContentCoding, compressed: Buffer): void {
      const cached = responses.peek(key);
      if (cached?.body !== body) return;
      const ttl = Math.floor(responses.getRemainingTTL(key));
      // For lru-cache, a time to live of 0 would mean that the entry never expires.
      if (ttl >= 1) responses.set(key, { ...cached, [coding]: copyOf(compressed) }, { ttl });
    },

    size: () => ({ responses: responses.size, bytes: responses.calculatedSize }),
  };
}

export type ResponseCache = ReturnType<typeof createResponseCache>;

/** Copies a buffer: a small buffer may be a view of a large one, and would keep all of its memory in use. */
function copyOf(body: string | Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(Buffer.byteLength(body));
  if (typeof body === 'string') copy.write(body);
  else body.copy(copy);
  return copy;
}

/** Writes the declared variables as JSON, in their order. Undeclared ones do not change a response. */
function writeVariables(declared: readonly string[], variables: Readonly<Record<string, unknown>>): string {
  const values = declared.filter((name) => Object.hasOwn(variables, name)).map((name) => [name, variables[name]]);
  return values.length === 0 ? '' : JSON.stringify(values);
}
