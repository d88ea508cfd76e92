import { createHmac } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Listening } from '@lectern/serving';
import { silentLogger } from '@lectern/serving';
import { send, withFolder } from '@lectern/testing';
import { createSubgraph, serveSubgraph } from './index';

const secret = 'a secret of tests as long as it has to be';
const old = 'another secret that was good until today';
const stepMs = 15_000;
const body = '{"query":"{ greeting }"}';

/** As docs/decisions/0003-gateway-token.md has it. */
const passOf = (at: number, { by = secret, subgraph = 'greetings' } = {}) => {
  const step = Math.floor(at / stepMs);
  return `Lectern ${step}.${createHmac('sha256', by).update(`${subgraph}.${step}`).digest('base64url')}`;
};

let time = 1_000_000 * stepMs;
let serving: Listening;

const greetings = (folder: string) => {
  const schemaFile = join(folder, 'schema.graphql');
  writeFileSync(schemaFile, 'type Query { greeting: String }');
  return createSubgraph({
    name: 'greetings',
    schemaFile,
    resolvers: { Query: { greeting: () => 'hello' } },
    createContext: () => ({}),
    close: () => {},
  });
};
const serve = (secrets: string, host = '127.0.0.1') =>
  withFolder((folder) =>
    serveSubgraph(greetings(folder), { host, port: 0, secrets, log: silentLogger, now: () => time }),
  );

beforeAll(async () => {
  serving = await serve(`${secret},${old}`);
});
afterAll(() => serving.close(0));

const ask = async (authorization: string | null, { document = body, port = serving.port } = {}) => {
  const { status, headers, text } = await send(`http://127.0.0.1:${port}/graphql`, {
    headers: ['Content-Type', 'application/json', ...(authorization === null ? [] : ['Authorization', authorization])],
    body: document,
  });
  return { status, scheme: headers['www-authenticate'], text };
};

const refused = {
  status: 401,
  scheme: 'Lectern',
  text: '{"errors":[{"message":"This subgraph answers its gateway only.","extensions":{"code":"UNAUTHENTICATED"}}]}',
};
const answered = { status: 200, scheme: undefined, text: '{"data":{"greeting":"hello"}}\n' };

test('a gateway that knows the secret is answered, nobody else is, whatever is asked', async () => {
  expect(await ask(passOf(time))).toEqual(answered);
  for (const authorization of [
    null,
    '',
    secret,
    `Bearer ${secret}`,
    `Lectern ${secret}`,
    passOf(time, { by: 'a secret that was never one of these two' }),
    `${passOf(time)}x`,
    passOf(time).slice(0, -1),
  ]) {
    for (const document of [
      body,
      '{"query":"{ __schema { queryType { name } } }"}',
      '{"query":"{ _service { sdl } }"}',
      'no JSON',
    ])
      expect(await ask(authorization, { document })).toEqual(refused);
  }
});

test('two secrets are good while they are changed', async () => {
  expect(await ask(passOf(time, { by: old }))).toEqual(answered);
});

test('a pass for one subgraph is not good at another', async () => {
  expect(await ask(passOf(time, { subgraph: 'farewells' }))).toEqual(refused);
});

test('a pass runs out within a minute, and clocks may differ by three quarters of one', async () => {
  for (const apart of [-45_000, -15_000, 15_000, 45_000]) expect(await ask(passOf(time + apart))).toEqual(answered);
  for (const apart of [-60_000, 60_000, 86_400_000]) expect(await ask(passOf(time + apart))).toEqual(refused);
  const captured = passOf(time);
  time += 60_000;
  expect(await ask(captured)).toEqual(refused);
  expect(await ask(passOf(time))).toEqual(answered);
});

test('a stranger is refused before the body is read', async () => {
  // The body never comes: an answer to this can only have been given without it.
  const { status } = await send(`http://127.0.0.1:${serving.port}/graphql`, {
    headers: ['Content-Type', 'application/json', 'Content-Length', '9000000'],
    body: '{',
  });
  expect(status).toBe(401);
});

test('health and readiness are open to everybody', async () => {
  for (const path of ['/health', '/ready'])
    expect((await send(`http://127.0.0.1:${serving.port}${path}`, { method: 'GET' })).status).toBe(200);
});

test('without a secret everybody on this machine is answered', async () => {
  const open = await serve('');
  expect(await ask(null, { port: open.port })).toEqual(answered);
  await open.close(0);
});

test.each(['0.0.0.0', '::', '192.0.2.1', 'text.example.org'])(
  'a subgraph that would answer strangers at %s without a secret does not start',
  async (host) => {
    await expect(serve('', host)).rejects.toThrow(
      `The greetings subgraph would answer anybody who reaches ${host}. Set SUBGRAPH_SECRET, the same here and at the gateway, or HOST to 127.0.0.1.`,
    );
  },
);

test('a secret that is too short is refused', async () => {
  await expect(serve(`${secret},short`)).rejects.toThrow(
    'SUBGRAPH_SECRET must have at least 32 characters: make one with `openssl rand -hex 32`.',
  );
});
