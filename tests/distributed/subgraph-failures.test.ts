import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, request as send } from 'node:http';
import type { Socket } from 'node:net';
import type { Listening } from '@lectern/serving';
import { listen } from '@lectern/serving';
import type { GraphqlClient, StartedProcess } from '@lectern/testing';
import { dataDir } from '@lectern/testing';
import type { TestProcesses } from '../support/processes';
import { openProcesses, waitUntil } from '../support/processes';

const timeoutMs = 1_500;

const query = '{ languages { code } strongs(number: "G26") { number } }';
const languages = [{ code: 'eng' }, { code: 'spa' }];
const whole = { data: { languages, strongs: { number: 'G26' } } };
const unavailable = {
  message: 'This part of the graph is temporarily unavailable. Please try again later.',
  path: ['languages'],
  extensions: { code: 'SUBGRAPH_UNAVAILABLE' },
};
const partial = { data: { languages: null, strongs: { number: 'G26' } }, errors: [unavailable] };

type Fault = (response: ServerResponse, request: IncomingMessage) => void;

const json = { 'content-type': 'application/json' };
const respond =
  (status: number, headers: Record<string, string>, body: string | Buffer): Fault =>
  (response) =>
    void response.writeHead(status, headers).end(body);
const good = '{"data":{"languages":[{"code":"eng"},{"code":"spa"}]}}';

/** Goes on until the other side hangs up. */
const forever =
  (pieces: () => Buffer | string, everyMs: number): Fault =>
  (response) => {
    response.writeHead(200, json);
    const timer = setInterval(() => response.write(pieces()), everyMs);
    response.on('close', () => clearInterval(timer));
  };

const faults: [string, Fault][] = [
  ['hangs', () => {}],
  ['closes the connection', (_, { socket }) => void socket.destroy()],
  ['resets the connection', (_, { socket }) => void socket.resetAndDestroy()],
  [
    'resets in the middle of its answer',
    (response, { socket }) => {
      response.writeHead(200, { ...json, 'content-length': String(good.length) });
      response.write(good.slice(0, 20), () => setTimeout(() => socket.resetAndDestroy(), 20));
    },
  ],
  [
    'sends half of its answer',
    (response, { socket }) => {
      response.writeHead(200, { ...json, 'content-length': String(good.length) });
      response.write(good.slice(0, 20), () => socket.end());
    },
  ],
  ['sends half of its JSON', respond(200, json, good.slice(0, 20))],
  ['sends nothing', respond(200, json, '')],
  ['sends HTML', respond(200, { 'content-type': 'text/html' }, '<!doctype html><title>Welcome</title>')],
  ['sends HTML as JSON', respond(200, json, '<!doctype html><title>Welcome</title>')],
  ['answers 500', respond(500, json, '{"errors":[{"message":"secret of the inside"}]}')],
  ['answers 503 with HTML', respond(503, { 'content-type': 'text/html' }, '<h1>Service Unavailable</h1>')],
  ['sends the gateway elsewhere', respond(302, { location: 'http://127.0.0.1:9/graphql' }, '')],
  ['sends JSON that is no GraphQL', respond(200, json, '{"languages":[]}')],
  ['sends errors that are none', respond(200, json, '{"data":{"languages":[]},"errors":[null]}')],
  ['sends data of another shape', respond(200, json, '{"data":[1]}')],
  ['sends rubbish as gzip', respond(200, { ...json, 'content-encoding': 'gzip' }, Buffer.alloc(1_000, 0x9a))],
  [
    'declares 50 MB',
    (response) => {
      response.writeHead(200, { ...json, 'content-length': '50000000' });
      response.write('{"data":');
    },
  ],
  ['sends without end, fast', forever(() => Buffer.alloc(4_000_000, 0x20), 1)],
  ['sends without end, slowly', forever(() => ' ', 50)],
  ['speaks no HTTP', (_, { socket }) => void socket.end('250 OK\r\n')],
];

let rooms: TestProcesses;
let text: StartedProcess;
let proxy: Listening;
let gateway: StartedProcess;
let client: GraphqlClient;
let fault: Fault | null = null;
const sockets = new Set<Socket>();

/** The text subgraph, as long as nothing is wrong with it. */
const proxied = (incoming: IncomingMessage, response: ServerResponse) => {
  if (fault) {
    incoming.resume();
    return fault(response, incoming);
  }
  const outgoing = send(
    `${text.origin}/graphql`,
    { method: 'POST', headers: incoming.headers, agent: false },
    (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    },
  );
  incoming.pipe(outgoing);
};

beforeAll(async () => {
  rooms = await openProcesses();
  const concordance = await rooms.start('services/concordance/dist/main.js', { LECTERN_DATA: dataDir });
  text = await rooms.start('services/text/dist/main.js', { LECTERN_DATA: dataDir });
  const server = createServer(proxied);
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  proxy = await listen(server, { host: '127.0.0.1', port: 0 });
  ({ gateway, client } = await rooms.startGateway(
    { text: [`http://127.0.0.1:${proxy.port}`], concordance: [concordance.origin] },
    { SUBGRAPH_TIMEOUT_MS: String(timeoutMs) },
  ));
});

afterAll(async () => {
  await rooms.close();
  await proxy.close(0);
});

test.each(faults)(
  'a subgraph that %s costs its own fields, within its deadline, and is back by itself',
  async (_, wrong) => {
    expect(await client(query)).toEqual(whole);
    fault = wrong;
    const began = Date.now();
    expect(await client(query)).toEqual(partial);
    // Room for a busy machine; without a deadline the test would time out.
    expect(Date.now() - began).toBeLessThan(timeoutMs + 2_000);
    const answers = await Promise.all(Array.from({ length: 12 }, () => client(query)));
    for (const answer of answers) expect(answer).toEqual(partial);
    // By now it is left out: nobody waits for it any more.
    const again = Date.now();
    expect(await client(query)).toEqual(partial);
    expect(Date.now() - again).toBeLessThan(timeoutMs - 200);
    fault = null;
    await waitUntil(async () => (await client(query)).data?.['languages'] !== null);
    expect(await client(query)).toEqual(whole);
  },
);

test('a subgraph that hung leaves no connection behind but those that are kept', async () => {
  fault = () => {};
  await Promise.all(Array.from({ length: 60 }, () => client(query)));
  fault = null;
  await waitUntil(async () => (await client(query)).data?.['languages'] !== null);
  await waitUntil(() => sockets.size <= 2);
  expect(sockets.size).toBeGreaterThan(0);
});

test('the log says what happened', async () => {
  const log = gateway.output();
  for (const line of ['the response has the status 500', 'no response within', 'circuit open', 'circuit closed'])
    expect(log).toContain(line);
});
