import { availableParallelism } from 'node:os';
import { keysSettings } from '@lectern/keys';
import {
  address,
  checkWorkers,
  drainSetting,
  httpUrl,
  logLevel,
  memorySettings,
  milliseconds,
  parserSettings,
  readSettings,
  requestCpuSetting,
  textFor,
  trustedProxiesSetting,
  wholeNumber,
} from '@lectern/serving';
import { parseOperators } from '@lectern/site';
import { telemetrySettings } from '@lectern/telemetry';
import { EnvError, makeValidator, str } from 'envalid';
import { parseCorsHeaders } from './http/cors';
import { parseRedisUrl } from './shared/redis';
import { isHttpLocation, parseForwardHeaders, parseSubgraphUrls, parseSupergraphHeaders } from './supergraph/settings';
import { defaultOperationCacheBytes } from './validation/validator';

const maxCount = 999_999_999;
const count = wholeNumber(0, maxCount);
const positiveCount = wholeNumber(1, maxCount);

const maxWorkers = 256;
const workers = makeValidator((text: string) => {
  if (text.trim() === 'auto') return availableParallelism();
  const number = Number(text);
  if (!/^\d{1,3}$/.test(text.trim()) || number < 1 || number > maxWorkers)
    throw new EnvError(`must be auto or a whole number from 1 to ${maxWorkers}`);
  return number;
});

function checkContact(text: string): void {
  if (text !== '' && !/^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/.test(text))
    throw new Error('must be such as mailto:security@example.org, or an https URL');
}

/** The minimum memory of one worker process (WORKERS sets their number), in megabytes. */
const minMemoryMb = 192;

// PORT follows HOST, because docs/settings.md lists the settings in this order.
const { PORT, ...storeSettings } = keysSettings;

const supergraphSettings = {
  SUPERGRAPH: str({
    default: 'supergraph.graphql',
    desc: 'The composed supergraph: a file, or a URL that begins with http and may contain a user and a password.',
  }),
  SUPERGRAPH_HEADERS: textFor((text) => parseSupergraphHeaders(text))({
    default: '',
    desc: 'The headers of requests to the URL of the supergraph, such as the key of a registry: X-Hive-CDN-Key=VALUE,Other=VALUE. Values are percent-decoded.',
  }),
  SUPERGRAPH_POLL_MS: count({
    default: 1_000,
    desc: 'How often the gateway checks the file or URL for a new supergraph, in milliseconds; 0 for never. 10000 suits the URL of a registry.',
  }),
  SUBGRAPH_URLS: textFor(parseSubgraphUrls)({
    default: '',
    desc: 'The URLs of subgraphs, if they differ from those in the supergraph: text=http://a:4001/graphql,text=http://b:4001/graphql,search=... A subgraph that is listed twice has two replicas.',
  }),
  SUBGRAPH_SECRET: str({
    default: '',
    desc: 'The secret that the gateway shares with subgraphs, at least 32 characters. To change it, set two separated by a comma: subgraphs accept either, and the gateway uses the first. If empty, the gateway sends no token.',
  }),
  SUBGRAPH_TIMEOUT_MS: milliseconds({
    default: 5_000,
    desc: 'How long a subgraph may take to respond, in milliseconds, before its fields are null.',
  }),
  SUBGRAPH_HEDGE_MS: milliseconds({
    default: 1_000,
    desc: 'The hedging delay: how long one replica of a subgraph may take before the request is also sent to another, in milliseconds.',
  }),
  SUBGRAPH_CONNECTIONS: positiveCount({
    default: 32,
    desc: 'The maximum number of connections to one replica of a subgraph.',
  }),
  SUBGRAPH_FORWARD_HEADERS: textFor(parseForwardHeaders)({
    default: '',
    desc: 'The headers of clients that all subgraphs receive, by name, separated by commas, such as "X-Tenant, Accept-Language". Cached responses are then kept apart by their values. Pages of other origins may send those that CORS_HEADERS names.',
  }),
  SUBGRAPH_EXPOSED_ERRORS: str({
    default: '',
    desc: 'The subgraphs whose error messages and codes reach clients as they are, separated by commas; * for all. Other errors whose code docs/errors.md does not list are replaced by "Internal server error".',
  }),
};

const processSettings = {
  ...storeSettings,
  HOST: address({ default: '127.0.0.1', desc: 'The address the gateway listens on.' }),
  PORT,
  WORKERS: workers({
    default: 1,
    desc: 'The number of worker processes, which share the port and MEMORY_MB. More than one needs REDIS_URL, in which they count limits together. More than one per core does not help. auto: one per core. 1: this process serves requests itself.',
  }),
  ...memorySettings(minMemoryMb),
  ...parserSettings,
  DRAIN_MS: drainSetting,
  LOG_LEVEL: logLevel({
    default: 'info',
    desc: 'The lowest level that is logged. Every request is one line at level info.',
  }),
};

const requestSettings = {
  MAX_BODY_BYTES: positiveCount({ default: 100_000, desc: 'The largest request body that is read, in bytes.' }),
  MAX_TOKENS: positiveCount({ default: 5_000, desc: 'The maximum number of tokens in a query.' }),
  MAX_DEPTH: positiveCount({ default: 15, desc: 'The maximum depth of a query.' }),
  MAX_COMPLEXITY: positiveCount({
    default: 300,
    desc: 'The maximum cost of a query. A query may have twice as many fields and conditions (@skip, @include), counted after fragments are expanded.',
  }),
  REQUEST_CPU_MS: requestCpuSetting,
  MAX_PARALLEL_FETCHES: positiveCount({
    default: 16,
    desc: 'How many independent fetches of one operation the gateway sends to subgraphs at the same time. Further ones wait for a response.',
  }),
  EXECUTION_STRATEGY: str({
    default: 'auto',
    choices: ['auto', 'standard'],
    desc: 'How operations are executed. auto: by the query-plan executor, with the query planner of Hive Router. standard: by @apollo/gateway. Where the planner has no binary (Windows, Alpine), auto is standard: docs/architecture.md.',
  }),
  OPERATION_CACHE_BYTES: {
    ...positiveCount({
      default: defaultOperationCacheBytes,
      desc: 'The memory of the operation cache, in bytes, as an estimate: parsed and validated documents and their query plans. A document takes 20 to 200 kB. In the single process, the subgraphs together take the same amount in addition. If not set, at most a thirty-second of MEMORY_MB.',
    }),
    memoryParts: 32,
  },
  RESPONSE_CACHE_BYTES: {
    ...count({
      default: 16_000_000,
      desc: 'The memory of the response cache, in bytes; 0 turns the cache off. If not set, at most a thirty-second of MEMORY_MB.',
    }),
    memoryParts: 32,
  },
  RESPONSE_CACHE_SECONDS: count({
    default: 300,
    desc: 'How long a response is cached at most, in seconds; 0 turns the cache off. The Cache-Control of the responses of subgraphs may shorten the time: docs/subgraphs.md#a-subgraph-of-another-team.',
  }),
  PERSISTED_QUERIES_BYTES: {
    ...count({
      default: 16_000_000,
      desc: 'The memory for automatic persisted queries in each process, in bytes, of which a key may take a sixteenth; 0 turns them off. If not set, at most a thirty-second of MEMORY_MB.',
    }),
    memoryParts: 32,
  },
  PERSISTED_QUERIES_SECONDS: count({
    default: 86_400,
    desc: 'How long an automatic persisted query is stored, in seconds; 0 turns them off.',
  }),
  TRUSTED_DOCUMENTS: str({
    default: '',
    desc: 'The manifest of trusted documents: a file, or a URL that begins with http and may contain a user and a password. Clients may send the id of a document in place of its text: docs/run.md. If empty, there are none.',
  }),
  TRUSTED_DOCUMENTS_POLL_MS: count({
    default: 5_000,
    desc: 'How often the gateway checks the file or URL for a new manifest, in milliseconds; 0 for never.',
  }),
  TRUSTED_DOCUMENTS_ONLY: str({
    default: 'off',
    choices: ['on', 'off'],
    desc: 'Whether all keys may send trusted documents only. off: only keys issued or approved with --trusted-documents have this restriction. on needs TRUSTED_DOCUMENTS.',
  }),
  DOCUMENT_GET: str({
    default: 'off',
    choices: ['off', 'private', 'public'],
    desc: 'Whether `GET /documents/ID` serves trusted and persisted documents, for HTTP caches (docs/run.md). With private, only the cache of the client may keep a response. With public, shared caches may too, and send it to clients without a key.',
  }),
  DOCUMENT_GET_SECONDS: count({
    default: 300,
    desc: 'How long HTTP caches may keep a response to `GET /documents/ID` without asking again, in seconds. An import reaches them that much later.',
  }),
  RATE_PER_MINUTE: count({
    default: 100,
    desc: 'How many requests one address may send in a minute; 0 for no limit. IPv6 addresses count by their /64 network.',
  }),
  KEY_RATE_PER_MINUTE: count({
    default: 300,
    desc: 'How many requests one key may send in a minute, from all its addresses together; 0 for no limit. A key may have a limit of its own.',
  }),
  RATE_PER_DAY: count({
    default: 1_000,
    desc: 'How many requests a key may send in a day (UTC), unless the key has a quota of its own; 0 for no limit.',
  }),
  KEY_REQUESTS_PER_HOUR: count({
    default: 5,
    desc: 'How many key requests one address may send in an hour; 0 for no limit.',
  }),
  OFFLINE_BASE_URL: httpUrl({
    default: '',
    desc: 'The URL of the server with the offline packages, as OFFLINE_BASE_URL of the text subgraph. The gateway redirects /offline/ to it. If empty, it responds 404 there.',
  }),
  REDIS_URL: textFor((text) => text === '' || parseRedisUrl(text))({
    default: '',
    desc: 'The Redis server in which all gateways and workers count limits together: redis://host:6379, rediss://, redis+cluster://host:6379,host:6379 or redis+sentinel://host:26379,host:26379/master. If empty, limits are counted in memory.',
  }),
  TRUSTED_PROXIES: trustedProxiesSetting,
  OPERATOR_PASSWORD: textFor(parseOperators)({
    default: '',
    desc: "The password of the operator's pages under /admin, at least 12 characters, or one for each of at least two names of the audit log: olga:PASSWORD,piet:PASSWORD. If empty, there are no such pages.",
  }),
  SITE_TITLE: str({
    default: '',
    desc: 'The title of the page / for a graph of your own. The page then says nothing of Bible texts. If empty, it describes Lectern.',
  }),
  SECURITY_CONTACT: textFor(checkContact)({
    default: '',
    desc: 'The address for reports of security problems, which `/.well-known/security.txt` shows: mailto:security@example.org or an https URL. If empty, there is no such page.',
  }),
  ...telemetrySettings,
  CORS_ORIGINS: str({
    default: '*',
    desc: 'The origins whose pages may call the API, separated by commas; * for any.',
  }),
  CORS_HEADERS: textFor(parseCorsHeaders)({
    default: '',
    desc: 'The request headers that these pages may send in addition to the standard ones (docs/clients.md#browsers), separated by commas; * for any.',
  }),
};

/** The settings of the single process, whose supergraph and subgraphs are its own. */
export const singleProcessSettings = { ...processSettings, ...requestSettings };

/** The settings that the gateway reads from its environment. docs/settings.md lists them in this order. */
export const settings = { ...processSettings, ...supergraphSettings, ...requestSettings };

export function readConfig(env: NodeJS.ProcessEnv) {
  const config = readSettings(env, settings);
  checkWorkers(config, minMemoryMb);
  return config;
}

export type GatewayConfig = ReturnType<typeof readConfig>;

/** The settings that the standalone service reads too. Its gateway has no subgraphs in other processes. */
type StandaloneConfig = Omit<GatewayConfig, keyof typeof supergraphSettings>;

/** Reads the headers of requests for the supergraph. Throws if there are headers but the supergraph is a file. */
export function readSupergraphHeaders(config: GatewayConfig): Readonly<Record<string, string>> {
  const headers = parseSupergraphHeaders(config.SUPERGRAPH_HEADERS);
  if (Object.keys(headers).length > 0 && !isHttpLocation(config.SUPERGRAPH))
    throw new Error('SUPERGRAPH_HEADERS needs a URL in SUPERGRAPH: files have no headers.');
  return headers;
}

function readTrustedDocumentsOnly({ TRUSTED_DOCUMENTS, TRUSTED_DOCUMENTS_ONLY }: StandaloneConfig): boolean {
  if (TRUSTED_DOCUMENTS_ONLY === 'on' && TRUSTED_DOCUMENTS === '')
    throw new Error('TRUSTED_DOCUMENTS_ONLY=on needs TRUSTED_DOCUMENTS: without it every request would be rejected.');
  return TRUSTED_DOCUMENTS_ONLY === 'on';
}

export const gatewayOptions = (config: StandaloneConfig) => ({
  environment: config.LECTERN_ENVIRONMENT,
  cors: { origins: config.CORS_ORIGINS, headers: config.CORS_HEADERS },
  maxBodyBytes: config.MAX_BODY_BYTES,
  limits: { tokens: config.MAX_TOKENS, depth: config.MAX_DEPTH, complexity: config.MAX_COMPLEXITY },
  executionStrategy: config.EXECUTION_STRATEGY,
  maxParallelNodes: config.MAX_PARALLEL_FETCHES,
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
  documentGet:
    config.DOCUMENT_GET === 'off' ? null : { caches: config.DOCUMENT_GET, maxSeconds: config.DOCUMENT_GET_SECONDS },
  rates: {
    perMinute: config.RATE_PER_MINUTE,
    keyPerMinute: config.KEY_RATE_PER_MINUTE,
    perDay: config.RATE_PER_DAY,
    keyRequestsPerHour: config.KEY_REQUESTS_PER_HOUR,
  },
  redisUrl: config.REDIS_URL,
  trustedProxies: config.TRUSTED_PROXIES,
  operatorPassword: config.OPERATOR_PASSWORD,
  title: config.SITE_TITLE,
  securityContact: config.SECURITY_CONTACT,
  mailsToOutbox: config.SMTP_URL === '',
  secureCookies: config.PUBLIC_URL.startsWith('https:'),
  host: config.HOST,
  port: config.PORT,
});
