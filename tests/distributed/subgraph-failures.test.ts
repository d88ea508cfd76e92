import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, request as send } from 'node:http';
import type { Socket } from 'node:net';
import type { Listening } from '@lectern/serving';
import { listen } from '@lectern/serving';
import type { GraphqlClient } from '@lectern/testing';
import { dataDir, itemsOfThisRun } from '@lectern/testing';
import { unavailableAt } from '../support/fake-subgraph';
import type { TestProcesses } from '../support/processes';
import { openProcesses, waitUntil } from '../support/processes';
import type { ServiceInProcess } from '../support/services-in-process';

/**
 * SUBGRAPH_TIMEOUT_MS for the failures that a gateway detects only by its timeout. It is short,
 * because each test of such a failure waits until the timeout.
 */
const shortTimeoutMs = 1_500;
/** SUBGRAPH_TIMEOUT_MS for all other failures. Even a busy machine takes less time to respond. */
const longTimeoutMs = 60_000;

const query = '{ languages { code } strongs(number: "G26") { number } }';
const languages: unknown = expect.arrayContaining([{ code: 'eng' }, { code: 'spa' }]);
const whole = { data: { languages, strongs: { number: 'G26' } } };
const partial = { data: { languages: null, strongs: { number: 'G26' } }, errors: [unavailableAt('languages')] };

type Failure = (response: ServerResponse, request: IncomingMessage) => void;

const json = { 'content-type': 'application/json' };
const respond =
  (status: number, headers: Record<string, string>, body: string | Buffer): Failure =>
  (response) =>
    void response.writeHead(status, headers).end(body);
const good = '{"data":{"languages":[{"code":"eng"},{"code":"spa"}]}}';

/** Returns the body of a response with a value that is nested 200,000 levels deep. */
const nestedData = (open: string, close: string) =>
  `{"data":{"languages":${open.repeat(200_000)}0${close.repeat(200_000)}}}`;

/** Sends a body that never ends: a space every 50 ms, until the gateway closes the connection. */
const sendForever: Failure = (response) => {
  response.writeHead(200, json);
  const timer = setInterval(() => response.write(' '), 50);
  response.on('close', () => clearInterval(timer));
};

const spaces = Buffer.alloc(4_000_000, 0x20);
/**
 * Sends a body that never ends, as fast as the gateway reads it, until the gateway closes the
 * connection.
 */
const sendForeverFast: Failure = (response) => {
  response.writeHead(200, json);
  const sendNext = () => void (response.destroyed || response.write(spaces, sendNext));
  sendNext();
};

const failures: [string, Failure][] = [
  ['hangs', () => {}],
  ['closes the connection', (_, { socket }) => void socket.destroy()],
  ['resets the connection', (_, { socket }) => void socket.resetAndDestroy()],
  [
    'resets the connection in the middle of its response',
    (response, { socket }) => {
      response.writeHead(200, { ...json, 'content-length': String(good.length) });
      response.write(good.slice(0, 20), () => setTimeout(() => socket.resetAndDestroy(), 20));
    },
  ],
  [
    'sends half of its response',
    (response, { socket }) => {
      response.writeHead(200, { ...json, 'content-length': String(good.length) });
      response.write(good.slice(0, 20), () => socket.end());
    },
  ],
  ['sends half of its JSON', respond(200, json, good.slice(0, 20))],
  ['sends nothing', respond(200, json, '')],
  ['sends HTML', respond(200, { 'content-type': 'text/html' }, '<!doctype html><title>Welcome</title>')],
  ['sends HTML as JSON', respond(200, json, '<!doctype html><title>Welcome</title>')],
  ['responds 500 without GraphQL', respond(500, json, '{"message":"internal secret"}')],
  ['responds 503 with HTML', respond(503, { 'content-type': 'text/html' }, '<h1>Service Unavailable</h1>')],
  ['redirects the gateway', respond(302, { location: 'http://127.0.0.1:9/graphql' }, '')],
  ['sends JSON that is not GraphQL', respond(200, json, '{"languages":[]}')],
  ['sends null as an error', respond(200, json, '{"data":{"languages":[]},"errors":[null]}')],
  ['sends data that is a list', respond(200, json, '{"data":[1]}')],
  ['sends lists that are nested 200,000 levels deep', respond(200, json, nestedData('[', ']'))],
  ['sends objects that are nested 200,000 levels deep', respond(200, json, nestedData('{"code":', '}'))],
  ['sends invalid gzip', respond(200, { ...json, 'content-encoding': 'gzip' }, Buffer.alloc(1_000, 0x9a))],
  [
    'declares a body of 50 MB',
    (response) => {
      response.writeHead(200, { ...json, 'content-length': '50000000' });
      response.write('{"data":');
    },
  ],
  ['sends an endless body fast', sendForeverFast],
  ['sends an endless body slowly', sendForever],
  ['does not speak HTTP', (_, { socket }) => void socket.end('250 OK\r\n')],
];

/** The names of the `failures` that the gateway detects only by its timeout. */
const failuresWithWait = new Set(['hangs', 'declares a body of 50 MB', 'sends an endless body slowly']);

let processes: TestProcesses;
let text: ServiceInProcess;
let proxy: Listening;
interface TestedGateway {
  gateway: { output(): string };
  client: GraphqlClient;
}
let withShortTimeout: TestedGateway;
let withLongTimeout: TestedGateway;
/** The current failure of the text subgraph. Null if the subgraph works. */
let failure: Failure | null = null;
/**
 * The number of operations that the failing subgraph has received, without the gateway's probes.
 */
let receivedRequests = 0;
const sockets = new Set<Socket>();

/** Forwards a request to the text subgraph, or responds with the current failure. */
const proxied = (incoming: IncomingMessage, response: ServerResponse) => {
  if (failure) {
    let body = '';
    incoming.on('data', (chunk: Buffer) => (body += chunk.toString('utf8')));
    incoming.on('end', () => (receivedRequests += body.includes('__typename') ? 0 : 1));
    return failure(response, incoming);
  }
  const outgoing = send(
    `${text.origin}/graphql`,
    { method: 'POST', headers: incoming.headers, agent: false },
    (upstream) => {
      response.writeHead(upstream.statusCode ?? 0, upstream.headers);
      upstream.pipe(response);
    },
  );
  incoming.pipe(outgoing);
};

beforeAll(async () => {
  processes = await openProcesses();
  const concordance = await processes.start('services/concordance/dist/main.js', { LECTERN_DATA: dataDir });
  text = await processes.serveSubgraph('text');
  const server = createServer(proxied);
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  proxy = await listen(server, { host: '127.0.0.1', port: 0 });
  const subgraphs = { text: [`http://127.0.0.1:${proxy.port}`], concordance: [concordance.origin] };
  // The gateway with the short timeout runs in its own process. In this process, the work of the
  // tests could delay a response until after the timeout.
  [withShortTimeout, withLongTimeout] = await Promise.all([
    processes.startGateway(subgraphs, { SUBGRAPH_TIMEOUT_MS: String(shortTimeoutMs) }),
    processes.serveGateway(subgraphs, { SUBGRAPH_TIMEOUT_MS: String(longTimeoutMs) }),
  ]);
});

afterAll(async () => {
  await processes.close();
  await proxy.close({ graceMs: 0 });
});

afterEach(() => {
  failure = null;
});

// `npm test` checks half of the failures in a run, and `npm run test:long` checks all.
test.each(itemsOfThisRun(failures, 2))(
  'the gateway returns null only for fields of a subgraph that %s, and uses the subgraph again after its recovery',
  async (name, newFailure) => {
    const { client } = failuresWithWait.has(name) ? withShortTimeout : withLongTimeout;
    expect(await client(query)).toEqual(whole);
    failure = newFailure;
    expect(await client(query)).toEqual(partial);
    const responses = await Promise.all(Array.from({ length: 12 }, () => client(query)));
    for (const response of responses) expect(response).toEqual(partial);
    // After timeouts the circuit is open: the gateway sends the subgraph only probes, so no client
    // waits. After failures without a wait, such as a closed connection, the gateway may still send
    // requests to the subgraph.
    const requestsBefore = receivedRequests;
    expect(await client(query)).toEqual(partial);
    expect(failuresWithWait.has(name) ? receivedRequests - requestsBefore : 0).toBe(0);
    failure = null;
    await waitUntil(async () => (await client(query)).data?.['languages'] !== null);
    expect(await client(query)).toEqual(whole);
  },
);

const oneField = '{ languages { code } }';
const dataOnly = { ...json, 'x-lectern-response': 'data-only' };

test.each<[string, Failure]>([
  ['has no data and the header x-lectern-response: data-only', respond(200, dataOnly, '{"errors":[]}')],
  ['breaks off and has the header x-lectern-response: data-only', respond(200, dataOnly, '{"data":{"languages":[')],
  ['is nested 200,000 levels deep', respond(200, json, nestedData('[', ']'))],
])(
  'if the response of a subgraph %s, the only field of the operation is null with the error SUBGRAPH_UNAVAILABLE',
  async (_, newFailure) => {
    const { client } = withLongTimeout;
    // The operation is planned at the first request, and the second uses the same plan.
    for (const times of [1, 2]) expect([times, await client(oneField)]).toEqual([times, { data: { languages } }]);
    failure = newFailure;
    for (const times of [1, 2])
      expect([times, await client(oneField)]).toEqual([
        times,
        { data: { languages: null }, errors: [unavailableAt('languages')] },
      ]);
    failure = null;
    await waitUntil(async () => (await client(oneField)).data?.['languages'] !== null);
  },
);

test('a non-null field that a subgraph response lacks has the error SUBGRAPH_UNAVAILABLE, and the value around it is null', async () => {
  const { client } = withLongTimeout;
  for (const times of [1, 2]) {
    failure = respond(200, json, '{"data":{"languages":[{"code":"eng"},{}]}}');
    expect([times, await client(query)]).toEqual([
      times,
      { ...partial, errors: [unavailableAt('languages', 1, 'code')] },
    ]);
  }
});

test('after many concurrent requests to a hanging subgraph, two gateways keep at most two connections to it open', async () => {
  const { client } = withShortTimeout;
  failure = () => {};
  await Promise.all(Array.from({ length: 60 }, () => client(query)));
  failure = null;
  await waitUntil(async () => (await client(query)).data?.['languages'] !== null);
  await waitUntil(() => sockets.size <= 2);
  expect(sockets.size).toBeGreaterThan(0);
});

test('the gateway logs why requests to a subgraph fail, and when its circuit breaker opens and closes', async () => {
  // An earlier test has made the gateway with the short timeout open and close its circuit.
  failure = respond(500, json, '{"message":"internal secret"}');
  await withLongTimeout.client(query);
  failure = null;
  const log = () => withShortTimeout.gateway.output() + withLongTimeout.gateway.output();
  for (const line of ['the response has the status 500', 'no response within', 'circuit open', 'circuit closed']) {
    await waitUntil(() => log().includes(line));
    expect(log()).toContain(line);
  }
});
