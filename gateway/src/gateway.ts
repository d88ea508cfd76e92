import {
  type ConsumeRateLimit,
  createClientAddresses,
  createHealth,
  type Listening,
  listen,
  type Route,
} from '@lectern/serving';
import { noTelemetry, type Telemetry } from '@lectern/telemetry';
import { createAdmit } from './admission/admit';
import { createMemoryCounterStore, createRedisCounterStore } from './admission/counters';
import { createConsumePageRateLimit, createKeyUsage, createOfflineLimit, createRateLimits } from './admission/limits';
import { createRateLimiter } from './admission/rate-limiter';
import { createVerseUsage } from './admission/verse-usage';
import type { PersistedQueriesSettings } from './documents/persisted';
import { openDocuments, type TrustedDocumentsSettings } from './documents/resolve';
import type { TrustedDocuments } from './documents/trusted';
import { type CorsSettings, createCors } from './http/cors';
import type { DocumentGetSettings } from './http/document-get';
import { createGraphqlHandler } from './http/handle-graphql';
import { createOfflineRedirect } from './http/offline-redirect';
import { createReadiness } from './http/readiness';
import { createGatewayServer } from './http/server';
import { createGatewayMetrics, type GatewayMetrics } from './metrics';
import { openRedis } from './shared/redis';
import { openPages, type PageSettings } from './startup/pages';
import { openSupergraph, type SupergraphSettings } from './startup/supergraph';

export interface GatewayParts extends SupergraphSettings, PageSettings {
  /** Opens the route of this process's own packages. If absent, requests are redirected to `offlineBaseUrl`. */
  offline?: { maxPerMinute: number; openRoute: (consumeRateLimit: ConsumeRateLimit) => Route };
  /** The URL of the server with the offline packages. If empty, the gateway responds 404. */
  offlineBaseUrl?: string;
  cors: CorsSettings;
  /** The names of the client's headers that subgraphs receive, in lower case. None by default. */
  forwardHeaders?: readonly string[];
  /** How HTTP caches may keep responses to `GET /documents/ID`. Null, the default, serves nothing there. */
  documentGet?: DocumentGetSettings | null;
  maxBodyBytes: number;
  persistedQueries: PersistedQueriesSettings;
  trustedDocuments: TrustedDocumentsSettings;
  /** The URL of Redis, which counts the requests for rate limits. If empty, they are counted in this process. */
  redisUrl: string;
  /** How long the gateway waits for Redis before it counts limits without Redis, in milliseconds: 200 by default. */
  redisTimeoutMs?: number;
  trustedProxies: string;
  host: string;
  port: number;
  telemetry?: Pick<Telemetry, 'metrics' | 'tracing'>;
}

/** Starts the gateway. If this fails, closes what it has opened. The caller closes the key store and the telemetry. */
export async function startGateway(parts: GatewayParts): Promise<Listening> {
  const metrics = createGatewayMetrics((parts.telemetry ?? noTelemetry).metrics);
  const admission = openAdmission(parts, metrics);
  let graph: OpenGraph | null = null;
  const closeParts = async () => {
    await graph?.close();
    await admission.verseUsage.close();
    await admission.rateLimiter.close();
  };
  try {
    graph = await openGraph(parts, admission, metrics);
    const gateway = await serveGraph(parts, admission, graph, metrics);
    return {
      ...gateway,
      async close(options) {
        await gateway.close(options);
        await closeParts();
      },
    };
  } catch (error) {
    await closeParts();
    throw error;
  }
}

type OpenGraph = Awaited<ReturnType<typeof openGraph>>;
type OpenAdmission = ReturnType<typeof openAdmission>;

/** Opens the parts that admit requests. Closing the returned rate limiter also closes the connection to Redis. */
function openAdmission(parts: GatewayParts, metrics: GatewayMetrics) {
  const { keys, environment, redisTimeoutMs = 200, log, now = Date.now } = parts;
  // An invalid setting throws before the connection to Redis is opened.
  const addresses = createClientAddresses(parts.trustedProxies, log);
  const redis = openRedis(parts.redisUrl, redisTimeoutMs);
  const counters = redis ? createRedisCounterStore(redis, redisTimeoutMs, log) : createMemoryCounterStore();
  const redisProblem = counters.problem;
  const isRedisUnavailable = redisProblem && (() => redisProblem() !== null);
  const rateLimiter = createRateLimiter({ counters, environment, now });
  const rateLimits = createRateLimits(parts.rates);
  return {
    redisProblem,
    isRedisUnavailable,
    rateLimiter,
    rateLimits,
    addresses,
    verseUsage: createVerseUsage({ keys, metrics, now, log }),
    keyUsage: createKeyUsage({ rateLimiter, limits: rateLimits, environment, isRedisUnavailable }),
  };
}

async function openGraph(parts: GatewayParts, { keyUsage }: OpenAdmission, metrics: GatewayMetrics) {
  let trustedDocuments: TrustedDocuments | null = null;
  const supergraph = await openSupergraph(parts, {
    metrics,
    onEmbeddingCalls: keyUsage.addEmbeddingCalls,
    onServed: () => void trustedDocuments?.recheck(),
  });
  const opened = await openDocuments({ ...parts, withGraph: supergraph.withGraph, metrics }).catch(
    async (error: unknown) => {
      await supergraph.close();
      throw error;
    },
  );
  ({ trustedDocuments } = opened);
  return {
    supergraph,
    ...opened,
    async close(): Promise<void> {
      opened.trustedDocuments?.close();
      await supergraph.close();
    },
  };
}

/** Starts the HTTP server. `close` of the returned gateway closes neither the graph nor the rate limiter. */
async function serveGraph(
  parts: GatewayParts,
  admission: OpenAdmission,
  { supergraph, documents, trustedDocuments }: OpenGraph,
  metrics: GatewayMetrics,
): Promise<Listening> {
  const { log, documentGet = null } = parts;
  const { rateLimiter, addresses } = admission;
  const graphState = () => supergraph.current().state();
  metrics.watch({
    graph: graphState,
    supergraph: supergraph.state,
    isRedisUnavailable: admission.isRedisUnavailable,
    trustedDocuments: trustedDocuments?.state ?? null,
  });
  parts.keys.watchEmails(metrics.email);
  const readiness = createReadiness({
    graph: graphState,
    probed: supergraph.probed,
    supergraph: supergraph.state,
    trustedDocuments: trustedDocuments?.state ?? null,
    keyStoreProblem: parts.keys.problem,
    redisProblem: admission.redisProblem,
  });
  const health = createHealth({ readiness: readiness.report });
  const consumeBy = createConsumePageRateLimit({ rateLimiter, metrics }, addresses.addressOf);
  const offline = parts.offline
    ? parts.offline.openRoute(consumeBy(createOfflineLimit(parts.offline.maxPerMinute)))
    : createOfflineRedirect(parts.offlineBaseUrl ?? '');
  const pages = openPages(parts, {
    ...admission,
    supergraph,
    metrics,
    isReady: readiness.isReady,
    documents: documentGet && trustedDocuments && trustedDocuments.all,
  });
  const server = createGatewayServer({
    servesDocuments: documentGet !== null,
    graphql: createGraphqlHandler({
      admit: createAdmit(parts, admission),
      supergraph,
      documents,
      cors: createCors(parts.cors),
      maxBodyBytes: parts.maxBodyBytes,
      documentGet,
      metrics,
      verseUsage: admission.verseUsage,
      tracing: (parts.telemetry ?? noTelemetry).tracing,
      forwardHeaders: parts.forwardHeaders ?? [],
      scheme: parts.secureCookies ? 'https' : 'http',
      log,
    }),
    health,
    routes: [...pages, offline],
    log,
  });
  const listening = await listen(server, { host: parts.host, port: parts.port });
  return {
    ...listening,
    async close(options) {
      readiness.stop();
      health.stop();
      await listening.close(options);
    },
  };
}
