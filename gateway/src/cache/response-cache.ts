import { type DocumentNode, type GraphQLSchema, Kind, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import { LRUCache } from 'lru-cache';
import { type ChosenOperation, variableNames } from '../execution/operation';
import type { GatewayMetrics } from '../metrics';
import { readDirectives } from '../supergraph/directives';

export interface CacheableOperation extends ChosenOperation {
  /** A hash that identifies the document's text and the operation. */
  readonly hash: string;
  /** Null until the cache first needs the cacheability of the operation and computes it. */
  cacheability: Cacheability | null;
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
  /** The time for which a response is cached, in seconds. It bounds how long outdated data is served. */
  maxSeconds: number;
}

interface ResponseCacheOptions extends ResponseCacheSettings {
  schema: GraphQLSchema;
  uncacheableFields: UncacheableFields;
  /** Returns a number that changes whenever a subgraph reports other Bible texts than before. */
  datasetGeneration: () => number;
  metrics: Pick<GatewayMetrics, 'cacheLookup' | 'execution'>;
}

/** The codings in which compressed responses are cached, as Content-Encoding names them. */
export type ContentCoding = 'br' | 'gzip';

/** A cached response, and those of its compressed forms that clients have already asked for. */
export interface CachedBody extends Partial<Readonly<Record<ContentCoding, Buffer>>> {
  readonly body: Buffer;
}

/** An estimate of the bytes that a cache entry takes in addition to its key and its response. */
const bytesPerEntry = 300;

/**
 * Creates the cache of complete responses without errors, as bytes, for one supergraph. A request reads the cache only
 * after all limits have been checked.
 */
export function createResponseCache(options: ResponseCacheOptions) {
  const { schema, uncacheableFields, maxBytes, maxSeconds, datasetGeneration, metrics } = options;
  const responses = new LRUCache<string, CachedBody>({
    maxSize: Math.max(1, maxBytes),
    ttl: maxSeconds * 1_000,
    sizeCalculation: ({ body, br, gzip }, key) =>
      body.length + (br?.length ?? 0) + (gzip?.length ?? 0) + 2 * key.length + bytesPerEntry,
  });

  return {
    /** Returns the cache key of a request, or null if its response must not be cached or the cache is off. */
    keyFor({ operation, operationName, variables }: CacheableRequest): string | null {
      if (maxBytes === 0) return null;
      operation.cacheability ??= findCacheability(schema, uncacheableFields, operation);
      if (operation.cacheability.kind === 'uncacheable') return null;
      const { requiredVariables, variables: declared } = operation.cacheability;
      if (requiredVariables.some((name) => (variables?.[name] ?? null) === null)) return null;
      const written = variables ? writeVariables(declared, variables) : '';
      return `${datasetGeneration()} ${operation.hash}\n${operationName ?? ''}\n${written}`;
    },

    get(key: string): CachedBody | null {
      const cached = responses.get(key) ?? null;
      metrics.cacheLookup(cached ? 'hit' : 'miss');
      if (cached) metrics.execution('cached');
      return cached;
    },

    set(key: string, body: string | Buffer): CachedBody {
      const cached: CachedBody = { body: copyOf(body) };
      responses.set(key, cached);
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

/**
 * Writes the declared variables as JSON, in the order of their declaration. Undeclared variables do not change a
 * response.
 */
function writeVariables(declared: readonly string[], variables: Readonly<Record<string, unknown>>): string {
  const values = declared.filter((name) => Object.hasOwn(variables, name)).map((name) => [name, variables[name]]);
  return values.length === 0 ? '' : JSON.stringify(values);
}

/**
 * The fields that declare `@cacheControl(maxAge: 0)`, by `Type.field`. Their values may differ from
 * request to request. With a value for the argument `unlessArgument`, the field is cacheable. If
 * `unlessArgument` is null, the field is never cacheable.
 */
type UncacheableFields = ReadonlyMap<string, { unlessArgument: string | null }>;

export const readUncacheableFields = (supergraph: DocumentNode): UncacheableFields =>
  new Map(
    [...readDirectives(supergraph, 'https://lectern.example/cache/', 'cacheControl')]
      .filter(([, { maxAge }]) => maxAge === 0)
      .map(([field, { unlessArgument }]) => [
        field,
        { unlessArgument: typeof unlessArgument === 'string' ? unlessArgument : null },
      ]),
  );

type Cacheability =
  | { readonly kind: 'uncacheable' }
  | {
      readonly kind: 'cacheable';
      /** The response is cacheable only if these variables have a value other than null. */
      readonly requiredVariables: readonly string[];
      readonly variables: readonly string[];
    };

/**
 * Finds out whether responses to an operation are cacheable. Reads the whole document: an unused fragment may make a
 * cacheable response uncacheable, which only costs cache hits.
 */
function findCacheability(
  schema: GraphQLSchema,
  uncacheableFields: UncacheableFields,
  { document, definition }: ChosenOperation,
): Cacheability {
  const requiredVariables = new Set<string>();
  let isCacheable = definition.operation === 'query';
  const types = new TypeInfo(schema);
  visit(
    document,
    visitWithTypeInfo(types, {
      Field(node) {
        const field = uncacheableFields.get(`${types.getParentType()?.name ?? ''}.${node.name.value}`);
        if (!field) return;
        const value = node.arguments?.find(({ name }) => name.value === field.unlessArgument)?.value;
        if (value?.kind === Kind.VARIABLE) requiredVariables.add(value.name.value);
        else if (!value || value.kind === Kind.NULL) isCacheable = false;
      },
    }),
  );
  if (!isCacheable) return { kind: 'uncacheable' };
  return { kind: 'cacheable', requiredVariables: [...requiredVariables], variables: variableNames(definition) };
}
