import type { IncomingMessage } from 'node:http';
import type { CounterStore, IpcChannel } from '@lectern/cluster';
import { receiveConnections } from '@lectern/cluster';
import type { Environment, Keys } from '@lectern/keys';
import type { CloseOptions, Listening, Logger, WorkScheduler } from '@lectern/serving';
import { createWorkScheduler, listen } from '@lectern/serving';
import type { ConsumeRateLimit, ReadKeyUsage } from '@lectern/site';
import {
  createAdminPages,
  createKeyRequestPages,
  createPublicPages,
  sendInternalError,
  sendKeysUnavailable,
  sendUnknownPath,
} from '@lectern/site';
import type { Telemetry } from '@lectern/telemetry';
import { noTelemetry } from '@lectern/telemetry';
import { createAdmit } from './admission/admit';
import { createAuthenticate } from './admission/authenticate';
import { createClientAddresses } from './admission/client-address';
import { createKeyUsage } from './admission/key-usage';
import { openCounterStore } from './admission/open-counter-store';
import type { RateLimit, RateLimiter } from './admission/rate-limiter';
import { createRateLimiter } from './admission/rate-limiter';
import type { RateLimitSettings } from './admission/rate-limits';
import { createRateLimits } from './admission/rate-limits';
import { createRedisCache } from './cache/redis-cache';
import type { PersistedQueriesSettings } from './documents/persisted-queries';
import type { Documents } from './documents/resolve-document';
import type { TrustedDocuments } from './documents/trusted-documents';
import type { OnEmbeddingCalls } from './execution/measured-fetch';
import type { GatewayMetrics } from './gateway-metrics';
import { createGatewayMetrics } from './gateway-metrics';
import type { GraphOptions, ResponseCacheSettings, Subgraphs } from './graph';
import { createGraph } from './graph';
import type { CorsSettings } from './http/cors';
import { createCors } from './http/cors';
import { createGatewayServer } from './http/gateway-server';
import { createGraphqlHandler } from './http/handle-graphql';
import type { TrustedDocumentsSettings } from './open-documents';
import { openDocuments } from './open-documents';
import { createReadiness } from './readiness';
import type { RedisClient } from './redis-client';
import { createRedisClient, defaultRedisTimeoutMs, parseRedisUrl } from './redis-client';
import type { DeployedSchemas } from './supergraph/deployed-schemas';
import { createDeployedSchemas } from './supergraph/deployed-schemas';
import { createLiveSupergraph } from './supergraph/live-supergraph';
import { openSupergraphSource } from './text-sources';
import type { QueryLimits } from './validation/measure-operation';
import { maxFieldsPerPoint } from './validation/operation-validator';

export interface GatewayParts {
  /** The path of the supergraph file, or a URL that begins with http. */
  supergraph: string;
  /** The interval at which the supergraph is read, in milliseconds. 0 means never. */
  supergraphPollMs: number;
  /** Opens the connections to the subgraphs. Called for each supergraph. */
  openSubgraphs: () => Subgraphs;
  keys: Keys;
  environment: Environment;
  cors: CorsSettings;
  maxBodyBytes: number;
  limits: QueryLimits;
  executionStrategy: GraphOptions['executionStrategy'];
  /** The memory of the operation cache, in bytes. */
  operationCacheBytes?: number;
  responseCache: ResponseCacheSettings;
  persistedQueries: PersistedQueriesSettings;
  trustedDocuments: TrustedDocumentsSettings;
  rates: RateLimitSettings;
  /**
   * The URL of Redis. If the URL is empty, limits are counted in this process, or in the primary of
   * a worker, and no responses are shared.
   */
  redisUrl: string;
  /** How long Redis may take to respond before limits are counted without Redis, in milliseconds: 200 by default. */
  redisTimeoutMs?: number;
  /** The channel of a worker to its primary. Null if this process is not a worker. */
  channel?: IpcChannel | null;
  trustedProxies: string;
  /** The password of the operators. If the password is empty, there are no pages for operators. */
  operatorPassword: string;
  /** Whether emails are written to files, because there is no mail server. */
  mailsToOutbox?: boolean;
  /**
   * The secret that signs forms, and cached responses in Redis. All gateways have the same secret.
   */
  formSecret: string;
  /** Whether browsers reach the gateway over https. */
  secureCookies: boolean;
  host: string;
  port: number;
  /** The scheduler that the requests of this process share. By default the gateway creates its own. */
  scheduler?: WorkScheduler | undefined;
  /** The metrics and traces. Without them nothing is measured. */
  telemetry?: Pick<Telemetry, 'metrics' | 'tracing'>;
  log: Logger;
  /** The clock of the rate limits, in milliseconds since 1970. */
  now?: () => number;
}

export interface CloseGatewayOptions extends CloseOptions {
  /** Whether another process serves the same address from now on. */
  isReplaced?: boolean;
}

export interface Gateway extends Listening {
  /**
   * Stops accepting requests after `drainMs`, and resolves when the requests in flight have
   * finished. /ready turns to 503 at once, unless the gateway is replaced.
   */
  close(options?: CloseGatewayOptions): Promise<void>;
}

/** Starts a gateway. The caller closes the keys and the telemetry. */
export async function startGateway(parts: GatewayParts): Promise<Gateway> {
  const { environment, redisTimeoutMs = defaultRedisTimeoutMs, log, now = Date.now } = parts;
  const gatewayMetrics = createGatewayMetrics((parts.telemetry ?? noTelemetry).metrics);
  const redis = parts.redisUrl === '' ? null : createRedisClient(parseRedisUrl(parts.redisUrl), redisTimeoutMs);
  const counters = openCounterStore({ redis, redisTimeoutMs, channel: parts.channel ?? null, log });
  const rateLimiter = createRateLimiter({ counters, environment, now });
  let trustedDocuments: TrustedDocuments | null = null;
  const rateLimits = createRateLimits(parts.rates);
  const keyUsage = createKeyUsage({
    rateLimiter,
    limits: rateLimits,
    environment,
    isRedisUnavailable: counters.isUnavailable,
  });
  const shared = { gatewayMetrics, redis, counters, onEmbeddingCalls: keyUsage.addEmbeddingCalls };
  const onServed = (): void => {
    void deployedSchemas.check();
    void trustedDocuments?.recheck();
  };
  const supergraph = await openSupergraph(parts, { ...shared, onServed });
  const probed = supergraph.current().probed();
  const deployedSchemas = createDeployedSchemas({ graph: supergraph.current, log, now: Date.now });
  const opened = await openDocuments({ ...parts, redis, counters, supergraph, metrics: gatewayMetrics }).catch(
    async (error: unknown) => {
      await supergraph.close();
      await rateLimiter.close();
      throw error;
    },
  );
  ({ trustedDocuments } = opened);
  void probed.then(deployedSchemas.start);
  gatewayMetrics.watch({
    graph: () => supergraph.current().state(),
    comparedSchemas: deployedSchemas.compared,
    isSupergraphRejected: supergraph.isRejecting,
    isRedisUnavailable: counters.isUnavailable,
    trustedDocuments: trustedDocuments?.state ?? null,
  });
  const readiness = createReadiness({
    graph: () => supergraph.current().state(),
    probed,
    schemaDifferences: deployedSchemas.differing,
    trustedDocuments: trustedDocuments?.state ?? (() => null),
  });
  const addresses = createClientAddresses(parts.trustedProxies, log);
  const admission = { rateLimiter, rateLimits, addresses };
  const server = createGatewayServer({
    graphql: openGraphqlHandler(parts, { ...admission, gatewayMetrics, supergraph, documents: opened.documents }),
    readiness: readiness.state,
    routes: openPages(parts, {
      ...admission,
      supergraph,
      deployedSchemas,
      keyUsage: keyUsage.today,
      isReady: () => readiness.state().isReady,
    }),
    sendUnknownPath,
    sendInternalError,
    sendKeysUnavailable,
    log,
  });
  const address = { host: parts.host, port: parts.port };
  const listening = parts.channel ? receiveConnections(server, parts.channel, address) : await listen(server, address);
  return {
    ...listening,
    close: async ({ isReplaced = false, ...options } = {}) => {
      if (!isReplaced) readiness.stop();
      await listening.close(options);
      deployedSchemas.stop();
      opened.trustedDocuments?.close();
      await supergraph.close();
      await rateLimiter.close();
    },
  };
}

interface AdmissionParts {
  rateLimiter: RateLimiter;
  rateLimits: ReturnType<typeof createRateLimits>;
  addresses: ReturnType<typeof createClientAddresses>;
  supergraph: Awaited<ReturnType<typeof openSupergraph>>;
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
  }: AdmissionParts & { gatewayMetrics: GatewayMetrics; documents: Documents },
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
    log,
  });
}

/** Opens the pages for readers, for requests of keys and for operators. */
function openPages(
  parts: GatewayParts,
  {
    rateLimiter,
    rateLimits,
    addresses,
    supergraph,
    deployedSchemas,
    keyUsage,
    isReady,
  }: AdmissionParts & {
    deployedSchemas: DeployedSchemas;
    keyUsage: ReadKeyUsage;
    isReady: () => boolean;
  },
) {
  const { keys, environment, limits, formSecret, secureCookies, now = Date.now } = parts;
  const consumeBy = createConsumeBy(rateLimiter, addresses.addressOf);
  const forms = { keys, environment, formSecret, secureCookies, now };
  return [
    ...createPublicPages({
      schema: () => supergraph.current().schema,
      fieldCosts: () => supergraph.current().fieldCosts,
      schemaDifferences: deployedSchemas.differing,
      isReady,
      environment,
      limits: { ...limits, fields: maxFieldsPerPoint * limits.complexity },
      rateLimits: parts.rates,
    }),
    ...createKeyRequestPages({ ...forms, consumeRateLimit: consumeBy(rateLimits.keyRequest) }),
    ...createAdminPages({
      ...forms,
      password: parts.operatorPassword,
      mailsToOutbox: parts.mailsToOutbox ?? false,
      keyUsage,
      consumeRateLimit: consumeBy(rateLimits.signIn),
      clientAddress: addresses.addressOf,
      isBehindUntrustedProxy: addresses.isBehindUntrustedProxy,
    }),
  ];
}

interface SupergraphParts {
  gatewayMetrics: GatewayMetrics;
  redis: RedisClient | null;
  counters: CounterStore;
  onEmbeddingCalls: OnEmbeddingCalls;
  /** Called after a new supergraph has replaced the old one. */
  onServed: () => void;
}

/** Opens the supergraph, and watches its source for a new one. */
function openSupergraph(
  {
    supergraph,
    supergraphPollMs,
    openSubgraphs,
    limits,
    executionStrategy,
    operationCacheBytes,
    responseCache,
    formSecret,
    scheduler = createWorkScheduler(),
    log,
  }: GatewayParts,
  { gatewayMetrics, redis, counters, onEmbeddingCalls, onServed }: SupergraphParts,
) {
  const redisCache =
    redis && responseCache.shared
      ? createRedisCache({
          redis,
          isUnavailable: counters.isUnavailable ?? (() => false),
          secret: formSecret,
          seconds: responseCache.maxSeconds,
          log,
        })
      : null;
  return createLiveSupergraph({
    source: openSupergraphSource(supergraph),
    open: (supergraphSdl) =>
      createGraph({
        supergraphSdl,
        subgraphs: openSubgraphs(),
        limits,
        executionStrategy,
        ...(operationCacheBytes !== undefined && { operationCacheBytes }),
        responseCache,
        redisCache,
        scheduler,
        metrics: gatewayMetrics,
        onEmbeddingCalls,
        log,
      }),
    pollMs: supergraphPollMs,
    onSwap(outcome) {
      gatewayMetrics.supergraphSwap(outcome);
      if (outcome === 'served') onServed();
    },
    log,
  });
}

/** Returns a function that counts a request to a page against the limit of a subject or its address. */
const createConsumeBy =
  (rateLimiter: RateLimiter, addressOf: (request: IncomingMessage) => string) =>
  (limit: RateLimit): ConsumeRateLimit =>
  async (request, subject = addressOf(request)) => {
    const [{ allowed, secondsLeft }] = await rateLimiter.consume([{ limit, subject }]);
    return { allowed, retryAfterSeconds: secondsLeft };
  };
