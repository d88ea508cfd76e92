import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Listening, silentLogger } from '@lectern/serving';
import { send, withFolder } from '@lectern/testing';
import { createSubgraph, serveSubgraph } from './index';

const secret = 'a secret of tests as long as it has to be';
const previousSecret = 'another secret that was good until today';
const stepMs = 5_000;
const body = '{"query":"{ greeting }"}';

/** Makes a gateway token for a time, as docs/decisions/0003-short-lived-hmac-gateway-token.md specifies it. */
const tokenAt = (at: number, { key = secret, subgraph = 'greetings' } = {}) => {
  const step = Math.floor(at / stepMs);
  return `Lectern ${step}.${createHmac('sha256', key).update(`${subgraph}.${step}`).digest('base64url')}`;
};

let time = 1_000_000 * stepMs;
let server: Listening;

const greetings = (folder: string) => {
  const schemaFile = join(folder, 'schema.graphql');
  writeFileSync(schemaFile, 'type Query { greeting: String }');
  return createSubgraph({
    name: 'greetings',
    schemaFile,
    resolvers: { Query: { greeting: () => 'hello' } },
    createContext: (work) => ({ work }),
    close: () => {},
  });
};
const serve = (secrets: string, host = '127.0.0.1') =>
  withFolder((folder) =>
    serveSubgraph(greetings(folder), { host, port: 0, secrets, log: silentLogger, now: () => time }),
  );

beforeAll(async () => {
  server = await serve(`${secret},${previousSecret}`);
});
afterAll(() => server.close({ graceMs: 0 }));

const fetchGreeting = async (authorization: string | null, { document = body, port = server.port } = {}) => {
  const { status, headers, text } = await send(`http://127.0.0.1:${port}/graphql`, {
    headers: ['Content-Type', 'application/json', ...(authorization === null ? [] : ['Authorization', authorization])],
    body: document,
  });
  return { status, scheme: headers['www-authenticate'], text };
};

const rejected = {
  status: 401,
  scheme: 'Lectern',
  text: '{"errors":[{"message":"This subgraph answers its gateway only.","extensions":{"code":"UNAUTHENTICATED"}}]}',
};
const accepted = { status: 200, scheme: undefined, text: '{"data":{"greeting":"hello"}}' };

test('a subgraph serves callers with a valid gateway token and rejects all others with 401, whatever the body', async () => {
  expect(await fetchGreeting(tokenAt(time))).toEqual(accepted);
  for (const authorization of [
    null,
    '',
    secret,
    `Bearer ${secret}`,
    `Lectern ${secret}`,
    tokenAt(time, { key: 'a secret that was never one of these two' }),
    `${tokenAt(time)}x`,
    tokenAt(time).slice(0, -1),
  ]) {
    for (const document of [
      body,
      '{"query":"{ __schema { queryType { name } } }"}',
      '{"query":"{ _service { sdl } }"}',
      'no JSON',
    ])
      expect(await fetchGreeting(authorization, { document })).toEqual(rejected);
  }
});

test('a subgraph with two secrets accepts gateway tokens made with the second secret', async () => {
  expect(await fetchGreeting(tokenAt(time, { key: previousSecret }))).toEqual(accepted);
});

test('a subgraph rejects a gateway token made for another subgraph', async () => {
  expect(await fetchGreeting(tokenAt(time, { subgraph: 'farewells' }))).toEqual(rejected);
});

test('a subgraph accepts gateway tokens of clocks that differ by at most ten seconds, and rejects tokens of clocks that differ by 15 seconds or more', async () => {
  for (const difference of [-10_000, -5_000, 5_000, 10_000])
    expect(await fetchGreeting(tokenAt(time + difference))).toEqual(accepted);
  for (const difference of [-15_000, 15_000, 86_400_000])
    expect(await fetchGreeting(tokenAt(time + difference))).toEqual(rejected);
});

test('a captured gateway token is rejected 15 seconds after it was made', async () => {
  const captured = tokenAt(time);
  time += 14_999;
  expect(await fetchGreeting(captured)).toEqual(accepted);
  time += 1;
  expect(await fetchGreeting(captured)).toEqual(rejected);
  expect(await fetchGreeting(tokenAt(time))).toEqual(accepted);
});

test('a subgraph rejects a caller without a gateway token before it reads the body', async () => {
  // The test sends one byte of the declared 9 MB. So a subgraph that waits for the whole body would never respond.
  const { status } = await send(`http://127.0.0.1:${server.port}/graphql`, {
    headers: ['Content-Type', 'application/json', 'Content-Length', '9000000'],
    body: '{',
  });
  expect(status).toBe(401);
});

test('GET /health and GET /ready of a subgraph require no gateway token', async () => {
  for (const path of ['/health', '/ready'])
    expect((await send(`http://127.0.0.1:${server.port}${path}`, { method: 'GET' })).status).toBe(200);
});

test('a subgraph without a secret on a loopback address serves callers without a gateway token', async () => {
  const open = await serve('');
  expect(await fetchGreeting(null, { port: open.port })).toEqual(accepted);
  await open.close({ graceMs: 0 });
});

test.each(['0.0.0.0', '::', '192.0.2.1', 'text.example.org'])(
  'serveSubgraph without SUBGRAPH_SECRET rejects the host %s, which other machines may reach',
  async (host) => {
    await expect(serve('', host)).rejects.toThrow(
      `The greetings subgraph would answer anybody who reaches ${host}. Set SUBGRAPH_SECRET, the same here and at the gateway, or SUBGRAPH_HEADER_SECRET for another router, or HOST to 127.0.0.1.`,
    );
  },
);

test('serveSubgraph rejects a SUBGRAPH_SECRET of fewer than 32 characters', async () => {
  await expect(serve(`${secret},short`)).rejects.toThrow(
    'SUBGRAPH_SECRET must have at least 32 characters: make one with `openssl rand -hex 32`.',
  );
});
