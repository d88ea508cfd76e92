import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createGatewayToken, type Listening, silentLogger } from '@lectern/serving';
import { send, withFolder } from '@lectern/testing';
import { createSubgraph, serveSubgraph } from './index';
import type { ServeOptions } from './serve';

const secret = '0123456789abcdef0123456789abcdef';
const previousSecret = 'fedcba9876543210fedcba9876543210';
const tokenSecret = 'a secret of gateway tokens that is long enough';

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
    return serveSubgraph(subgraph, { host: '127.0.0.1', port: 0, secrets: '', log: silentLogger, ...options });
  });

let server: Listening;
beforeAll(async () => {
  server = await serve({
    headerName: 'X-Router-Secret',
    headerSecrets: `${secret},${previousSecret}`,
    secrets: tokenSecret,
  });
});
afterAll(() => server.close({ graceMs: 0 }));

const statusWith = async (...headers: string[]) => {
  const response = await send(`http://127.0.0.1:${server.port}/graphql`, {
    headers: ['Content-Type', 'application/json', ...headers],
    body: '{"query":"{ greeting }"}',
  });
  return response.status;
};

test('a subgraph with SUBGRAPH_HEADER_SECRET serves callers that send either of its two secrets in the header of SUBGRAPH_HEADER_NAME', async () => {
  expect(await statusWith('X-Router-Secret', secret)).toBe(200);
  expect(await statusWith('x-router-secret', previousSecret)).toBe(200);
  expect(await statusWith('X-Router-Secret', ` ${secret} `)).toBe(200);
});

test('a subgraph with SUBGRAPH_HEADER_SECRET also serves callers with a gateway token', async () => {
  const token = createGatewayToken({ secret: tokenSecret, subgraph: 'greetings', now: Date.now });
  expect(await statusWith('Authorization', token())).toBe(200);
  expect(await statusWith('Authorization', token(), 'X-Router-Secret', 'wrong')).toBe(200);
});

test.each<[string, string[]]>([
  ['no header', []],
  ['an empty header', ['X-Router-Secret', '']],
  ['another secret', ['X-Router-Secret', 'x'.repeat(32)]],
  ['the secret without its last character', ['X-Router-Secret', secret.slice(0, -1)]],
  ['the secret with one character more', ['X-Router-Secret', `${secret}0`]],
  ['the secret in upper case', ['X-Router-Secret', secret.toUpperCase()]],
  ['the header sent twice', ['X-Router-Secret', secret, 'X-Router-Secret', secret]],
  ['a wrong and a right header', ['X-Router-Secret', 'x', 'X-Router-Secret', secret]],
  ['both secrets as one value', ['X-Router-Secret', `${secret},${previousSecret}`]],
  ['the secret in another header', ['X-Subgraph-Secret', secret]],
  ['the secret of gateway tokens', ['X-Router-Secret', tokenSecret]],
  ['the header secret as a gateway token', ['Authorization', `Lectern ${secret}`]],
  ['a header of 8 kB', ['X-Router-Secret', 'x'.repeat(8_000)]],
])(
  'a subgraph responds with 401 to a caller that sends neither one header with a right secret nor a gateway token: %s',
  async (_, headers) => {
    expect(await statusWith(...headers)).toBe(401);
  },
);

test('a subgraph that expects its secret in the header Authorization rejects two such headers, and a request without this header, with 401', async () => {
  const other = await serve({ headerName: 'authorization', headerSecrets: secret });
  const status = async (...headers: string[]) =>
    (
      await send(`http://127.0.0.1:${other.port}/graphql`, {
        headers: ['Content-Type', 'application/json', ...headers],
        body: '{"query":"{ greeting }"}',
      })
    ).status;
  expect(await status('Authorization', secret)).toBe(200);
  expect(await status('Authorization', secret, 'Authorization', 'x')).toBe(401);
  expect(await status()).toBe(401);
  await other.close({ graceMs: 0 });
});

test('a subgraph with SUBGRAPH_HEADER_SECRET may listen on an address that other machines can reach', async () => {
  const open = await serve({ host: '0.0.0.0', headerSecrets: secret });
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
    { headerSecrets: secret, headerName: 'x router:' },
    'SUBGRAPH_HEADER_NAME: "x router:" is not the name of an HTTP header, such as x-subgraph-secret.',
  ],
])('serveSubgraph rejects %s, and the message says what is allowed', async (_, options, message) => {
  await expect(serve(options)).rejects.toThrow(message);
});
