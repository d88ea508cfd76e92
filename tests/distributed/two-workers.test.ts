import { execFileSync } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { openKeys } from '@lectern/keys';
import type { StartedProcess } from '@lectern/testing';
import {
  findProgram,
  freePort,
  graphqlHeaders,
  linkData,
  metricValue,
  repositoryRoot,
  send,
  spawnProcess,
  startRedis,
  useStarted,
  withFolder,
} from '@lectern/testing';
import { operatorPassword } from '../support/admin-fixture';
import { issueKey, pepper } from '../support/embedded-lectern';
import { createBrowserClient, visibleText } from '../support/form-client';
import type { SentRequest } from '../support/keep-alive-client';
import { startKeepAliveClient } from '../support/keep-alive-client';
import { childrenOf, openProcesses, waitUntil } from '../support/processes';

const redisServer = findProgram(['redis-server'], 'redis-server');
const describeWithRedis = redisServer ? describe : describe.skip;

/** Starts `work` several times at once. Resolves with all results. */
const times = <Result>(count: number, work: () => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, work));
const countOf = (text: string, part: string): number => text.split(part).length - 1;
const failed = (calls: readonly SentRequest[]): SentRequest[] => calls.filter(({ status }) => status !== 200);

/**
 * Waits until the current minute lasts at least 12 s longer. The windows of rate limits are whole
 * minutes, and the requests of a test must be in one window.
 */
const untilEarlyInMinute = () => waitUntil(() => new Date().getUTCSeconds() < 48);

const verse = '{ verse(book: "JHN", chapter: 3, verse: 16) { text } }';
const sendQuery = ({ origin }: StartedProcess, token: string, query = verse) =>
  send(`${origin}/graphql`, { headers: graphqlHeaders(token), body: JSON.stringify({ query }) });

describeWithRedis('the embedded service with WORKERS=2', () => {
  const redis = useStarted(() => startRedis(redisServer ?? ''));
  const processes = useStarted(openProcesses);
  let service: StartedProcess;
  let token: string;
  let metricsPort: number;
  beforeAll(async () => {
    linkData(processes.folder);
    metricsPort = await freePort();
    service = await processes.start('packages/standalone/dist/main.js', {
      LECTERN_DATA: processes.folder,
      KEY_PEPPER: pepper,
      WORKERS: '2',
      REDIS_URL: redis.url,
      METRICS_PORT: String(metricsPort),
      MEMORY_MB: '1024',
      LOG_LEVEL: 'info',
      SEMANTIC_TRANSLATIONS: '',
      OPERATOR_PASSWORD: operatorPassword,
      RATE_PER_MINUTE: '0',
      KEY_RATE_PER_MINUTE: '0',
      RATE_PER_DAY: '100000',
    });
    await waitUntil(() => service.output().includes('curl'));
    ({ token } = processes);
  });

  const workers = () => childrenOf(service);
  /** Returns the process id of the worker that served a request. Null until the worker has logged the request. */
  const servedBy = ({ headers }: { headers: Record<string, unknown> }): number | null => {
    // The last line may not be complete.
    const lines = service.output().split('\n').slice(0, -1);
    const line = lines.find((each) => each.includes(String(headers['x-request-id'])));
    return line === undefined ? null : (JSON.parse(line) as { pid: number }).pid;
  };
  const metricsText = async () => (await send(`http://127.0.0.1:${metricsPort}/metrics`, { method: 'GET' })).text;
  /** Returns how many operations all workers together have executed without errors. */
  const servedRequests = async () =>
    metricValue(await metricsText(), 'lectern_operation_duration_seconds_count', 'outcome="ok"');
  const withKeys = async <Result>(use: (keys: ReturnType<typeof openKeys>) => Promise<Result>): Promise<Result> => {
    const keys = openKeys({ file: join(processes.folder, 'keys.sqlite'), pepper });
    try {
      return await use(keys);
    } finally {
      await keys.close();
    }
  };

  test('each of two workers gets half of MEMORY_MB, half of this as heap, and as many V8 threads as cores minus 1', () => {
    const threads = Math.min(4, Math.max(1, availableParallelism() - 1));
    expect(workers()).toHaveLength(2);
    for (const worker of workers())
      expect(execFileSync('ps', ['-o', 'args=', '-p', String(worker)], { encoding: 'utf8' })).toContain(
        `--max-old-space-size=256 --v8-pool-size=${threads} `,
      );
  });

  test('two workers both serve requests, the startup message comes once, and metrics are the sums of both', async () => {
    const before = await servedRequests();
    const responses = await times(20, () => sendQuery(service, token));
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    await waitUntil(() => responses.every((response) => servedBy(response) !== null));
    expect([...new Set(responses.map(servedBy))].sort()).toEqual(workers().sort());
    expect(countOf(service.output(), 'Lectern is up')).toBe(1);
    expect((await servedRequests()) - before).toBe(20);
    const page = await metricsText();
    expect(page).toContain('lectern_workers{service_name="lectern"} 2\n');
    expect(page).toContain('lectern_workers_configured{service_name="lectern"} 2\n');
    expect(metricValue(page, 'lectern_supergraph_info')).toBe(1);
  });

  test('operator sessions, counts of embedding calls and revocations of API keys apply in both of two worker processes', () =>
    withKeys(async (keys) => {
      const operator = createBrowserClient(service.origin);
      expect((await operator.submitForm('/admin/sign-in', { password: operatorPassword })).status).toBe(303);
      const pages = await times(8, () => operator.get('/admin/requests'));
      expect(pages.map(({ status }) => status)).toEqual(pages.map(() => 200));

      const { key, token: revoked } = await issueKey(keys, { email: 'revoked@example.org' });
      for (let index = 0; index < 8; index += 1)
        await sendQuery(
          service,
          revoked,
          `{ semanticSearch(query: "peace ${index}", translation: "eng-kjv") { similarity } }`,
        );
      // Redis may count an embedding call only after the worker has responded.
      await waitUntil(async () =>
        (await times(8, () => operator.get(`/admin/keys/${key.id}`))).every(({ text }) =>
          /Embedding calls today \(UTC\)\s*8\s/.test(visibleText(text)),
        ),
      );
      await keys.revoke(key.id, 'a test');
      const responses = await times(8, () => sendQuery(service, revoked));
      expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 401));
    }));

  test('a killed worker is forked again, the other one serves its clients without an error, and no counter falls', async () => {
    const forked = countOf(service.output(), 'a worker ended and is forked again');
    const clients = Array.from({ length: 6 }, () => startKeepAliveClient(service.origin, token));
    await waitUntil(() => clients.every(({ requests }) => requests.length > 3));
    const before = workers();
    const [killed = 0] = before;
    const firstRequest = ({ requests }: (typeof clients)[number]) => ({
      headers: { 'x-request-id': requests[0]?.requestId },
    });
    await waitUntil(() => clients.every((client) => servedBy(firstRequest(client)) !== null));
    const workerOfClient = clients.map((client) => servedBy(firstRequest(client)));
    expect(new Set(workerOfClient)).toEqual(new Set(before));
    const counted = await servedRequests();
    process.kill(killed, 'SIGKILL');
    await waitUntil(() => countOf(service.output(), 'a worker ended and is forked again') === forked + 1);
    await waitUntil(async () => metricValue(await metricsText(), 'lectern_workers') === 2);
    await Promise.all(clients.map(({ stop }) => stop()));
    expect(workers()).not.toContain(killed);
    for (const [index, { requests }] of clients.entries())
      expect(failed(requests).length).toBeLessThanOrEqual(workerOfClient[index] === killed ? 1 : 0);
    expect(await servedRequests()).toBeGreaterThan(counted);
    const responses = await times(20, () => sendQuery(service, token));
    await waitUntil(() => responses.every((response) => servedBy(response) !== null));
    expect(new Set(responses.map(servedBy))).toEqual(new Set(workers()));
  });

  // The next two tests stop Redis and the service, so they are the last ones that use them.
  test('while Redis is down, each of two worker processes serves requests and counts the limit of an API key alone', async () => {
    const limited = await withKeys((keys) =>
      issueKey(keys, { email: 'limited@example.org', requestsPerMinute: 7 }).then(({ token: own }) => own),
    );
    await redis.stop();
    await sendQuery(service, token);
    await untilEarlyInMinute();
    // A busy worker may receive far fewer connections than the other one.
    const responses = await times(150, () => sendQuery(service, limited));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(2 * 7);
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(150 - 2 * 7);
    expect(countOf(service.output(), 'Redis is unavailable')).toBe(2);
    expect(metricValue(await metricsText(), 'lectern_redis_breaker_open')).toBe(1);
  });

  test('on SIGTERM every worker process finishes its requests in flight, and the service exits with 0', async () => {
    const clients = Array.from({ length: 6 }, () => startKeepAliveClient(service.origin, token));
    await waitUntil(() => clients.every(({ requests }) => requests.length > 3));
    service.child.kill('SIGTERM');
    expect(await service.ended).toBe(0);
    await Promise.all(clients.map(({ stop }) => stop()));
    expect(workers()).toEqual([]);
    for (const { requests } of clients) {
      expect(requests.some(({ closesConnection, status }) => closesConnection && status === 200)).toBe(true);
      // Only new connections fail after SIGTERM. Each request on an open connection is executed.
      expect(failed(requests).filter(({ reusedConnection }) => reusedConnection)).toEqual([]);
    }
  });
});

describeWithRedis('a gateway with WORKERS=2', () => {
  const redis = useStarted(() => startRedis(redisServer ?? ''));
  const processes = useStarted(openProcesses);

  test('two workers together apply the exact limits of an address, of a key and of the form that requests a key', async () => {
    const limits = { RATE_PER_MINUTE: '60', RATE_PER_DAY: '25', KEY_REQUESTS_PER_HOUR: '5' };
    const subgraphs = await processes.serveSubgraphs(['text']);
    const { gateway } = await processes.startGateway(subgraphs, { WORKERS: '2', REDIS_URL: redis.url, ...limits });
    await waitUntil(() => gateway.output().includes('gateway ready'));
    await untilEarlyInMinute();
    // Requests that are rejected for their cost count against the limit of the IP address, but not
    // against the limit of the key.
    const expensive =
      '{ concordance(word: "love", translation: "eng-web", first: 100) { edges { node { verse { id text a: text b: text c: text d: text e: text f: text bookId bookName chapter verse reference } } } } }';
    const rejected = await times(10, () => sendQuery(gateway, processes.token, expensive));
    expect(rejected.map(({ status }) => status)).toEqual(rejected.map(() => 200));
    const responses = await times(100, () => sendQuery(gateway, processes.token));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(25);
    // If the limit of the IP address rejects a request, the RateLimit header does not name the key.
    expect(responses.filter(({ headers }) => !String(headers['ratelimit']).includes('"key"'))).toHaveLength(110 - 60);

    const forms = await times(9, () =>
      createBrowserClient(gateway.origin).submitForm('/api-keys/request', {
        name: 'Ada',
        email: 'ada@example.org',
        description: 'A reading plan.',
      }),
    );
    expect(forms.map(({ status }) => status).sort()).toEqual([303, 303, 303, 303, 303, 429, 429, 429, 429]);

    // As after Ctrl-C in a terminal.
    for (const pid of [gateway.child.pid ?? 0, ...childrenOf(gateway)]) process.kill(pid, 'SIGINT');
    expect(await gateway.ended).toBe(0);
    expect(childrenOf(gateway)).toEqual([]);
  });

  test('the primary keeps its worker if the other one ends and cannot start, and exits with 1 when none is left', () =>
    withFolder(async (folder) => {
      // A worker of this gateway reads the supergraph only at its start (SUPERGRAPH_POLL_MS=0).
      const file = join(folder, 'supergraph.graphql');
      copyFileSync(join(repositoryRoot, 'supergraph.graphql'), file);
      const { gateway } = await processes.startGateway(
        { text: ['http://127.0.0.1:9'] },
        { WORKERS: '2', REDIS_URL: redis.url, SUPERGRAPH: file, SUPERGRAPH_POLL_MS: '0' },
      );
      await waitUntil(() => gateway.output().includes('gateway ready'));
      writeFileSync(file, 'no supergraph');
      const [first = 0, second = 0] = childrenOf(gateway);
      process.kill(first, 'SIGKILL');
      await waitUntil(() => countOf(gateway.output(), 'a worker could not be started') === 2);
      const responses = await times(4, () => sendQuery(gateway, processes.token, '{ __typename }'));
      expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      process.kill(second, 'SIGKILL');
      expect(await gateway.ended).toBe(1);
      expect(gateway.output()).toMatch(/^No worker is left: a worker ended before it served requests \(exit code 1\)/m);
      expect(childrenOf(gateway)).toEqual([]);
    }));
});

test('a gateway with WORKERS=2 without REDIS_URL, supergraph or free PORT exits with 1 and prints one error', () =>
  withFolder(async (folder) => {
    const otherServer = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => otherServer.once('listening', resolve));
    const { port } = otherServer.address() as AddressInfo;
    const REDIS_URL = 'redis://127.0.0.1:9';
    const start = 'Lectern does not start: a worker ended before it served requests (exit code 1)';
    const failures: [Record<string, string>, string[]][] = [
      [{}, ['WORKERS=2 needs REDIS_URL']],
      [{ REDIS_URL, SUPERGRAPH: join(folder, 'missing.graphql') }, ['npm run compose', start]],
      [{ REDIS_URL, PORT: String(port) }, [`Port ${port} on 127.0.0.1 is taken`, start]],
    ];
    for (const [settings, messages] of failures) {
      const env = { LECTERN_DATA: folder, KEY_PEPPER: pepper, WORKERS: '2', PORT: String(await freePort()) };
      const { ended, output } = spawnProcess('gateway/dist/main.js', { ...env, ...settings });
      expect(await ended).toBe(1);
      for (const message of messages) expect([message, countOf(output(), message)]).toEqual([message, 1]);
      expect(output()).not.toMatch(/^\s+at /m);
    }
    otherServer.close();
  }));
