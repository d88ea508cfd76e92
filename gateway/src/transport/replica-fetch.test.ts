import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { silentLogger } from '@lectern/serving';
import { createHttpSubgraphs } from './http-subgraphs';

/** Listens on a free port. Resolves to the URL of the GraphQL endpoint. */
async function urlOf(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
}

const openSubgraphs = (urls: string, { timeoutMs = 5_000, connections = 1 } = {}) =>
  createHttpSubgraphs({ urls, secrets: '', timeoutMs, hedgeMs: 5_000, connections, log: silentLogger });

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
  const fetch = subgraph('text', await urlOf(server));
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

test('if a replica with an older schema rejects queries, the gateway resends them without using up its retry budget or opening a circuit breaker', async () => {
  const servers = [createReplica('old'), createReplica('new')];
  let connections = 0;
  for (const server of servers) server.on('connection', () => (connections += 1));
  const urls = await Promise.all(servers.map(urlOf));
  const { subgraph, replicas, close } = openSubgraphs(urls.map((url) => `text=${url}`).join(','));
  const fetch = subgraph('text', '');
  // These are more queries than the retry budget allows retries: 100, and one more for ten
  // responses.
  for (let times = 0; times < 300; times += 1)
    expect(await fetch({ query: '{ readingTip }' }, { requestId: 'request' })).toMatchObject({
      data: { readingTip: 'Mark' },
    });
  expect(replicas().map(({ isCircuitOpen }) => isCircuitOpen)).toEqual([false, false]);
  // Each replica has one connection for requests, and had one for the first probe.
  expect(connections).toBe(4);
  await close();
  for (const server of servers) server.close();
});

test('the gateway retries a query on another replica if a replica with an older schema rejects the query, even if its text contains the word "mutation"', async () => {
  const servers = [createReplica('old'), createReplica('new')];
  const urls = await Promise.all(servers.map(urlOf));
  const { subgraph, close } = openSubgraphs(urls.map((url) => `text=${url}`).join(','));
  const fetch = subgraph('text', '');
  // The gateway never retries a document with the word "mutation" that a replica may have executed.
  // A replica that rejects a document has not executed it, so this query is sent again.
  for (let times = 0; times < 4; times += 1)
    expect(await fetch({ query: '{ readingTip(about: "mutation") }' }, { requestId: 'request' })).toMatchObject({
      data: { readingTip: 'Mark' },
    });
  await close();
  for (const server of servers) server.close();
});

test('after two of three replicas have rejected a document because of their older schema, later requests with this document succeed at the third replica', async () => {
  const servers = [createReplica('old'), createReplica('old'), createReplica('new', 5)];
  const urls = await Promise.all(servers.map(urlOf));
  const { subgraph, close } = openSubgraphs(urls.map((url) => `text=${url}`).join(','));
  const fetch = subgraph('text', '');
  const send = async () => fetch({ query: '{ readingTip }' }, { requestId: 'request' });
  // These queries may fail, because the gateway does not know yet which replicas reject the
  // document.
  await Promise.allSettled(Array.from({ length: 9 }, send));
  // The replicas of the old version respond faster, so they have fewer requests in flight. Still
  // the gateway must prefer the new replica.
  for (const result of await Promise.allSettled(Array.from({ length: 30 }, send)))
    expect(result).toMatchObject({ status: 'fulfilled', value: { data: { readingTip: 'Mark' } } });
  await close();
  for (const server of servers) server.close();
});

test('a query that each replica of a subgraph rejects because of an older schema fails with the reason, and other queries to the subgraph succeed', async () => {
  const servers = [createReplica('old'), createReplica('old')];
  const urls = await Promise.all(servers.map(urlOf));
  const { subgraph, close } = openSubgraphs(urls.map((url) => `text=${url}`).join(','));
  const fetch = subgraph('text', '');
  for (let times = 0; times < 6; times += 1)
    await expect(async () => fetch({ query: '{ readingTip }' }, { requestId: 'request' })).rejects.toMatchObject({
      kind: 'document-rejected',
      message: expect.stringContaining('another schema than the supergraph has: Cannot query field "readingTip"'),
    });
  expect(await fetch({ query: '{ languages { code } }' }, { requestId: 'request' })).toMatchObject({
    data: { languages: [] },
  });
  await close();
  for (const server of servers) server.close();
});

test('timeouts open the circuit breaker of a subgraph until a probe gets a response, but not if the subgraph responds to another request meanwhile', async () => {
  const server = createServer(async (request, response) => {
    if ((await text(request)).includes('slow')) return;
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":{"fast":1}}');
  });
  const { subgraph, close } = openSubgraphs('', { timeoutMs: 300, connections: 10 });
  const fetch = subgraph('text', await urlOf(server));
  const send = async (query: string) => fetch({ query }, { requestId: 'request' });
  const slow = Promise.allSettled(Array.from({ length: 6 }, () => send('{ slow }')));
  await sleep(100);
  await send('{ fast }');
  for (const result of await slow) expect(result).toMatchObject({ status: 'rejected', reason: { kind: 'timeout' } });
  expect(await send('{ fast }')).toMatchObject({ data: { fast: 1 } });
  // No other request has a response while these are in flight, so the subgraph may hang.
  await Promise.allSettled(Array.from({ length: 6 }, () => send('{ slow }')));
  await expect(send('{ fast }')).rejects.toMatchObject({ kind: 'unreachable' });
  // A probe is sent at once, and not after 500 ms.
  await sleep(200);
  expect(await send('{ fast }')).toMatchObject({ data: { fast: 1 } });
  await close();
  server.close();
});
