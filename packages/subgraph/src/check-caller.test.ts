import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGatewayToken, type Listening, silentLogger } from '@lectern/serving';
import { send, withFolder } from '@lectern/testing';
import { createSubgraph, serveSubgraph } from './index';
import type { ServeOptions } from './serve';

const secret = 'a secret of tests as long as it has to be';
const previousSecret = 'another secret that was good until today';
const stepMs = 5_000;
const body = '{"query":"{ greeting }"}';

/**
 * Makes a gateway token for a time, as docs/decisions/0003-short-lived-hmac-gateway-token.md
 * specifies it.
 */
const tokenAt = (at: number, { key = secret, subgraph = 'greetings' } = {}) => {
  const step = Math.floor(at / stepMs);
  return `Lectern ${step}.${createHmac('sha256', key).update(`${subgraph}.${step}`).digest('base64url')}`;
};

let time = 1_000_000 * stepMs;
let server: Listening;

const serve = (options: Partial<ServeOptions>) =>
  withFolder((folder) => {
    const schemaFile = join(folder, 'schema.graphql');
    writeFileSync(schemaFile, 'type Query { greeting: String }');
    const subgraph = createSubgraph({
      name: 'greetings',
      schemaFile,
      resolvers: { Query: { greeting: () => 'hello' } },
      createContext: (work) => ({ work }),
      close: () => {},
    });
    const defaults = { host: '127.0.0.1', port: 0, secrets: '', log: silentLogger, now: () => time };
    return serveSubgraph(subgraph, { ...defaults, ...options });
  });

beforeAll(async () => {
  server = await serve({ secrets: `${secret},${previousSecret}` });
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

test('a subgraph serves callers with a valid gateway token, and rejects all other callers with 401', async () => {
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

test('a subgraph with two secrets accepts a gateway token signed with the second secret', async () => {
  expect(await fetchGreeting(tokenAt(time, { key: previousSecret }))).toEqual(accepted);
});

test('a subgraph rejects a gateway token made for another subgraph', async () => {
  expect(await fetchGreeting(tokenAt(time, { subgraph: 'farewells' }))).toEqual(rejected);
});

test('a subgraph accepts a gateway token if the clocks differ by at most 10 s, and rejects it if they differ by 15 s', async () => {
  for (const difference of [-10_000, -5_000, 5_000, 10_000])
    expect(await fetchGreeting(tokenAt(time + difference))).toEqual(accepted);
  for (const difference of [-15_000, 15_000, 86_400_000])
    expect(await fetchGreeting(tokenAt(time + difference))).toEqual(rejected);
});

test('a subgraph rejects a captured gateway token 15 seconds after it was made', async () => {
  const captured = tokenAt(time);
  time += 14_999;
  expect(await fetchGreeting(captured)).toEqual(accepted);
  time += 1;
  expect(await fetchGreeting(captured)).toEqual(rejected);
  expect(await fetchGreeting(tokenAt(time))).toEqual(accepted);
});

test('a subgraph rejects a caller without a gateway token before it has read the request body', async () => {
  // The test sends one byte of the declared 9 MB. So a subgraph that waits for the whole body would
  // never respond.
  const { status } = await send(`http://127.0.0.1:${server.port}/graphql`, {
    headers: ['Content-Type', 'application/json', 'Content-Length', '9000000'],
    body: '{',
  });
  expect(status).toBe(401);
});

test('GET /health and GET /ready of a subgraph need no gateway token', async () => {
  for (const path of ['/health', '/ready'])
    expect((await send(`http://127.0.0.1:${server.port}${path}`, { method: 'GET' })).status).toBe(200);
});

test('a subgraph responds 414 to GET /health and GET /ready with a query of 2,000 bytes', async () => {
  for (const path of ['/health', '/ready'])
    expect((await send(`http://127.0.0.1:${server.port}${path}?${'?'.repeat(2_000)}`, { method: 'GET' })).status).toBe(
      414,
    );
});

test('a subgraph without a secret serves every caller if it listens only on a loopback address', async () => {
  const open = await serve({});
  expect(await fetchGreeting(null, { port: open.port })).toEqual(accepted);
  await open.close({ graceMs: 0 });
});

test.each(['0.0.0.0', '::', '192.0.2.1', 'text.example.org'])(
  'without SUBGRAPH_SECRET, serveSubgraph rejects the host %s, which other machines can reach',
  async (host) => {
    await expect(serve({ host })).rejects.toThrow(
      `The greetings subgraph would answer anybody who reaches ${host}. Set SUBGRAPH_SECRET, the same here and at the gateway, or SUBGRAPH_HEADER_SECRET for another router, or HOST to 127.0.0.1.`,
    );
  },
);

test('serveSubgraph rejects a SUBGRAPH_SECRET of fewer than 32 characters', async () => {
  await expect(serve({ secrets: `${secret},short` })).rejects.toThrow(
    'SUBGRAPH_SECRET must have at least 32 characters: make one with `openssl rand -hex 32`.',
  );
});

const headerSecret = '0123456789abcdef0123456789abcdef';
const previousHeaderSecret = 'fedcba9876543210fedcba9876543210';

let routed: Listening;
beforeAll(async () => {
  routed = await serve({
    headerName: 'X-Router-Secret',
    headerSecrets: `${headerSecret},${previousHeaderSecret}`,
    secrets: secret,
  });
});
afterAll(() => routed.close({ graceMs: 0 }));

const statusOf = async ({ port }: Listening, headers: string[]) =>
  (await send(`http://127.0.0.1:${port}/graphql`, { headers: ['Content-Type', 'application/json', ...headers], body }))
    .status;
const statusWith = (...headers: string[]) => statusOf(routed, headers);

test('a subgraph serves callers that send either secret of SUBGRAPH_HEADER_SECRET in the header named by SUBGRAPH_HEADER_NAME', async () => {
  expect(await statusWith('X-Router-Secret', headerSecret)).toBe(200);
  expect(await statusWith('x-router-secret', previousHeaderSecret)).toBe(200);
  expect(await statusWith('X-Router-Secret', ` ${headerSecret} `)).toBe(200);
});

test('a subgraph with SUBGRAPH_HEADER_SECRET also accepts gateway tokens', async () => {
  const token = createGatewayToken({ secret, subgraph: 'greetings', now: () => time });
  expect(await statusWith('Authorization', token(''))).toBe(200);
  expect(await statusWith('Authorization', token('deu-own'), 'X-Router-Secret', 'wrong')).toBe(200);
});

test.each<[string, string[]]>([
  ['no header', []],
  ['an empty header', ['X-Router-Secret', '']],
  ['another secret', ['X-Router-Secret', 'x'.repeat(32)]],
  ['the secret without its last character', ['X-Router-Secret', headerSecret.slice(0, -1)]],
  ['the secret with one character more', ['X-Router-Secret', `${headerSecret}0`]],
  ['the secret in upper case', ['X-Router-Secret', headerSecret.toUpperCase()]],
  ['the header sent twice', ['X-Router-Secret', headerSecret, 'X-Router-Secret', headerSecret]],
  ['a wrong and a right header', ['X-Router-Secret', 'x', 'X-Router-Secret', headerSecret]],
  ['both secrets as one value', ['X-Router-Secret', `${headerSecret},${previousHeaderSecret}`]],
  ['the secret in another header', ['X-Subgraph-Secret', headerSecret]],
  ['the secret of gateway tokens', ['X-Router-Secret', secret]],
  ['the header secret as a gateway token', ['Authorization', `Lectern ${headerSecret}`]],
  ['a header of 8 kB', ['X-Router-Secret', 'x'.repeat(8_000)]],
])('a subgraph rejects a caller without a valid secret header or gateway token with 401: %s', async (_, headers) => {
  expect(await statusWith(...headers)).toBe(401);
});

test('a subgraph that expects its secret in the header Authorization rejects a request with two Authorization headers or none', async () => {
  const other = await serve({ headerName: 'authorization', headerSecrets: headerSecret });
  const status = (...headers: string[]) => statusOf(other, headers);
  expect(await status('Authorization', headerSecret)).toBe(200);
  expect(await status('Authorization', headerSecret, 'Authorization', 'x')).toBe(401);
  expect(await status()).toBe(401);
  await other.close({ graceMs: 0 });
});

test('a subgraph with SUBGRAPH_HEADER_SECRET may listen on an address that other machines can reach', async () => {
  const open = await serve({ host: '0.0.0.0', headerSecrets: headerSecret });
  expect(open.port).toBeGreaterThan(0);
  await open.close({ graceMs: 0 });
});

test.each<[string, Partial<ServeOptions>, string]>([
  [
    'a SUBGRAPH_HEADER_SECRET of fewer than 32 characters',
    { headerSecrets: 'short' },
    'SUBGRAPH_HEADER_SECRET must have at least 32 characters: make one with `openssl rand -hex 32`.',
  ],
  [
    'a SUBGRAPH_HEADER_SECRET with characters that HTTP headers cannot have',
    { headerSecrets: 'schlüssel '.repeat(4) },
    'SUBGRAPH_HEADER_SECRET may have only visible ASCII characters, because HTTP headers have no others.',
  ],
  [
    'a SUBGRAPH_HEADER_NAME that is not a valid name of a header',
    { headerSecrets: headerSecret, headerName: 'x router:' },
    'SUBGRAPH_HEADER_NAME: "x router:" is not the name of an HTTP header, such as x-subgraph-secret.',
  ],
])('serveSubgraph rejects %s, and says what is allowed', async (_, options, message) => {
  await expect(serve(options)).rejects.toThrow(message);
});
