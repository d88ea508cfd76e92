import type { Environment, Keys } from '@lectern/keys';
import { listen } from '@lectern/serving';
import type { Line, Listening, Logger } from '@lectern/serving';
import { noTelemetry } from '@lectern/telemetry';
import type { Telemetry } from '@lectern/telemetry';
import { createAuth } from './auth';
import { createGraph } from './graph';
import type { FastPath, Subgraphs } from './graph';
import { createCors } from './http/cors';
import { createGraphqlHandler } from './http/handle-graphql';
import { createGatewayServer } from './http/server';
import { createAnswerStore } from './kept/answer-store';
import { createObservations } from './observations';
import type { QueryLimits } from './operation';
import { createAdminPages } from './pages/admin/admin-pages';
import type { Limit } from './pages/forms/limit';
import { sendFailedPage, sendUnknownPath } from './pages/page-or-json';
import { createPublicPages } from './pages/public-pages';
import { createRequestPages } from './pages/requests/request-pages';
import { createAdmission } from './rate/admission';
import { allowancesOf } from './rate/allowances';
import type { Rates } from './rate/allowances';
import { createClientAddress } from './rate/client-address';
import { openCounts } from './rate/open-counts';
import { createRate } from './rate/rate';
import type { Allowance } from './rate/rate';
import { createRedisClient, parseRedisUrl } from './rate/redis-client';
import { createLiveGraph } from './supergraph/live-graph';
import { supergraphSource } from './supergraph/supergraph-source';

export interface GatewayParts {
  /** The supergraph's file or URL, and how often it is looked at for another one; 0 for never. */
  supergraph: string;
  supergraphPollMs: number;
  /** The ways to the subgraphs, anew for each supergraph. */
  openSubgraphs: () => Subgraphs;
  keys: Keys;
  environment: Environment;
  corsOrigins: string;
  mostBodyBytes: number;
  limits: QueryLimits;
  fast: FastPath;
  rates: Rates;
  /** Empty: limits are counted in this process, or in the primary of a worker, and answers are not shared. */
  redisUrl: string;
  /** To the primary, in a worker. */
  line?: Line | null;
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
  noticeMs?: number;
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
  const { keys, environment, corsOrigins, mostBodyBytes, limits, fast, host, port, noticeMs = 0, log } = parts;
  const { metrics, tracing } = parts.telemetry ?? noTelemetry;
  const observations = createObservations(metrics);
  const allowances = allowancesOf(parts.rates);
  const addressOf = createClientAddress(parts.trustedProxies);
  const redis = parts.redisUrl === '' ? null : createRedisClient(parseRedisUrl(parts.redisUrl));
  const counts = openCounts({ redis, line: parts.line ?? null, log });
  const rate = createRate({ counts, now: parts.now ?? Date.now });
  const answerStore = redis && fast.keptShared ? createAnswerStore({ redis, isOut: counts.isOut ?? (() => false), secret: parts.formSecret, seconds: fast.keptSeconds, log }) : null;
  const graph = await createLiveGraph({
    source: supergraphSource(parts.supergraph),
    open: (supergraphSdl) => createGraph({ supergraphSdl, subgraphs: parts.openSubgraphs(), limits, fast, answerStore, observations, log }),
    everyMs: parts.supergraphPollMs,
    onSwap: observations.swap,
    log,
  });
  observations.watch({ graph: () => graph.current().state(), isSupergraphRefused: graph.isRefusing, isRedisOut: counts.isOut });
  const limitOf = (allowance: Allowance): Limit => async (request) => {
    const [{ allowed, secondsLeft }] = await rate.take([{ allowance, who: addressOf(request) }]);
    return { allowed, retryAfterSeconds: secondsLeft };
  };
  const forms = { keys, environment, pepper: parts.formSecret, secureCookies: parts.secureCookies, now: parts.now ?? Date.now };
  let ready = true;
  const server = createGatewayServer({
    graphql: createGraphqlHandler({
      admit: createAdmission({ authenticate: createAuth(keys, environment, log), rate, addressOf, allowances }),
      graph, cors: createCors(corsOrigins), mostBodyBytes, observations, tracing, log,
    }),
    isReady: () => ready,
    mixedCorpora: () => graph.current().state().mixedCorpora,
    routes: [
      ...createPublicPages({ schema: () => graph.current().schema, prices: () => graph.current().prices, isReady: () => ready, environment, limits, rates: parts.rates }),
      ...createRequestPages({ ...forms, limit: limitOf(allowances.keyRequest) }),
      ...createAdminPages({ ...forms, password: parts.operatorPassword, mailsToOutbox: parts.mailsToOutbox ?? false, limit: limitOf(allowances.signIn), addressOf }),
    ],
    unknownPath: sendUnknownPath,
    failedPage: sendFailedPage,
    log,
  });
  const listening = await listen(server, { host, port, noticeMs });
  return {
    ...listening,
    close: async (graceMs, isReplaced = false) => {
      ready = isReplaced;
      await listening.close(graceMs);
      await graph.close();
      await rate.close();
    },
  };
}
