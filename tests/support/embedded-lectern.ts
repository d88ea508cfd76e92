import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Keys } from '@lectern/keys';
import { openKeys } from '@lectern/keys';
import { silentLogger } from '@lectern/serving';
import type { StandaloneOptions } from '@lectern/standalone';
import { startStandalone } from '@lectern/standalone';
import type { GraphqlClient } from '@lectern/testing';
import { createGraphqlClient, dataDir } from '@lectern/testing';

export const pepper = 'a pepper for tests, as long as it has to be';

/** The settings of a gateway in a test: it listens at a free port, caches nothing and counts no requests. */
export const gatewaySettings = {
  environment: 'test' as const,
  cors: { origins: '*' as const },
  maxBodyBytes: 100_000,
  limits: { tokens: 5_000, depth: 15, complexity: 300 },
  responseCache: { maxBytes: 0, maxSeconds: 0 },
  trustedDocuments: { location: '', pollMs: 0, isOnly: false },
  persistedQueries: { maxBytes: 0, maxSeconds: 0 },
  // 0 means no limit. All requests of a test come from one IP address and would exceed a limit.
  rates: { perMinute: 0, keyPerMinute: 0, perDay: 0, keyRequestsPerHour: 0 },
  redisUrl: '',
  trustedProxies: '',
  operatorPassword: '',
  formSecret: pepper,
  secureCookies: false,
  host: '127.0.0.1',
  port: 0,
  log: silentLogger,
};

/** Issues a key of the environment `test` to reader@example.org, unless `values` say otherwise. */
export const issueKey = (keys: Keys, values: Partial<Parameters<Keys['issue']>[0]> = {}) =>
  keys.issue({ email: 'reader@example.org', name: 'Reader', environment: 'test', ...values }, 'a test');

export interface EmbeddedLectern {
  /** The scheme, host and port of the service's URL. */
  origin: string;
  /** The URL of the GraphQL endpoint. */
  url: string;
  /** A valid API key of the environment `test`. */
  token: string;
  /** A GraphQL client that sends requests with the key `token`. */
  client: GraphqlClient;
  keys: Keys;
  /** The SQLite file that stores the API keys, for tests that open the key store a second time. */
  keysFile: string;
  close(): Promise<void>;
}

/**
 * Starts the embedded service in this process: real data, a free port, its own keys, no semantic
 * search, no rate limits. If the environment has EXECUTION_STRATEGY=standard, Apollo Server and
 * @apollo/gateway execute every operation.
 */
export async function startEmbeddedLectern(options: Partial<StandaloneOptions> = {}): Promise<EmbeddedLectern> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-'));
  const keysFile = join(folder, 'keys.sqlite');
  const keys = openKeys({ file: keysFile, pepper });
  const { token } = await issueKey(keys, { email: 'tester@example.org' });
  const listening = await startStandalone({
    dataDir,
    semantic: null,
    // A high limit on the CPU time of a request: a slow machine must not reject the request of a
    // test.
    requestCpuMs: 60_000,
    // Most tests need no parser of Bible references. In the others, the first reference loads it.
    preloadParser: false,
    keys,
    ...gatewaySettings,
    executionStrategy: process.env['EXECUTION_STRATEGY'] === 'standard' ? 'standard' : 'auto',
    responseCache: { maxBytes: 32_000_000, maxSeconds: 300 },
    persistedQueries: { maxBytes: 16_000_000, maxSeconds: 300 },
    // A long timeout: on a slow machine, a shorter one would make the service count requests
    // without Redis.
    redisTimeoutMs: 10_000,
    ...options,
  });
  const origin = `http://127.0.0.1:${listening.port}`;
  const url = `${origin}/graphql`;
  return {
    origin,
    url,
    token,
    keys,
    keysFile,
    client: createGraphqlClient(url, token),
    close: async () => {
      await listening.close({ graceMs: 1_000 });
      await keys.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
