import { createServer } from 'node:http';
import { send } from '@lectern/testing';
import { createHealth, listen, pathOf, queryOf } from './index';

let made: boolean[] = [];
let time = 0;
let report: { status?: string; note?: number } = {};
const health = createHealth({
  identity: { name: 'test' },
  async readiness(isVerbose) {
    made.push(isVerbose);
    return report;
  },
  now: () => time,
});
let origin = '';
let close = async (): Promise<void> => {};
beforeAll(async () => {
  const server = createServer((request, response) => {
    if (!health.respond(request, response)) response.writeHead(404).end();
  });
  const listening = await listen(server, { host: '127.0.0.1', port: 0 });
  origin = `http://127.0.0.1:${listening.port}`;
  close = () => listening.close();
});
afterAll(() => close());
beforeEach(() => {
  time += 10_000;
  made = [];
  report = {};
});

const get = async (target: string) => {
  const { status, text } = await send(origin + target, { method: 'GET' });
  return [status, text];
};

test('createHealth responds to /health and /ready, and leaves other paths to the caller', async () => {
  expect(await get('/health')).toEqual([200, '{"status":"ok","name":"test"}']);
  expect(await get('/ready')).toEqual([200, '{"status":"ready","name":"test"}']);
  expect(await get('/readyx')).toEqual([404, '']);
});

test('createHealth responds 503 to /ready if the report has another status than ready', async () => {
  report = { status: 'not ready', note: 1 };
  expect(await get('/ready')).toEqual([503, '{"status":"not ready","name":"test","note":1}']);
});

test.each([
  ['/ready?verbose', true],
  ['/ready?a=1&verbose', true],
  ['/ready?verbose=1&b', true],
  ['/ready?a?verbose', false],
  ['/ready?verbosely', false],
  ['/ready?VERBOSE', false],
  ['/ready', false],
])('createHealth parses the query of the request for %s: verbose is %s', async (target, isVerbose) => {
  await get(target);
  expect(made).toEqual([isVerbose]);
});

test('createHealth makes one report for all requests for /ready within 250 ms', async () => {
  expect(await Promise.all([get('/ready'), get('/ready'), get('/ready')])).toHaveLength(3);
  time += 249;
  await get('/ready');
  expect(made).toHaveLength(1);
  report = { note: 2 };
  time += 1;
  expect(await get('/ready')).toEqual([200, '{"status":"ready","name":"test","note":2}']);
  expect(made).toHaveLength(2);
});

describe.each(['/health', '/ready'])('a long request target of %s', (path) => {
  const target = (bytes: number) => `${path}?`.padEnd(bytes, '?');

  test(`createHealth accepts a target of 2,000 bytes of ${path}`, async () => {
    expect((await get(target(2_000)))[0]).toBe(200);
  });

  test(`createHealth responds 414 and an error of the catalogue to a target of 2,001 bytes of ${path}`, async () => {
    for (const bytes of [2_001, 15_900])
      expect(await get(target(bytes))).toEqual([
        414,
        '{"errors":[{"message":"The path and the query may have at most 2000 bytes together.","extensions":{"code":"URI_TOO_LONG"}}]}',
      ]);
    expect(made).toEqual([]);
  });
});

test('after stop(), createHealth responds 503 to /ready at once, although a report is younger than 250 ms', async () => {
  const stopping = createHealth({ now: () => 0 });
  const server = createServer((request, response) => void stopping.respond(request, response));
  const { port, close } = await listen(server, { host: '127.0.0.1', port: 0 });
  const ready = async () => (await send(`http://127.0.0.1:${port}/ready`, { method: 'GET' })).text;
  expect(await ready()).toBe('{"status":"ready"}');
  stopping.stop();
  expect(await ready()).toBe('{"status":"draining"}');
  await close();
});

test.each([
  ['/graphql', '/graphql', ''],
  ['/a/b?x=1&y', '/a/b', 'x=1&y='],
  ['/a?b?c', '/a', 'b%3Fc='],
  ['/a?', '/a', ''],
  ['http://x.example/graphql?x=1', '/graphql', 'x=1'],
  ['HTTPS://x.example:4000/', '/', ''],
  ['http://x.example', '', ''],
  ['http://x.example?y', '', 'y='],
  ['/?http://y.example/z', '/', 'http%3A%2F%2Fy.example%2Fz='],
  ['', '', ''],
  ['*', '*', ''],
])('pathOf and queryOf split the request target "%s" into its path and its query', (target, path, query) => {
  expect([pathOf(target), String(queryOf(target))]).toEqual([path, query]);
});
