import type { IpcChannel } from '@lectern/cluster';
import type { Environment, Keys } from '@lectern/keys';
import type { Listening, Logger } from '@lectern/serving';
import { listen } from '@lectern/serving';
import type { ConsumeRateLimit } from '@lectern/site';
import {
  createAdminPages,
  createKeyRequestPages,
  createPublicPages,
  sendInternalError,
  sendUnknownPath,
} from '@lectern/site';
import type { Telemetry } from '@lectern/telemetry';
import { noTelemetry } from '@lectern/telemetry';
import { createAdmit } from './admission/admit';
import { createAuthenticate } from './admission/authenticate';
import { createClientAddress } from './admission/client-address';
import { openCounts } from './admission/open-counter-store';
import type { RateLimit } from './admission/rate-limiter';
import { createRateLimiter } from './admission/rate-limiter';
import type { RateLimitSettings } from './admission/rate-limits';
import { createRateLimits } from './admission/rate-limits';
import { createRedisCache } from './cache/redis-cache';
import type { GraphOptions, ResponseCacheSettings, Subgraphs } from './graph';
import { createGraph } from './graph';
import { createCors } from './http/cors';
import { createGraphqlHandler } from './http/handle-graphql';
import { createGatewayServer } from './http/server';
import { createGatewayMetrics } from './metrics';
import { createRedisClient, parseRedisUrl } from './redis-client';
import { createLiveGraph } from './supergraph/live-supergraph';
import { supergraphSource } from './supergraph/supergraph-source';
import type { QueryLimits } from './validation/measure-operation';
import { maxFieldsPerCost } from './validation/operation-validator';

export interface GatewayParts {
  /** The supergraph's file or URL, and how often it is looked at for another one; 0 for never. */
  supergraph: string;
  supergraphPollMs: number;
  /** The ways to the subgraphs, anew for each supergraph. */
  openSubgraphs: () => Subgraphs;
  keys: Keys;
  environment: Environment;
  corsOrigins: string;
  maxBodyBytes: number;
  limits: QueryLimits;
  executionStrategy: GraphOptions['executionStrategy'];
  responseCache: ResponseCacheSettings;
  rates: RateLimitSettings;
  /** Empty: limits are counted in this process, or in the primary of a worker, and answers are not shared. */
  redisUrl: string;
  /** To the primary, in a worker. */
  channel?: IpcChannel | null;
  trustedProxies: string;
  /** Empty: no pages for operators. */
  operatorPassword: string;
  /** Whether mails are files that somebody has to send on. */
  mailsToOutbox?: boolean;
  /** What forms, and answers in Redis, are signed with; the same on every gateway. */
  formSecret: string;
  /** Whether browsers come over https, perhaps through a proxy. */
  secureCookies: boolean;
  host: string;
  port: number;
  /** How long requests are still taken after `close` was called, in milliseconds. */
  drainMs?: number;
  /** Where there is none, nothing is counted. */
  telemetry?: Pick<Telemetry, 'metrics' | 'tracing'>;
  log: Logger;
  /** The clock that windows of limits go by, in milliseconds since 1970. */
  now?: () => number;
}

export interface Gateway extends Listening {
  /** Drains: /ready turns 503, unless another process has taken this one's place at its address, and when the notice is over requests under way finish. */
  close(graceMs?: number, isReplaced?: boolean): Promise<void>;
}

/** A gateway that listens. The keys and subgraphs stay their owner's to close. */
export async function startGateway(parts: GatewayParts): Promise<Gateway> {
  const {
    keys,
    environment,
    corsOrigins,
    maxBodyBytes,
    limits,
    executionStrategy,
    responseCache,
    host,
    port,
    drainMs = 0,
    log,
  } = parts;
  const { metrics, tracing } = parts.telemetry ?? noTelemetry;
  const observations = createGatewayMetrics(metrics);
  const rateLimits = createRateLimits(parts.rates);
  const addressOf = createClientAddress(parts.trustedProxies);
  const redis = parts.redisUrl === '' ? null : createRedisClient(parseRedisUrl(parts.redisUrl));
  const counters = openCounts({ redis, channel: parts.channel ?? null, log });
  const rateLimiter = createRateLimiter({ counters, now: parts.now ?? Date.now });
  const redisCache =
    redis && responseCache.shared
      ? createRedisCache({
          redis,
          isUnavailable: counters.isUnavailable ?? (() => false),
          secret: parts.formSecret,
          seconds: responseCache.maxSeconds,
          log,
        })
      : null;
  const graph = await createLiveGraph({
    source: supergraphSource(parts.supergraph),
    open: (supergraphSdl) =>
      createGraph({
        supergraphSdl,
        subgraphs: parts.openSubgraphs(),
        limits,
        executionStrategy,
        responseCache,
        redisCache,
        metrics: observations,
        log,
      }),
    everyMs: parts.supergraphPollMs,
    onSwap: observations.supergraphSwap,
    log,
  });
  observations.watch({
    graph: () => graph.current().state(),
    isSupergraphRejected: graph.isRejecting,
    isRedisUnavailable: counters.isUnavailable,
  });
  const limitOf =
    (limit: RateLimit): ConsumeRateLimit =>
    async (request) => {
      const [{ allowed, secondsLeft }] = await rateLimiter.consume([{ limit, subject: addressOf(request) }]);
      return { allowed, retryAfterSeconds: secondsLeft };
    };
  const forms = {
    keys,
    environment,
    formSecret: parts.formSecret,
    secureCookies: parts.secureCookies,
    now: parts.now ?? Date.now,
  };
  let ready = true;
  const server = createGatewayServer({
    graphql: createGraphqlHandler({
      admit: createAdmit({
        authenticate: createAuthenticate(keys, environment, log),
        rateLimiter,
        addressOf,
        limits: rateLimits,
      }),
      supergraph: graph,
      cors: createCors(corsOrigins),
      maxBodyBytes,
      observations,
      tracing,
      log,
    }),
    isReady: () => ready,
    versionSkew: () => graph.current().state().versionSkew,
    routes: [
      ...createPublicPages({
        schema: () => graph.current().schema,
        fieldCosts: () => graph.current().fieldCosts,
        isReady: () => ready,
        environment,
        limits: { ...limits, fields: maxFieldsPerCost * limits.complexity },
        rateLimits: parts.rates,
      }),
      ...createKeyRequestPages({ ...forms, consumeRateLimit: limitOf(rateLimits.keyRequest) }),
      ...createAdminPages({
        ...forms,
        password: parts.operatorPassword,
        mailsToOutbox: parts.mailsToOutbox ?? false,
        consumeRateLimit: limitOf(rateLimits.signIn),
        clientAddress: addressOf,
      }),
    ],
    unknownPath: sendUnknownPath,
    failedPage: sendInternalError,
    log,
  });
  const listening = await listen(server, { host, port, drainMs });
  return {
    ...listening,
    close: async (graceMs, isReplaced = false) => {
      ready = isReplaced;
      await listening.close(graceMs);
      await graph.close();
      await rateLimiter.close();
    },
  };
}
