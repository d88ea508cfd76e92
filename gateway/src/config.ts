import { availableParallelism } from 'node:os';
import { keysSettings } from '@lectern/keys';
import { address, milliseconds, readSettings, textFor, wholeNumber } from '@lectern/serving';
import { telemetrySettings } from '@lectern/telemetry';
import { EnvError, makeValidator, str } from 'envalid';
import { createClientAddress } from './admission/client-address';
import { parseRedisUrl } from './redis-client';
import { parseSubgraphUrls } from './transport/subgraph-urls';

const mostCounted = 999_999_999;
const count = wholeNumber(0, mostCounted);
const atLeastOne = wholeNumber(1, mostCounted);

const mostWorkers = 256;
const workers = makeValidator((text: string) => {
  if (text.trim() === 'auto') return availableParallelism();
  const number = Number(text);
  if (!/^\d{1,3}$/.test(text.trim()) || number < 1 || number > mostWorkers)
    throw new EnvError(`must be auto or a whole number from 1 to ${mostWorkers}`);
  return number;
});

const leastPasswordLength = 12;
const password = makeValidator((text: string) => {
  if (text !== '' && text.length < leastPasswordLength)
    throw new EnvError(`must have at least ${leastPasswordLength} characters`);
  return text;
});

// Beside the HOST in the list of settings.
const { PORT, ...storeSettings } = keysSettings;

/** What the gateway reads from its environment. docs/settings.md lists it, and a test holds that page to this. */
export const settings = {
  ...storeSettings,
  HOST: address({ default: '127.0.0.1', desc: 'The address the gateway listens on.' }),
  PORT,
  WORKERS: workers({
    default: 1,
    desc: 'How many processes serve, sharing port and limits: one a core is the most that is of use. auto: as many as there are cores. With 1 there is this process alone.',
  }),
  DRAIN_MS: count({
    default: 2_000,
    desc: 'How long the gateway still takes requests after it was told to stop, in milliseconds, while /ready says 503: longer than load balancers need to see that. 0 for not at all.',
  }),
  LOG_LEVEL: str({
    default: 'info',
    choices: ['debug', 'info', 'warn', 'error', 'fatal', 'silent'],
    desc: 'The least level that is logged. Every request is a line at info.',
  }),
  SUPERGRAPH: str({
    default: 'supergraph.graphql',
    desc: 'The composed supergraph: a file, or a URL that begins with http.',
  }),
  SUPERGRAPH_POLL_MS: count({
    default: 1_000,
    desc: 'How often the file or URL is looked at for a new supergraph, in milliseconds; 0 for never.',
  }),
  SUBGRAPH_URLS: textFor(parseSubgraphUrls)({
    default: '',
    desc: 'Where subgraphs are, when not at the URLs of the supergraph: text=http://a:4001/graphql,text=http://b:4001/graphql,search=... A name that stands twice has two replicas.',
  }),
  SUBGRAPH_SECRET: str({
    default: '',
    desc: 'The secret that proves the gateway to subgraphs, at least 32 characters, the same there. While it is changed, two with a comma between: subgraphs take either, a gateway shows the first. Empty: none.',
  }),
  SUBGRAPH_TIMEOUT_MS: milliseconds({
    default: 5_000,
    desc: 'How long a subgraph may take to answer, in milliseconds, before its fields are null.',
  }),
  SUBGRAPH_HEDGE_MS: milliseconds({
    default: 1_000,
    desc: 'How long one replica of a subgraph may take before another is asked as well, in milliseconds.',
  }),
  SUBGRAPH_CONNECTIONS: atLeastOne({
    default: 32,
    desc: 'The most connections that are kept to one replica of a subgraph.',
  }),
  MAX_BODY_BYTES: atLeastOne({ default: 100_000, desc: 'The largest request body that is read, in bytes.' }),
  MAX_TOKENS: atLeastOne({ default: 5_000, desc: 'The most tokens that a query may have.' }),
  MAX_DEPTH: atLeastOne({ default: 15, desc: 'The deepest that a query may be nested.' }),
  MAX_COMPLEXITY: atLeastOne({
    default: 300,
    desc: 'The most that a query may cost. Its fields, fragments unfolded, may be five times as many.',
  }),
  EXECUTION_STRATEGY: str({
    default: 'auto',
    choices: ['auto', 'standard'],
    desc: 'How operations are executed. auto: one subgraph or the query-plan executor answers where possible. standard: @apollo/gateway executes every operation. The responses are the same: docs/execution.md.',
  }),
  RESPONSE_CACHE_BYTES: count({
    default: 32_000_000,
    desc: 'The memory for answers that are kept to be given again, in bytes; 0 for none.',
  }),
  RESPONSE_CACHE_SECONDS: count({ default: 300, desc: 'How long an answer is kept at most.' }),
  RESPONSE_CACHE_SHARED: str({
    default: 'off',
    choices: ['on', 'off'],
    desc: 'Whether answers that are kept lie in Redis too, for all gateways. on needs REDIS_URL: docs/execution.md.',
  }),
  RATE_PER_MINUTE: count({
    default: 100,
    desc: 'How many requests one address may make in a minute (of an IPv6 address, its /64); 0 for no limit.',
  }),
  RATE_PER_DAY: count({
    default: 1_000,
    desc: 'How many requests a key has for a day (UTC), where none is set for the key itself; 0 for no limit.',
  }),
  KEY_REQUESTS_PER_HOUR: count({
    default: 5,
    desc: 'How many times an hour one address may send the form that requests a key; 0 for no limit.',
  }),
  REDIS_URL: textFor((text) => text === '' || parseRedisUrl(text))({
    default: '',
    desc: 'Where limits are counted for all gateways together: redis://host:6379, rediss://, redis+cluster://host:6379,host:6379 or redis+sentinel://host:26379,host:26379/master. Empty: in memory.',
  }),
  TRUSTED_PROXIES: textFor(createClientAddress)({
    default: '',
    desc: 'The proxies whose X-Forwarded-For is believed: addresses, ranges (10.0.0.0/8), loopback, linklocal or uniquelocal, with commas between. Empty: none.',
  }),
  OPERATOR_PASSWORD: password({
    default: '',
    desc: "The password of the operator's pages under /admin, at least 12 characters. Empty: there are no such pages.",
  }),
  ...telemetrySettings,
  CORS_ORIGINS: str({
    default: '*',
    desc: 'The origins whose pages may call the API, with commas between; * for any.',
  }),
};

export const readConfig = (env: NodeJS.ProcessEnv) => readSettings(env, settings);

export type GatewayConfig = Omit<
  ReturnType<typeof readConfig>,
  | 'SUPERGRAPH'
  | 'SUPERGRAPH_POLL_MS'
  | 'SUBGRAPH_URLS'
  | 'SUBGRAPH_SECRET'
  | 'SUBGRAPH_HEDGE_MS'
  | 'SUBGRAPH_TIMEOUT_MS'
  | 'SUBGRAPH_CONNECTIONS'
  | 'DRAIN_MS'
>;

/** Throws where answers that are kept are to be shared and cannot be. */
function readKeptShared({
  RESPONSE_CACHE_SHARED,
  RESPONSE_CACHE_BYTES,
  RESPONSE_CACHE_SECONDS,
  REDIS_URL,
}: GatewayConfig): boolean {
  if (RESPONSE_CACHE_SHARED === 'off') return false;
  if (REDIS_URL === '')
    throw new Error('RESPONSE_CACHE_SHARED=on needs REDIS_URL: it is there that gateways share the answers they keep.');
  if (RESPONSE_CACHE_BYTES === 0 || RESPONSE_CACHE_SECONDS === 0)
    throw new Error(
      'RESPONSE_CACHE_SHARED=on shares answers that are kept, and with RESPONSE_CACHE_BYTES=0 or RESPONSE_CACHE_SECONDS=0 none are.',
    );
  return true;
}

/** The settings under the names that the code uses. */
export const gatewayOptions = (config: GatewayConfig) => ({
  environment: config.LECTERN_ENVIRONMENT,
  corsOrigins: config.CORS_ORIGINS,
  maxBodyBytes: config.MAX_BODY_BYTES,
  limits: { tokens: config.MAX_TOKENS, depth: config.MAX_DEPTH, complexity: config.MAX_COMPLEXITY },
  executionStrategy: config.EXECUTION_STRATEGY,
  responseCache: {
    maxBytes: config.RESPONSE_CACHE_SECONDS === 0 ? 0 : config.RESPONSE_CACHE_BYTES,
    maxSeconds: config.RESPONSE_CACHE_SECONDS,
    shared: readKeptShared(config),
  },
  rates: {
    perMinute: config.RATE_PER_MINUTE,
    perDay: config.RATE_PER_DAY,
    keyRequestsPerHour: config.KEY_REQUESTS_PER_HOUR,
  },
  redisUrl: config.REDIS_URL,
  trustedProxies: config.TRUSTED_PROXIES,
  operatorPassword: config.OPERATOR_PASSWORD,
  mailsToOutbox: config.SMTP_URL === '',
  secureCookies: config.PUBLIC_URL.startsWith('https:'),
  host: config.HOST,
  port: config.PORT,
});
