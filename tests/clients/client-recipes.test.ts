import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { useStarted } from '@lectern/testing';
import { waitUntil } from '../support/processes';
import type { ClientFolder } from './client-examples-fixture';
import { startClientServices } from './client-examples-fixture';

const services = useStarted(startClientServices);
const openRecipe = (...sections: string[]): ClientFolder =>
  services.openFolder('examples/clients/recipes.md', ...sections);

/** Starts a service that answers the first requests with 429, and forwards later ones to Lectern. */
async function startLimitedService(rejections: number, retryAfter: string) {
  let requests = 0;
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    requests += 1;
    if (requests <= rejections) {
      response.writeHead(429, { 'content-type': request.headers.accept?.split(',')[0], 'retry-after': retryAfter });
      response.end(JSON.stringify({ errors: [{ message: 'Too many', extensions: { code: 'RATE_LIMITED' } }] }));
      return;
    }
    const { authorization = '', accept = '' } = request.headers;
    const headers = { authorization, accept, 'content-type': 'application/json' };
    const forwarded = await fetch(services.lectern.url, { method: 'POST', headers, body });
    response.writeHead(forwarded.status, { 'content-type': forwarded.headers.get('content-type') ?? '' });
    response.end(await forwarded.text());
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`,
    requests: () => requests,
    close: () => new Promise<void>((resolve) => void server.close(() => resolve()).closeAllConnections()),
  };
}

test.each(['retry-apollo.js', 'retry-urql.js'])(
  'the recipe %s waits as long as Retry-After says, and sends the request again',
  async (file) => {
    const limited = await startLimitedService(1, '1');
    const startedAt = Date.now();
    expect(await openRecipe('Too many requests').run(`LECTERN_URL=${limited.url} node ${file}`)).toEqual({
      status: 0,
      output: 'Jesus wept.\n',
    });
    expect(Date.now() - startedAt).toBeGreaterThan(1_000);
    expect(limited.requests()).toBe(2);
    await limited.close();
  },
);

test.each(['retry-apollo.js', 'retry-urql.js'])(
  'the recipe %s sends no second request if Retry-After says to wait for an hour',
  async (file) => {
    const limited = await startLimitedService(1, '3600');
    await openRecipe('Too many requests').run(`LECTERN_URL=${limited.url} node ${file}`);
    expect(limited.requests()).toBe(1);
    await limited.close();
  },
);

test.each([
  [
    'RetryLink of Apollo Client',
    'link: new RetryLink().concat(new HttpLink({ uri: process.env.LECTERN_URL, headers })),',
  ],
  ['retryExchange of urql', 'exchanges: [retryExchange({}), fetchExchange],'],
])('%s with its default options sends no second request after 429', async (name, option) => {
  const limited = await startLimitedService(1, '1');
  const folder = openRecipe('Too many requests');
  const [file, imports, pattern] = name.includes('Apollo')
    ? ['retry-apollo.js', "import { RetryLink } from '@apollo/client/link/retry';", /link: .*,/]
    : ['retry-urql.js', "import { retryExchange } from '@urql/exchange-retry';", /exchanges: .*,\n.*retryFetch,/];
  folder.write(file, `${imports}\n${folder.read(file).replace(pattern, option)}`);
  await folder.run(`LECTERN_URL=${limited.url} node ${file}`);
  expect(limited.requests()).toBe(1);
  await limited.close();
});

test.each([
  ['A key that is not valid', 'invalid-key.js', 'Apollo Client: UNAUTHENTICATED\nurql: UNAUTHENTICATED\n'],
  ['A request that nobody waits for', 'abort-apollo.js', 'AbortError\n'],
  ['A request that nobody waits for', 'abort-urql.js', ''],
  ['All pages of a list', 'pages-apollo.js', '74 of 74\n'],
  ['All pages of a list', 'pages-urql.js', '74 of 74\n'],
  ['One fragment for every verse', 'verse-fragment.js', 'John 11:35 (eng-kjv)\nJuan 11:35 (spa-rv1909)\n'],
  ['Hashes without GET', 'get-hashed.js', 'Jesus wept.\nMETHOD_NOT_ALLOWED\n'],
])('the recipe "%s" of examples/clients runs: %s prints the documented output', async (section, file, output) => {
  const folder = openRecipe(section, 'A key that is not valid');
  expect(await folder.run(`node ${file}`)).toEqual({ status: 0, output });
});

test('urql closes the connection of a request when the recipe abort-urql.js unsubscribes', async () => {
  let closed = 0;
  let arrived = 0;
  const server = createServer((request, response) => {
    arrived += 1;
    response.on('close', () => (closed += 1));
    request.resume();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const folder = openRecipe('A request that nobody waits for');
  const waits = 'await new Promise((resolve) => setTimeout(resolve, 300));\nunsubscribe();';
  folder.write('abort-urql.js', folder.read('abort-urql.js').replace('unsubscribe();', waits));
  expect(await folder.run(`LECTERN_URL=http://127.0.0.1:${port} node abort-urql.js`)).toEqual({
    status: 0,
    output: '',
  });
  await waitUntil(() => closed === 1);
  expect(arrived).toBe(1);
  server.close();
});
