import { type IpcChannel, receiveConnections } from '@lectern/cluster';
import { type CloseOptions, createClientAddresses, createHealth, type Listening, listen } from '@lectern/serving';
import { noTelemetry, type Telemetry } from '@lectern/telemetry';
import { createAdmit } from './admission/admit';
import { openCounterStore } from './admission/counters';
import { createConsumePageRateLimit, createKeyUsage, createRateLimits } from './admission/limits';
import { createRateLimiter } from './admission/rate-limiter';
import type { PersistedQueriesSettings } from './documents/persisted';
import { openDocuments, type TrustedDocumentsSettings } from './documents/resolve';
import type { TrustedDocuments } from './documents/trusted';
import { type CorsSettings, createCors } from './http/cors';
import { createGraphqlHandler } from './http/handle-graphql';
import { createReadiness } from './http/readiness';
import { createGatewayServer } from './http/server';
import { createGatewayMetrics, type GatewayMetrics } from './metrics';
import { openRedis } from './shared/redis';
import { type HandleFile, type OfflineCacheSettings, openOfflinePackageRoute } from './startup/offline-route';
import { openPages, type PageSettings } from './startup/pages';
import { openSupergraph, type SupergraphSettings } from './startup/supergraph';
import { createDeployedSchemas } from './supergraph/deployed-schemas';

export interface GatewayParts extends SupergraphSettings, PageSettings {
  /** Serves offline packages. By default the gateway downloads them from the text subgraph. */
  offlineFiles?: HandleFile;
  /** The folder for downloaded offline packages. By default no package is stored, and each download is forwarded. */
  offlineCache?: OfflineCacheSettings;
  cors: CorsSettings;
  maxBodyBytes: number;
  persistedQueries: PersistedQueriesSettings;
  trustedDocuments: TrustedDocumentsSettings;
  /**
   * The URL of Redis, which counts the requests for rate limits. If empty, the limits are counted in the primary
   * process, or in this process if there is no primary process.
   */
  redisUrl: string;
  /** How long the gateway waits for Redis before it counts limits without Redis, in milliseconds: 200 by default. */
  redisTimeoutMs?: number;
  /** The channel from a worker to its primary process. Null if this process is not a worker. */
  channel?: IpcChannel | null;
  trustedProxies: string;
  host: string;
  port: number;
  telemetry?: Pick<Telemetry, 'metrics' | 'tracing'>;
}

export interface CloseGatewayOptions extends CloseOptions {
  /** Whether a new process already serves the same address when this gateway closes. */
  isReplaced?: boolean;
}

export interface Gateway extends Listening {
  /**
   * Returns the reason why the gateway cannot serve operations. Returns null if the gateway can serve, or if no reason
   * is known yet.
   */
  problem(): string | null;
  /**
   * Stops accepting connections after `drainMs`, and resolves when the requests in flight have
   * finished, or after `graceMs` more. /ready turns to 503 at once, unless the gateway is replaced.
   */
  close(options?: CloseGatewayOptions): Promise<void>;
}

/**
 * Starts the gateway. If the start fails, closes all that this function has opened. The caller closes the key store and
 * the telemetry.
 */
export async function startGateway(parts: GatewayParts): Promise<Gateway> {
  const metrics = createGatewayMetrics((parts.telemetry ?? noTelemetry).metrics);
  const admission = openAdmission(parts);
  let graph: OpenGraph | null = null;
  const closeParts = async () => {
    await graph?.close();
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
function openAdmission(parts: GatewayParts) {
  const { environment, redisTimeoutMs = 200, log, now = Date.now } = parts;
  // An invalid setting throws before the connection to Redis is opened.
  const addresses = createClientAddresses(parts.trustedProxies, log);
  const redis = openRedis(parts.redisUrl, redisTimeoutMs);
  const counters = openCounterStore({ redis, redisTimeoutMs, channel: parts.channel ?? null, log });
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
    keyUsage: createKeyUsage({ rateLimiter, limits: rateLimits, environment, isRedisUnavailable }),
  };
}

/** Opens the supergraph, the check of its subgraphs' schemas, and the documents of requests. */
async function openGraph(parts: GatewayParts, { keyUsage }: OpenAdmission, metrics: GatewayMetrics) {
  let trustedDocuments: TrustedDocuments | null = null;
  const supergraph = await openSupergraph(parts, {
    metrics,
    onEmbeddingCalls: keyUsage.addEmbeddingCalls,
    onServed() {
      void deployedSchemas.check();
      void trustedDocuments?.recheck();
    },
  });
  const deployedSchemas = createDeployedSchemas({
    graph: supergraph.current,
    log: parts.log,
    now: () => performance.now(),
  });
  const opened = await openDocuments({ ...parts, withGraph: supergraph.withGraph, metrics }).catch(
    async (error: unknown) => {
      await supergraph.close();
      throw error;
    },
  );
  ({ trustedDocuments } = opened);
  void supergraph.probed.then(deployedSchemas.start);
  return {
    supergraph,
    deployedSchemas,
    ...opened,
    async close(): Promise<void> {
      deployedSchemas.stop();
      opened.trustedDocuments?.close();
      await supergraph.close();
    },
  };
}

/** Starts the HTTP server. `close` of the returned gateway closes neither the graph nor the rate limiter. */
async function serveGraph(
  parts: GatewayParts,
  admission: OpenAdmission,
  { supergraph, deployedSchemas, documents, trustedDocuments }: OpenGraph,
  metrics: GatewayMetrics,
): Promise<Gateway> {
  const { log } = parts;
  const { rateLimiter, rateLimits, addresses } = admission;
  const graphState = () => supergraph.current().state();
  metrics.watch({
    graph: graphState,
    comparedSchemas: deployedSchemas.compared,
    supergraph: supergraph.state,
    isRedisUnavailable: admission.isRedisUnavailable,
    trustedDocuments: trustedDocuments?.state ?? null,
  });
  parts.keys.watchEmails(metrics.email);
  const readiness = createReadiness({
    graph: graphState,
    probed: supergraph.probed,
    supergraph: supergraph.state,
    schemaDifferences: deployedSchemas.differing,
    trustedDocuments: trustedDocuments?.state ?? null,
    keyStoreProblem: parts.keys.problem,
    redisProblem: admission.redisProblem,
  });
  const health = createHealth({ readiness: readiness.report });
  const offline = openOfflinePackageRoute(parts.offlineFiles ?? null, {
    replicas: () => graphState().replicas,
    consumeRateLimit: createConsumePageRateLimit({ rateLimiter, metrics }, addresses.addressOf)(rateLimits.offline),
    cache: parts.offlineCache ?? { folder: '', maxBytes: 0 },
    log,
  });
  const pages = openPages(parts, {
    ...admission,
    supergraph,
    metrics,
    deployedSchemas,
    isReady: readiness.isReady,
  });
  const server = createGatewayServer({
    graphql: createGraphqlHandler({
      admit: createAdmit(parts, admission),
      supergraph,
      documents,
      cors: createCors(parts.cors),
      maxBodyBytes: parts.maxBodyBytes,
      metrics,
      tracing: (parts.telemetry ?? noTelemetry).tracing,
      scheme: parts.secureCookies ? 'https' : 'http',
      log,
    }),
    health,
    routes: [...pages, offline.route],
    log,
  });
  const address = { host: parts.host, port: parts.port };
  const listening = parts.channel ? receiveConnections(server, parts.channel, address) : await listen(server, address);
  return {
    ...listening,
    problem: readiness.reason,
    async close({ isReplaced = false, ...options } = {}) {
      if (!isReplaced) {
        readiness.stop();
        health.stop();
      }
      await listening.close(options);
      await offline.close();
    },
  };
}
