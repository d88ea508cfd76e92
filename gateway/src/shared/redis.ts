import type { RedisOptions } from 'ioredis';
import Redis, { Cluster } from 'ioredis';

const retryDelayMs = (attempt: number): number => Math.min(attempt * 200, 2_000);

const optionsFor = (timeoutMs: number): RedisOptions => ({
  lazyConnect: true,
  // Without a connection, a command fails at once. So no request waits for a connection.
  enableOfflineQueue: false,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
  connectTimeout: 10 * timeoutMs,
  // For a command that never gets a response. Counting has a shorter deadline.
  commandTimeout: 5 * timeoutMs,
  retryStrategy: retryDelayMs,
  connectionName: 'lectern-gateway',
});

const urlForms =
  'redis://[user:password@]host[:port][/database], rediss:// for TLS, redis+cluster://host:port,host:port or redis+sentinel://host:port,host:port/master';

/** Parses the setting REDIS_URL. Error messages do not contain the password. */
export function parseRedisUrl(url: string) {
  const found = /^(redis|rediss)(?:\+(cluster|sentinel))?:\/\/(?:([^@/]*)@)?([^@/?#]+)(?:\/([^/?#]*))?\/?$/.exec(url);
  const [, scheme, kind, credentials = '', hosts = '', path = ''] = found ?? [];
  const nodes = hosts.split(',').map((host) => nodeOf(host, kind === 'sentinel' ? 26_379 : 6_379));
  const isSentinel = kind === 'sentinel';
  const isInvalid =
    !found ||
    nodes.includes(null) ||
    (!kind && nodes.length > 1) ||
    (isSentinel ? path === '' : !/^\d{0,4}$/.test(path));
  if (isInvalid) throw new Error(`REDIS_URL is not of the form ${urlForms}`);
  const [username, ...password] = credentials.split(':').map(decodeCredentials);
  return {
    kind: kind === 'cluster' || kind === 'sentinel' ? kind : ('single' as const),
    nodes: nodes.flatMap((node) => node ?? []),
    tls: scheme === 'rediss',
    username: username || undefined,
    password: password.length > 0 ? password.join(':') : undefined,
    db: isSentinel || path === '' ? 0 : Number(path),
    /** The name under which the sentinels know the master. Undefined without sentinels. */
    master: isSentinel ? path : undefined,
  };
}

function decodeCredentials(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Error(
      'REDIS_URL has a % in its user or password that encodes no character. Write %25 for a percent sign.',
    );
  }
}

function nodeOf(text: string, defaultPort: number): { host: string; port: number } | null {
  const [, bracketed, plain, port] = /^(?:\[([0-9a-f:.]+)\]|([^:\s]+))(?::(\d{1,5}))?$/i.exec(text.trim()) ?? [];
  const host = bracketed ?? plain;
  return host === undefined ? null : { host, port: port === undefined ? defaultPort : Number(port) };
}

/** Opens Redis at REDIS_URL, or returns null if it is empty. `location` has the servers, for messages to operators. */
export function openRedis(url: string, timeoutMs: number) {
  if (url === '') return null;
  const address = parseRedisUrl(url);
  const location = address.nodes.map(({ host, port }) => `${host}:${port}`).join(', ');
  return { client: createRedisClient(address, timeoutMs), location };
}

export type OpenedRedis = NonNullable<ReturnType<typeof openRedis>>;

/** Creates a client that is not connected yet. */
function createRedisClient(address: ReturnType<typeof parseRedisUrl>, timeoutMs: number): Redis | Cluster {
  const { kind, nodes, tls, username, password, db, master } = address;
  const options: RedisOptions = { ...optionsFor(timeoutMs), username, password, tls: tls ? {} : undefined };
  if (kind === 'cluster') {
    return new Cluster(nodes, {
      lazyConnect: true,
      enableOfflineQueue: false,
      clusterRetryStrategy: retryDelayMs,
      slotsRefreshTimeout: 2_000,
      redisOptions: options,
    });
  }
  if (kind === 'sentinel') {
    return new Redis({
      ...options,
      db,
      sentinels: nodes,
      name: master,
      sentinelRetryStrategy: retryDelayMs,
      enableTLSForSentinelMode: tls,
    });
  }
  const [node = { host: '127.0.0.1', port: 6_379 }] = nodes;
  return new Redis({ ...options, ...node, db });
}
