import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { openKeys } from '@lectern/keys';
import type { StartedProcess } from '@lectern/testing';
import { freePort, graphqlHeaders, metricValue, send, useStarted } from '@lectern/testing';
import { operatorPassword } from '../support/admin-fixture';
import { issueKey, pepper } from '../support/embedded-lectern';
import { createBrowserClient, visibleText } from '../support/form-client';
import type { SentRequest } from '../support/keep-alive-client';
import { pauseMs, startKeepAliveClient } from '../support/keep-alive-client';
import { openProcesses, waitUntil } from '../support/processes';
import { repeatRequests } from '../support/repeat-requests';
import type { ServiceWithWorkers } from '../support/service-with-workers';
import { childrenOf, countOf, startServiceWithWorkers, times } from '../support/service-with-workers';

const failed = (calls: readonly SentRequest[]): SentRequest[] => calls.filter(({ status }) => status !== 200);

/**
 * Waits until the current minute lasts at least 12 s longer. The windows of rate limits are whole
 * minutes, and the requests of a test must be in one window.
 */
const untilEarlyInMinute = () => waitUntil(() => new Date().getUTCSeconds() < 48);

describe('a service with two workers', () => {
  let shared: ServiceWithWorkers;
  let metricsPort: number;
  beforeAll(async () => {
    metricsPort = await freePort();
    shared = await startServiceWithWorkers({
      METRICS_PORT: String(metricsPort),
      RATE_PER_DAY: '100000',
      OPERATOR_PASSWORD: operatorPassword,
      MEMORY_MB: '1024',
    });
  });
  afterAll(() => shared.close());

  const metricsText = async () => (await send(`http://127.0.0.1:${metricsPort}/metrics`, { method: 'GET' })).text;
  /** Returns how many anonymous operations all workers together have executed without errors. */
  const servedRequests = async () =>
    metricValue(
      await metricsText(),
      'lectern_operation_duration_seconds_count',
      'graphql_operation_name="(anonymous)"',
      'outcome="ok"',
    );

  const commandLineOf = (pid: number): string =>
    execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });

  test('each of two worker processes gets half of MEMORY_MB, and its heap limit is half of this share', () => {
    for (const worker of shared.workers()) expect(commandLineOf(worker)).toContain('--max-old-space-size=256 ');
  });

  test('each worker process starts with as many V8 threads (--v8-pool-size) as cores minus 1, at least 1 and at most 4', () => {
    const threads = Math.min(4, Math.max(1, availableParallelism() - 1));
    for (const worker of shared.workers()) expect(commandLineOf(worker)).toContain(`--v8-pool-size=${threads} `);
  });

  test('two worker processes both serve requests, and the service prints its startup message with the API key only once', async () => {
    const { service, client, workers, servedBy } = shared;
    const responses = await times(20, client);
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    await waitUntil(() => responses.every(({ requestId }) => servedBy(requestId) !== null));
    expect([...new Set(responses.map(({ requestId }) => servedBy(requestId)))].sort()).toEqual(workers().sort());
    expect(workers()).toHaveLength(2);
    expect(countOf(service.output(), 'Lectern is up')).toBe(1);
    // The startup message contains the key twice: in a line of its own and in an example command.
    expect(countOf(service.output(), 'svc_test_')).toBe(2);
  });

  test('two worker processes send exactly the same bytes as the compressed response to a query', async () => {
    const { service, token } = shared;
    const compressed = await times(4, () =>
      fetch(`${service.origin}/graphql`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'accept-encoding': 'gzip' },
        body: '{"query":"{ chapter(book: \\"PSA\\", chapter: 119) { text } }"}',
      }),
    );
    expect(compressed.map(({ headers }) => headers.get('content-encoding'))).toEqual(['gzip', 'gzip', 'gzip', 'gzip']);
    expect(new Set(await Promise.all(compressed.map((each) => each.text()))).size).toBe(1);
  });

  test('operator sessions, counts of embedding calls and revocations of API keys apply in both of two worker processes', async () => {
    const { service, folder } = shared;
    const operator = createBrowserClient(service.origin);
    expect((await operator.submitForm('/admin/sign-in', { password: operatorPassword })).status).toBe(303);
    expect((await times(8, () => operator.get('/admin/requests'))).map(({ status }) => status)).toEqual(
      Array.from({ length: 8 }, () => 200),
    );

    const keys = openKeys({ file: join(folder, 'keys.sqlite'), pepper });
    const { key, token: revoked } = await issueKey(keys, { email: 'revoked@example.org' });
    const sendWithKey = (query: string) =>
      send(`${service.origin}/graphql`, { headers: graphqlHeaders(revoked), body: JSON.stringify({ query }) });
    await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        sendWithKey(`{ semanticSearch(query: "peace ${index}", translation: "eng-kjv") { similarity } }`),
      ),
    );
    // The primary process may count an embedding call only after the worker has responded.
    await waitUntil(async () =>
      (await times(8, () => operator.get(`/admin/keys/${key.id}`))).every(({ text }) =>
        /Embedding calls today \(UTC\)\s*8\s/.test(visibleText(text)),
      ),
    );
    await keys.revoke(key.id, 'a test');
    expect((await times(8, () => sendWithKey('{ __typename }'))).map(({ status }) => status)).toEqual(
      Array.from({ length: 8 }, () => 401),
    );
    await keys.close();
  });

  test('two worker processes together accept exactly as many requests of an API key in a minute as its limit allows', async () => {
    const { service, folder } = shared;
    const keys = openKeys({ file: join(folder, 'keys.sqlite'), pepper });
    const { token } = await issueKey(keys, { email: 'limited@example.org', requestsPerMinute: 7 });
    await keys.close();
    await untilEarlyInMinute();
    const responses = await times(20, () =>
      send(`${service.origin}/graphql`, {
        headers: graphqlHeaders(token),
        body: JSON.stringify({ query: '{ __typename }' }),
      }),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(7);
  });

  test('the primary process replaces a killed worker process, and the clients of the second worker process see no error', async () => {
    const { service, token, client, workers, servedBy } = shared;
    const respawned = countOf(service.output(), 'a worker ended and is respawned');
    const clients = Array.from({ length: 6 }, () => startKeepAliveClient(service.origin, token));
    await waitUntil(() => clients.every(({ requests }) => requests.length > 3));
    const workerOfClient = await Promise.all(
      clients.map(async ({ requests }) => {
        const requestId = requests[0]?.requestId ?? '';
        await waitUntil(() => servedBy(requestId) !== null);
        return servedBy(requestId);
      }),
    );
    const before = workers();
    const [killed = 0] = before;
    process.kill(killed, 'SIGKILL');
    await waitUntil(
      () =>
        workers().length === 2 &&
        !workers().includes(killed) &&
        countOf(service.output(), 'a worker ended and is respawned') === respawned + 1,
    );
    await waitUntil(async () => {
      const { requestId } = await client();
      await waitUntil(() => servedBy(requestId) !== null);
      return !before.includes(servedBy(requestId) ?? killed);
    });
    await Promise.all(clients.map(({ stop }) => stop()));
    for (const [index, { requests }] of clients.entries())
      expect(failed(requests).length).toBeLessThanOrEqual(workerOfClient[index] === killed ? 1 : 0);
    expect(new Set(workerOfClient)).toEqual(new Set(before));
  });

  test('on SIGHUP the primary process replaces all worker processes under load, and no request fails', async () => {
    const { service, token, client, workers } = shared;
    const replaced = countOf(service.output(), 'every worker was replaced');
    const served = await servedRequests();
    const before = workers();
    const clients = Array.from({ length: 6 }, () => startKeepAliveClient(service.origin, token));
    const fresh: number[] = [];
    const ready: number[] = [];
    // The pause leaves processor time to the workers that start.
    const stopRequests = repeatRequests(
      [
        async () => {
          fresh.push((await client()).status);
          ready.push((await send(`${service.origin}/ready`, { method: 'GET' })).status);
        },
      ],
      pauseMs,
    );
    service.child.kill('SIGHUP');
    await waitUntil(() => countOf(service.output(), 'every worker was replaced') > replaced);
    await stopRequests();
    await Promise.all(clients.map(({ stop }) => stop()));
    expect(workers().filter((pid) => before.includes(pid))).toEqual([]);
    expect(workers()).toHaveLength(2);
    const calls = clients.flatMap((caller) => [...caller.requests]);
    expect(failed(calls)).toEqual([]);
    expect(new Set([...fresh, ...ready])).toEqual(new Set([200]));
    // The metrics of the service include the counts of the workers that were replaced.
    expect((await servedRequests()) - served).toBe(calls.length + fresh.length);
    expect(await metricsText()).toContain('lectern_workers{service_name="lectern"} 2\n');
    expect(await metricsText()).toContain('lectern_workers_configured{service_name="lectern"} 2\n');
  });

  test('while the primary process hangs, the worker processes still respond, and the log says afterwards that they share rate limits again', async () => {
    const { service, token } = shared;
    const sharedAgain = countOf(service.output(), 'limits are shared again');
    const clients = Array.from({ length: 4 }, () => startKeepAliveClient(service.origin, token));
    await waitUntil(() => clients.every(({ requests }) => requests.length > 3));
    service.child.kill('SIGSTOP');
    const then = clients.map(({ requests }) => requests.length);
    await waitUntil(() => clients.every(({ requests }, index) => requests.length > (then[index] ?? 0) + 5));
    service.child.kill('SIGCONT');
    await waitUntil(() => countOf(service.output(), 'limits are shared again') > sharedAgain);
    await Promise.all(clients.map(({ stop }) => stop()));
    expect(failed(clients.flatMap(({ requests }) => [...requests])).filter(({ status }) => status !== 429)).toEqual([]);
  });
  // This test stops the service, so it is the last one that uses the service.
  test('on SIGTERM every worker process finishes its requests in flight, and the service exits with 0', async () => {
    const { service, token, workers } = shared;
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

describe('a gateway with two workers and rate limits', () => {
  const processes = useStarted(openProcesses);
  let gateway: StartedProcess;
  beforeAll(async () => {
    const limits = { RATE_PER_MINUTE: '60', RATE_PER_DAY: '25', KEY_REQUESTS_PER_HOUR: '5' };
    const subgraphs = await processes.serveSubgraphs(['text']);
    ({ gateway } = await processes.startGateway(subgraphs, { WORKERS: '2', ...limits }));
  });
  const client = (query: string) =>
    send(`${gateway.origin}/graphql`, {
      headers: graphqlHeaders(processes.token),
      body: JSON.stringify({ query }),
    });

  test('two worker processes together apply the exact rate limits of an IP address, of an API key and of the form that requests a key', async () => {
    await untilEarlyInMinute();
    // Requests that are rejected for their cost count against the limit of the IP address, but not
    // against the limit of the key.
    const rejected = await times(10, () =>
      client(
        '{ concordance(word: "love", translation: "eng-web", first: 100) { edges { node { verse { id text a: text b: text c: text d: text e: text f: text bookId bookName chapter verse reference } } } } }',
      ),
    );
    expect(rejected.map(({ status }) => status)).toEqual(rejected.map(() => 200));
    const responses = await times(100, () => client('{ verse(book: "JHN", chapter: 3, verse: 16) { text } }'));
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
  });

  // This test stops the gateway, so it is the last one that uses the gateway.
  test('a gateway with workers exits with 0 if all its processes receive SIGINT at once, as after Ctrl-C', async () => {
    for (const pid of [gateway.child.pid ?? 0, ...childrenOf(gateway)]) process.kill(pid, 'SIGINT');
    expect(await gateway.ended).toBe(0);
    expect(childrenOf(gateway)).toEqual([]);
  });
});
