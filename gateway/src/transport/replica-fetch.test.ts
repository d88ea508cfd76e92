import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { silentLogger } from '@lectern/serving';
import { graphqlUrl } from '../../test-support/graphql-url';
import { createHttpSubgraphs } from './http-subgraphs';

const openSubgraphs = (urls: string, { timeoutMs = 5_000, hedgeMs = 5_000, connections = 1 } = {}) =>
  createHttpSubgraphs({ urls, secrets: '', timeoutMs, hedgeMs, connections, log: silentLogger });

/** Opens a subgraph whose replicas are these servers. `fetch` sends a query to it. */
async function openReplicas(servers: readonly Server[], options: Parameters<typeof openSubgraphs>[1] = {}) {
  const urls = await Promise.all(servers.map(graphqlUrl));
  const { subgraph, replicas, close } = openSubgraphs(urls.map((url) => `text=${url}`).join(','), options);
  const send = subgraph('text', '');
  return {
    fetch: async (query: string) => send({ query }, { requestId: 'request' }),
    replicas,
    async close(): Promise<void> {
      await close();
      for (const server of servers) server.close();
    },
  };
}

/**
 * Sends a query to a subgraph that closes every connection. Resolves to the number of requests that
 * it received.
 */
async function requestsFor(query: string): Promise<number> {
  let received = 0;
  const server = createServer(async (request) => {
    // Before the first request, the subgraph receives a probe.
    if ((await text(request)).includes(JSON.stringify(query))) received += 1;
    request.socket.destroy();
  });
  const { subgraph, close } = openSubgraphs('');
  const fetch = subgraph('text', await graphqlUrl(server));
  await expect(async () => fetch({ query }, { requestId: 'request' })).rejects.toMatchObject({ kind: 'unreachable' });
  await close();
  server.close();
  return received;
}

test('the gateway retries a query once after a closed connection, and never retries a mutation', async () => {
  expect(await requestsFor('{ languages { code } }')).toBe(2);
  expect(await requestsFor('mutation { change }')).toBe(1);
});

/**
 * Creates a replica whose schema has the field `languages` and, in the new version, the field
 * `readingTip`. The new version takes `ms` milliseconds for a response.
 */
const createReplica = (version: 'old' | 'new', ms = 0) =>
  createServer(async (request, response) => {
    const isUnknown = version === 'old' && (await text(request)).includes('readingTip');
    if (version === 'new' && ms > 0) await sleep(ms);
    const rejection = {
      message: 'Cannot query field "readingTip" on type "Query".',
      extensions: { code: 'GRAPHQL_VALIDATION_FAILED' },
    };
    response
      .writeHead(isUnknown ? 400 : 200, { 'content-type': 'application/json' })
      .end(JSON.stringify(isUnknown ? { errors: [rejection] } : { data: { readingTip: 'Mark', languages: [] } }));
  });

test('resending queries that an older replica rejects uses no retry budget and opens no circuit breaker', async () => {
  const servers = [createReplica('old'), createReplica('new')];
  let connections = 0;
  for (const server of servers) server.on('connection', () => (connections += 1));
  const { fetch, replicas, close } = await openReplicas(servers);
  // These are more queries than the retry budget allows retries: 100, and one more for ten
  // responses.
  for (let times = 0; times < 300; times += 1)
    expect(await fetch('{ readingTip }')).toMatchObject({ data: { readingTip: 'Mark' } });
  expect(replicas().map(({ isCircuitOpen }) => isCircuitOpen)).toEqual([false, false]);
  // Each replica has one connection for requests, and had one for the first probe.
  expect(connections).toBe(4);
  await close();
});

test('a query that an older replica rejects goes to another replica, even if its text contains the word "mutation"', async () => {
  const { fetch, close } = await openReplicas([createReplica('old'), createReplica('new')]);
  // The gateway never retries a document with the word "mutation" that a replica may have executed.
  // A replica that rejects a document has not executed it, so this query is sent again.
  for (let times = 0; times < 4; times += 1)
    expect(await fetch('{ readingTip(about: "mutation") }')).toMatchObject({ data: { readingTip: 'Mark' } });
  await close();
});

test('after two of three replicas have rejected a document, later requests with it succeed at the third replica', async () => {
  const { fetch, close } = await openReplicas([createReplica('old'), createReplica('old'), createReplica('new', 5)]);
  const send = () => fetch('{ readingTip }');
  // These queries may fail, because the gateway does not know yet which replicas reject the
  // document.
  await Promise.allSettled(Array.from({ length: 9 }, send));
  // The replicas of the old version respond faster, so they have fewer requests in flight. Still
  // the gateway must prefer the new replica.
  for (const result of await Promise.allSettled(Array.from({ length: 30 }, send)))
    expect(result).toMatchObject({ status: 'fulfilled', value: { data: { readingTip: 'Mark' } } });
  await close();
});

test('a query that every replica rejects fails with the reason, and other queries to the subgraph succeed', async () => {
  const { fetch, close } = await openReplicas([createReplica('old'), createReplica('old')]);
  for (let times = 0; times < 6; times += 1)
    await expect(fetch('{ readingTip }')).rejects.toMatchObject({
      kind: 'document-rejected',
      message: expect.stringContaining('another schema than the supergraph has: Cannot query field "readingTip"'),
    });
  expect(await fetch('{ languages { code } }')).toMatchObject({ data: { languages: [] } });
  await close();
});

/** Creates a subgraph that never responds to queries with the word `slow`, nor to any request while `isHanging()`. */
const createHangingServer = (isHanging: () => boolean) =>
  createServer(async (request, response) => {
    if ((await text(request)).includes('slow') || isHanging()) return;
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":{"fast":1,"__typename":"Query"}}');
  });

test('timeouts never open the circuit breaker of a subgraph that still responds to probes', async () => {
  const { fetch, replicas, close } = await openReplicas([createHangingServer(() => false)], {
    timeoutMs: 300,
    connections: 10,
  });
  for (let times = 0; times < 3; times += 1)
    for (const result of await Promise.allSettled(Array.from({ length: 10 }, () => fetch('{ slow }'))))
      expect(result).toMatchObject({ status: 'rejected', reason: { kind: 'timeout' } });
  expect(replicas().map(({ isCircuitOpen }) => isCircuitOpen)).toEqual([false]);
  expect(await fetch('{ fast }')).toMatchObject({ data: { fast: 1 } });
  await close();
});

test('the circuit breaker of a subgraph that hangs opens after timeouts, and closes once a probe gets a response', async () => {
  let isHanging = false;
  const { fetch, close } = await openReplicas([createHangingServer(() => isHanging)], {
    timeoutMs: 300,
    connections: 10,
  });
  expect(await fetch('{ fast }')).toMatchObject({ data: { fast: 1 } });
  isHanging = true;
  await Promise.allSettled(Array.from({ length: 6 }, () => fetch('{ fast }')));
  // The probe that the first timeout has caused fails after 300 ms too.
  await sleep(500);
  await expect(fetch('{ fast }')).rejects.toMatchObject({ kind: 'unreachable' });
  isHanging = false;
  await sleep(1_500);
  expect(await fetch('{ fast }')).toMatchObject({ data: { fast: 1 } });
  await close();
});

/** Creates a replica that responds to all requests but probes with an error without data. */
const createFailingReplica = (code?: string) =>
  createServer(async (request, response) => {
    const isProbe = (await text(request)).includes('__typename');
    const body = isProbe
      ? { data: { __typename: 'Query' } }
      : { errors: [{ message: 'failed', ...(code !== undefined && { extensions: { code } }) }] };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });

test('no query fails while one of two replicas responds to each query with an internal error', async () => {
  const healthy = createCountingReplica();
  const { fetch, replicas, close } = await openReplicas(
    [createFailingReplica('INTERNAL_SERVER_ERROR'), healthy.server],
    withoutHedging,
  );
  for (let times = 0; times < 20; times += 1)
    expect(await fetch('{ languages { code } }')).toMatchObject({ data: { languages: [] } });
  expect(healthy.received).toBe(20);
  expect(replicas().map(({ isCircuitOpen }) => isCircuitOpen)).toEqual([false, false]);
  await close();
});

test('a response with an internal error and no data reaches the client if no other replica has a better one', async () => {
  const { fetch, close } = await openReplicas([createFailingReplica(), createFailingReplica()], withoutHedging);
  expect(await fetch('{ languages { code } }')).toMatchObject({ errors: [{ message: 'failed' }] });
  await close();
});

test('an error of the client, such as NOT_FOUND, is no failure of the replica and is not sent to another replica', async () => {
  const other = createCountingReplica();
  const { fetch, close } = await openReplicas([createFailingReplica('NOT_FOUND'), other.server], withoutHedging);
  const responses = await Promise.all(Array.from({ length: 4 }, () => fetch('{ languages { code } }')));
  expect(responses.filter(({ errors }) => errors)).toHaveLength(2);
  expect(other.received).toBe(2);
  await close();
});

/**
 * Creates a replica that counts the requests without the gateway's probes. It responds with this status after `ms`
 * milliseconds, or closes the connection if the status is null.
 */
function createCountingReplica(status: number | null = 200, ms = 0) {
  const replica = { received: 0 };
  const server = createServer(async (request, response) => {
    const isProbe = !(await text(request)).includes('languages');
    const json = { 'content-type': 'application/json' };
    if (isProbe) return void response.writeHead(200, json).end('{"data":{"__typename":"Query"}}');
    replica.received += 1;
    if (ms > 0) await sleep(ms);
    if (status === null) return void request.socket.destroy();
    return void response.writeHead(status, json).end(status === 200 ? '{"data":{"languages":[]}}' : '{}');
  });
  return Object.assign(replica, { server });
}

// The gateway must not send a request to a second replica only because a busy machine delays a response.
const withoutHedging = { timeoutMs: 60_000, hedgeMs: 60_000, connections: 10 };

test('the gateway sends single requests to three replicas by turns, and sends fewer concurrent requests to a slow replica', async () => {
  // Even on a busy machine, the other replicas take less than 300 ms.
  const replicas = [createCountingReplica(), createCountingReplica(), createCountingReplica(200, 300)];
  const received = () => replicas.map((replica) => replica.received);
  const { fetch, close } = await openReplicas(
    replicas.map(({ server }) => server),
    withoutHedging,
  );
  for (let times = 0; times < 12; times += 1) expect((await fetch('{ languages }')).data).toEqual({ languages: [] });
  expect(received()).toEqual([4, 4, 4]);
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let times = 0; times < 20; times += 1) await fetch('{ languages }');
    }),
  );
  const [one, other, late] = received();
  expect(late).toBeLessThan(50);
  expect(Math.min(one ?? 0, other ?? 0)).toBeGreaterThan(50);
  await close();
});

test('the gateway retries a failed query once, even if it has three replicas', async () => {
  const replicas = [createCountingReplica(500), createCountingReplica(null), createCountingReplica(500)];
  const { fetch, close } = await openReplicas(
    replicas.map(({ server }) => server),
    withoutHedging,
  );
  await expect(fetch('{ languages }')).rejects.toMatchObject({
    kind: expect.stringMatching(/^(unreachable|invalid-response)$/),
  });
  expect(replicas.reduce((sum, { received }) => sum + received, 0)).toBe(2);
  await close();
});

test('the gateway sends the retry of a failed query to another replica', async () => {
  const [bad, well] = [createCountingReplica(500), createCountingReplica()];
  const { fetch, close } = await openReplicas([bad.server, well.server], withoutHedging);
  for (let times = 0; times < 30; times += 1) expect((await fetch('{ languages }')).data).toEqual({ languages: [] });
  // The circuit of the failing replica opens after five failures in a row. Successful probes close
  // the circuit again, so the replica may receive more than five requests.
  expect(bad.received).toBeGreaterThanOrEqual(5);
  expect(well.received).toBe(30);
  await close();
});
