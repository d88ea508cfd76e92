import type { IpcChannel } from '@lectern/cluster';
import { receiveConnections } from '@lectern/cluster';
import type { CloseOptions, Listening } from '@lectern/serving';
import { listen } from '@lectern/serving';
import { sendInternalError, sendUnavailable, sendUnknownPath } from '@lectern/site';
import type { Telemetry } from '@lectern/telemetry';
import { noTelemetry } from '@lectern/telemetry';
import { createClientAddresses } from './admission/address';
import { createAdmit, createAuthenticate } from './admission/admit';
import { openCounterStore } from './admission/counters';
import { createConsumePageRateLimit, createKeyUsage, createRateLimits } from './admission/limits';
import { createRateLimiter } from './admission/rate-limiter';
import type { PersistedQueriesSettings } from './documents/persisted';
import type { Documents } from './documents/resolve';
import type { TrustedDocuments } from './documents/trusted';
import type { CorsSettings } from './http/cors';
import { createCors } from './http/cors';
import { createGraphqlHandler } from './http/handle-graphql';
import type { HandleFile } from './http/offline';
import { createReadiness } from './http/ready';
import { createGatewayServer } from './http/server';
import type { GatewayMetrics, GatewayState } from './metrics';
import { createGatewayMetrics } from './metrics';
import type { TrustedDocumentsSettings } from './open/documents';
import { openDocuments } from './open/documents';
import type { OfflineCacheSettings } from './open/offline';
import { openOfflinePackageRoute } from './open/offline';
import type { AdmissionParts, PageSettings } from './open/pages';
import { openPages } from './open/pages';
import type { SupergraphSettings } from './open/supergraph';
import { openSupergraph } from './open/supergraph';
import { createRedisClient, defaultRedisTimeoutMs, parseRedisUrl } from './shared/redis';
import { createDeployedSchemas } from './supergraph/schemas';

export interface GatewayParts extends SupergraphSettings, PageSettings {
  /**
   * Serves the offline packages, which are translations as SQLite files. By default the gateway
   * downloads them from the text subgraph.
   */
  offlineFiles?: HandleFile;
  /**
   * The folder for downloaded offline packages, and its maximum size. By default the gateway stores
   * no packages and forwards each download.
   */
  offlineCache?: OfflineCacheSettings;
  cors: CorsSettings;
  maxBodyBytes: number;
  persistedQueries: PersistedQueriesSettings;
  trustedDocuments: TrustedDocumentsSettings;
  /**
   * The URL of Redis. If the URL is empty, limits are counted in the primary process if this
   * process is a worker, otherwise in this process, and no responses are shared.
   */
  redisUrl: string;
  /**
   * How long Redis may take to respond before limits are counted without Redis, in milliseconds:
   * 200 by default.
   */
  redisTimeoutMs?: number;
  /** The channel of a worker to its primary process. Null if this process is not a worker. */
  channel?: IpcChannel | null;
  trustedProxies: string;
  host: string;
  port: number;
  /** The metrics and traces. Without them nothing is measured. */
  telemetry?: Pick<Telemetry, 'metrics' | 'tracing'>;
}

export interface CloseGatewayOptions extends CloseOptions {
  /** Whether another process serves the same address from now on. */
  isReplaced?: boolean;
}

export interface Gateway extends Listening {
  /**
   * Returns the reason why the gateway cannot serve operations, such as a missing supergraph.
   * Returns null if the gateway can serve operations, or if no reason is known yet.
   */
  problem(): string | null;
  /**
   * Stops accepting connections after `drainMs`, and resolves when the requests in flight have
   * finished, or after `graceMs` more. /ready turns to 503 at once, unless the gateway is replaced.
   */
  close(options?: CloseGatewayOptions): Promise<void>;
}

/**
 * Starts a gateway. The caller closes the keys and the telemetry. If the gateway cannot start,
 * closes what it has opened and rejects.
 */
export async function startGateway(parts: GatewayParts): Promise<Gateway> {
  const gatewayMetrics = createGatewayMetrics((parts.telemetry ?? noTelemetry).metrics);
  const limits = openLimits(parts);
  let graph: OpenGraph | null = null;
  const closeParts = async () => {
    await graph?.close();
    await limits.rateLimiter.close();
  };
  try {
    graph = await openGraph(parts, limits, gatewayMetrics);
    const gateway = await serveGraph(parts, { limits, graph, gatewayMetrics });
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
type Limits = ReturnType<typeof openLimits>;

/**
 * Listens for requests to the graph. `close` of the returned gateway leaves the graph and the rate
 * limiter open.
 */
async function serveGraph(
  parts: GatewayParts,
  { limits, graph, gatewayMetrics }: { limits: Limits; graph: OpenGraph; gatewayMetrics: GatewayMetrics },
): Promise<Gateway> {
  const { log } = parts;
  const { counters, rateLimiter, rateLimits, keyUsage } = limits;
  const { supergraph, deployedSchemas, documents } = graph;
  gatewayMetrics.watch(observableState(graph, counters));
  const readiness = readinessOf(graph);
  const addresses = createClientAddresses(parts.trustedProxies, log);
  const admission = { rateLimiter, rateLimits, addresses };
  const offline = openOfflinePackageRoute(parts.offlineFiles ?? null, {
    replicas: () => supergraph.current().state().replicas,
    consumeRateLimit: createConsumePageRateLimit(rateLimiter, addresses.addressOf)(rateLimits.offline),
    cache: parts.offlineCache ?? { folder: '', maxBytes: 0 },
    log,
  });
  const server = createGatewayServer({
    graphql: openGraphqlHandler(parts, { ...admission, gatewayMetrics, supergraph, documents }),
    readiness: readiness.state,
    routes: [
      ...openPages(parts, {
        ...admission,
        supergraph,
        gatewayMetrics,
        deployedSchemas,
        keyUsage: keyUsage.today,
        isReady: () => readiness.state().isReady,
      }),
      offline.route,
    ],
    sendUnknownPath,
    sendInternalError,
    sendUnavailable,
    log,
  });
  const address = { host: parts.host, port: parts.port };
  const listening = parts.channel ? receiveConnections(server, parts.channel, address) : await listen(server, address);
  return {
    ...listening,
    problem: () => readiness.state().reason,
    close: async ({ isReplaced = false, ...options } = {}) => {
      if (!isReplaced) readiness.stop();
      await listening.close(options);
      await offline.close();
    },
  };
}

const observableState = (
  { supergraph, deployedSchemas, trustedDocuments }: OpenGraph,
  { isUnavailable }: Limits['counters'],
): GatewayState => ({
  graph: () => supergraph.current().state(),
  comparedSchemas: deployedSchemas.compared,
  isSupergraphRejected: supergraph.isRejecting,
  isRedisUnavailable: isUnavailable,
  trustedDocuments: trustedDocuments?.state ?? null,
});

const readinessOf = ({ supergraph, deployedSchemas, trustedDocuments }: OpenGraph) =>
  createReadiness({
    graph: () => supergraph.current().state(),
    probed: supergraph.probed,
    supergraph: supergraph.state,
    schemaDifferences: deployedSchemas.differing,
    trustedDocuments: trustedDocuments?.state ?? (() => null),
  });

/**
 * Opens the rate limiter with its store of counters. Closing the rate limiter closes the connection
 * to Redis.
 */
function openLimits(parts: GatewayParts) {
  const { environment, redisTimeoutMs = defaultRedisTimeoutMs, log, now = Date.now } = parts;
  const redis = parts.redisUrl === '' ? null : createRedisClient(parseRedisUrl(parts.redisUrl), redisTimeoutMs);
  const counters = openCounterStore({ redis, redisTimeoutMs, channel: parts.channel ?? null, log });
  const rateLimiter = createRateLimiter({ counters, environment, now });
  const rateLimits = createRateLimits(parts.rates);
  const isRedisUnavailable = counters.isUnavailable;
  const keyUsage = createKeyUsage({ rateLimiter, limits: rateLimits, environment, isRedisUnavailable });
  return { counters, rateLimiter, rateLimits, keyUsage };
}

/**
 * Opens the supergraph, the check of its subgraphs' schemas, the persisted queries and the trusted
 * documents.
 */
async function openGraph(parts: GatewayParts, { keyUsage }: Limits, gatewayMetrics: GatewayMetrics) {
  let trustedDocuments: TrustedDocuments | null = null;
  const onServed = (): void => {
    void deployedSchemas.check();
    void trustedDocuments?.recheck();
  };
  const onEmbeddingCalls = keyUsage.addEmbeddingCalls;
  const supergraph = await openSupergraph(parts, { gatewayMetrics, onEmbeddingCalls, onServed });
  const deployedSchemas = createDeployedSchemas({
    graph: supergraph.current,
    log: parts.log,
    now: () => performance.now(),
  });
  const opened = await openDocuments({ ...parts, supergraph, metrics: gatewayMetrics }).catch(
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

/** Opens the handler of POST /graphql. */
function openGraphqlHandler(
  parts: GatewayParts,
  {
    rateLimiter,
    rateLimits,
    addresses,
    supergraph,
    gatewayMetrics,
    documents,
  }: AdmissionParts & {
    supergraph: Awaited<ReturnType<typeof openSupergraph>>;
    gatewayMetrics: GatewayMetrics;
    documents: Documents;
  },
) {
  const { keys, environment, log } = parts;
  return createGraphqlHandler({
    admit: createAdmit({
      authenticate: createAuthenticate(keys, environment, log),
      rateLimiter,
      addressOf: addresses.addressOf,
      limits: rateLimits,
    }),
    supergraph,
    documents,
    cors: createCors(parts.cors),
    maxBodyBytes: parts.maxBodyBytes,
    metrics: gatewayMetrics,
    tracing: (parts.telemetry ?? noTelemetry).tracing,
    scheme: parts.secureCookies ? 'https' : 'http',
    log,
  });
}
