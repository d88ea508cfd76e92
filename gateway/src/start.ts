import { join } from 'node:path';
import { warmReferenceParser } from '@lectern/canon';
import { type IpcChannel, shareMetrics } from '@lectern/cluster';
import { type Keys, openKeysFromSettings, readPepperFromSettings } from '@lectern/keys';
import { createWorkScheduler, type Logger } from '@lectern/serving';
import { createHttpClientMetrics, startTelemetry, type Telemetry } from '@lectern/telemetry';
import type { GatewayConfig, readConfig } from './config';
import { type CloseGatewayOptions, type Gateway, type GatewayParts, startGateway } from './gateway';
import { isHttpLocation } from './shared/text-sources';
import { parseSupergraphHeaders } from './supergraph/settings';
import { createHttpSubgraphs } from './transport/http-subgraphs';

/** Reads the headers of requests for the supergraph. Throws if there are headers but the supergraph is a file. */
export function readSupergraphHeaders(config: ReturnType<typeof readConfig>): Readonly<Record<string, string>> {
  const headers = parseSupergraphHeaders(config.SUPERGRAPH_HEADERS);
  if (Object.keys(headers).length > 0 && !isHttpLocation(config.SUPERGRAPH))
    throw new Error('SUPERGRAPH_HEADERS needs a URL in SUPERGRAPH: files have no headers.');
  return headers;
}

function readTrustedDocumentsOnly({ TRUSTED_DOCUMENTS, TRUSTED_DOCUMENTS_ONLY }: GatewayConfig): boolean {
  if (TRUSTED_DOCUMENTS_ONLY === 'on' && TRUSTED_DOCUMENTS === '')
    throw new Error('TRUSTED_DOCUMENTS_ONLY=on needs TRUSTED_DOCUMENTS: without it every request would be rejected.');
  return TRUSTED_DOCUMENTS_ONLY === 'on';
}

/** Converts the settings to the options of `startGateway`. */
export const gatewayOptions = (config: GatewayConfig) => ({
  environment: config.LECTERN_ENVIRONMENT,
  cors: { origins: config.CORS_ORIGINS, headers: config.CORS_HEADERS },
  maxBodyBytes: config.MAX_BODY_BYTES,
  limits: { tokens: config.MAX_TOKENS, depth: config.MAX_DEPTH, complexity: config.MAX_COMPLEXITY },
  executionStrategy: config.EXECUTION_STRATEGY,
  operationCacheBytes: config.OPERATION_CACHE_BYTES,
  responseCache: {
    maxBytes: config.RESPONSE_CACHE_SECONDS === 0 ? 0 : config.RESPONSE_CACHE_BYTES,
    maxSeconds: config.RESPONSE_CACHE_SECONDS,
  },
  persistedQueries: {
    maxBytes: config.PERSISTED_QUERIES_BYTES,
    maxSeconds: config.PERSISTED_QUERIES_SECONDS,
  },
  trustedDocuments: {
    location: config.TRUSTED_DOCUMENTS,
    pollMs: config.TRUSTED_DOCUMENTS_POLL_MS,
    isOnly: readTrustedDocumentsOnly(config),
  },
  rates: {
    perMinute: config.RATE_PER_MINUTE,
    keyPerMinute: config.KEY_RATE_PER_MINUTE,
    perDay: config.RATE_PER_DAY,
    keyRequestsPerHour: config.KEY_REQUESTS_PER_HOUR,
    offlinePerMinute: config.OFFLINE_RATE_PER_MINUTE,
  },
  redisUrl: config.REDIS_URL,
  trustedProxies: config.TRUSTED_PROXIES,
  operatorPassword: config.OPERATOR_PASSWORD,
  mailsToOutbox: config.SMTP_URL === '',
  secureCookies: config.PUBLIC_URL.startsWith('https:'),
  host: config.HOST,
  port: config.PORT,
});

interface SettingsGatewayOptions {
  config: ReturnType<typeof readConfig>;
  /** The channel from a worker to its primary process. Null if this process is not a worker. */
  channel: IpcChannel | null;
  log: Logger;
}

/**
 * Starts a gateway that reaches its subgraphs over HTTP, with its keys and its telemetry, from the
 * settings of its environment. Rejects with a reason for the operator if a setting is invalid.
 */
export async function startGatewayFromSettings({ config, channel, log }: SettingsGatewayOptions): Promise<Gateway> {
  const keys = await openKeysFromSettings(config, { log });
  let telemetry: Telemetry | null = null;
  const closeParts = async () => {
    await telemetry?.close();
    await keys.close();
  };
  try {
    telemetry = await startTelemetry({
      service: 'gateway',
      config,
      log,
      share: channel ? shareMetrics(channel) : undefined,
    });
    if (config.PRELOAD_PARSER) warmReferenceParser();
    const gateway = await startGateway(gatewayParts({ config, channel, log }, keys, telemetry));
    return {
      ...gateway,
      async close(options?: CloseGatewayOptions) {
        await gateway.close(options);
        await closeParts();
      },
    };
  } catch (error) {
    await closeParts();
    throw error;
  }
}

function gatewayParts(
  { config, channel, log }: SettingsGatewayOptions,
  keys: Keys,
  telemetry: Telemetry,
): GatewayParts {
  const recordRequest = createHttpClientMetrics(telemetry.metrics);
  return {
    supergraph: config.SUPERGRAPH,
    supergraphHeaders: readSupergraphHeaders(config),
    supergraphCopyFolder: config.LECTERN_DATA,
    supergraphPollMs: config.SUPERGRAPH_POLL_MS,
    openSubgraphs: (subgraphLog) =>
      createHttpSubgraphs({
        urls: config.SUBGRAPH_URLS,
        secrets: config.SUBGRAPH_SECRET,
        timeoutMs: config.SUBGRAPH_TIMEOUT_MS,
        hedgeMs: config.SUBGRAPH_HEDGE_MS,
        connections: config.SUBGRAPH_CONNECTIONS,
        recordRequest,
        log: subgraphLog,
      }),
    keys,
    scheduler: createWorkScheduler({ requestCpuMs: config.REQUEST_CPU_MS }),
    ...gatewayOptions(config),
    offlineCache: {
      folder: config.OFFLINE_CACHE_FOLDER || join(config.LECTERN_DATA, 'offline-cache'),
      maxBytes: config.OFFLINE_CACHE_BYTES,
    },
    formSecret: readPepperFromSettings(config),
    telemetry,
    channel,
    log,
  };
}
