import type { GatewayConfig, readConfig } from './config';
import { isHttpLocation } from './file-or-url-sources';
import { parseSupergraphHeaders } from './supergraph/settings';

/**
 * Returns the headers of requests for the supergraph. Throws if there are headers and the
 * supergraph is a file.
 */
export function readSupergraphHeaders({
  SUPERGRAPH,
  SUPERGRAPH_HEADERS,
}: Pick<ReturnType<typeof readConfig>, 'SUPERGRAPH' | 'SUPERGRAPH_HEADERS'>): Readonly<Record<string, string>> {
  const headers = parseSupergraphHeaders(SUPERGRAPH_HEADERS);
  if (Object.keys(headers).length > 0 && !isHttpLocation(SUPERGRAPH))
    throw new Error('SUPERGRAPH_HEADERS needs a URL in SUPERGRAPH: files have no headers.');
  return headers;
}

/**
 * Returns whether gateways share cached responses in Redis. Throws if they should, but Redis is
 * missing or the response cache is off.
 */
function readCacheIsShared({
  RESPONSE_CACHE_SHARED,
  RESPONSE_CACHE_BYTES,
  RESPONSE_CACHE_SECONDS,
  REDIS_URL,
}: GatewayConfig): boolean {
  if (RESPONSE_CACHE_SHARED === 'off') return false;
  if (REDIS_URL === '')
    throw new Error('RESPONSE_CACHE_SHARED=on needs REDIS_URL: gateways share cached responses in Redis.');
  if (RESPONSE_CACHE_BYTES === 0 || RESPONSE_CACHE_SECONDS === 0)
    throw new Error(
      'RESPONSE_CACHE_SHARED=on has no effect if RESPONSE_CACHE_BYTES or RESPONSE_CACHE_SECONDS is 0: no responses are cached.',
    );
  return true;
}

/**
 * Returns whether all keys may send trusted documents only. Throws if
 * TRUSTED_DOCUMENTS_ONLY is on and TRUSTED_DOCUMENTS names no manifest.
 */
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
    shared: readCacheIsShared(config),
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
