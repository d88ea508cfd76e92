import type { IncomingMessage } from 'node:http';
import type { StartedProcess } from '@lectern/testing';
import { dataDir, freePort, graphqlHeaders, itemsOfThisRun, send, spawnProcess } from '@lectern/testing';
import { pepper } from '../support/embedded-lectern';
import { startFakeSubgraph } from '../support/fake-subgraph';
import type { TestProcesses } from '../support/processes';
import { openProcesses, waitUntil } from '../support/processes';
import type { StartedService } from '../support/services-in-process';
import { startGatewayInProcess } from '../support/services-in-process';
import { subgraphNames } from '../support/supergraph-yaml';

const secret = 'the secret of these subgraphs and gateways';
const previousSecret = 'the secret that was theirs until yesterday';
let processes: TestProcesses;
let text: StartedProcess;
let search: StartedProcess;

const wrongSecret = 'a secret that is not the one of these subgraphs';

const startGateway = (secrets: string, textOrigin = text.origin) =>
  processes.serveGateway({ text: [textOrigin], search: [search.origin] }, { SUBGRAPH_SECRET: secrets });
const startRejectedGateway = () =>
  processes.serveGateway({ text: [text.origin], search: [search.origin] }, { SUBGRAPH_SECRET: wrongSecret }, '/health');
const readiness = async ({ origin }: StartedService) => {
  const { status, text: body } = await send(`${origin}/ready`, { method: 'GET' });
  return { status, body: JSON.parse(body) as unknown };
};

const query = '{ languages { code } search(query: "wept", limit: 1) { reference } }';
const expected = {
  data: {
    languages: expect.arrayContaining([{ code: 'eng' }, { code: 'spa' }]),
    search: [{ reference: expect.any(String) }],
  },
};

const startSearch = (secrets: string, env: Record<string, string> = {}) =>
  processes.start('services/search/dist/main.js', {
    LECTERN_DATA: dataDir,
    SEMANTIC_TRANSLATIONS: '',
    SUBGRAPH_SECRET: secrets,
    ...env,
  });

beforeAll(async () => {
  processes = await openProcesses();
  text = await processes.start('services/text/dist/main.js', {
    LECTERN_DATA: dataDir,
    SUBGRAPH_SECRET: `${secret},${previousSecret}`,
  });
  search = await startSearch(`${secret},${previousSecret}`);
});
afterAll(() => processes.close());

test('subgraphs with two secrets accept gateways with either, and log the reason of a rejection without the secret', async () => {
  for (const secrets of [secret, `${previousSecret},${secret}`])
    expect(await (await startGateway(secrets)).client(query)).toEqual(expected);
  const { gateway, client } = await startRejectedGateway();
  expect(await client(query)).toMatchObject({
    data: { languages: null, search: null },
    errors: [{ extensions: { code: 'SUBGRAPH_UNAVAILABLE' } }, { extensions: { code: 'SUBGRAPH_UNAVAILABLE' } }],
  });
  expect(gateway.output()).toContain('SUBGRAPH_SECRET must be the same on both sides');
  await waitUntil(() => text.output().includes('another secret'));
  for (const each of [secret, previousSecret, wrongSecret])
    expect(gateway.output() + text.output()).not.toContain(each);
});

test('a gateway whose token every subgraph rejects is not ready, and becomes ready when one subgraph accepts it', async () => {
  const { gateway } = await startRejectedGateway();
  const reason = 'every subgraph that responds rejects the gateway token: check SUBGRAPH_SECRET and the clocks';
  // The subgraphs concordance and study do not run. A subgraph that cannot be reached does not reject
  // the token either, but does not make the gateway ready.
  for (const name of ['search', 'text'])
    await waitUntil(async () => JSON.stringify((await readiness(gateway)).body).includes(`"${name}"`));
  expect(await readiness(gateway)).toMatchObject({
    status: 503,
    body: {
      status: 'not ready',
      reason,
      degraded: expect.arrayContaining([
        { subgraph: 'search', reason: 'it rejects the gateway token' },
        { subgraph: 'text', reason: 'it rejects the gateway token' },
      ]),
    },
  });
  const linesOf = (message: string) => gateway.output().split(message).length - 1;
  const began = 'the gateway is not ready: set the same SUBGRAPH_SECRET on the gateway and its subgraphs';
  const ended = 'the gateway is ready: a subgraph accepts the gateway token';
  await waitUntil(() => linesOf(began) > 0);
  await processes.stop(search);
  search = await startSearch(wrongSecret, { PORT: String(search.port) });
  await waitUntil(async () => (await readiness(gateway)).status === 200);
  expect((await readiness(gateway)).body).toMatchObject({
    status: 'ready',
    degraded: expect.arrayContaining([{ subgraph: 'text', reason: 'it rejects the gateway token' }]),
  });
  await waitUntil(() => linesOf(ended) > 0);
  expect([linesOf(began), linesOf(ended)]).toEqual([1, 1]);
  await processes.stop(search);
  search = await startSearch(`${secret},${previousSecret}`, { PORT: String(search.port) });
});

test("the gateway sends a subgraph only the operation and its token, and neither the client's headers nor the secret", async () => {
  const received: { request: IncomingMessage; body: string }[] = [];
  const recorder = await startFakeSubgraph((response, request, body) => {
    received.push({ request, body });
    response.setHeader('content-type', 'application/json').end('{"data":{"languages":[]}}');
  });
  const { gateway } = await startGateway(secret, recorder.origin);
  const body = JSON.stringify({
    query: 'query L { languages { code } }',
    variables: { own: 'only declared variables travel' },
    operationName: 'L',
  });
  const headers = [
    ...graphqlHeaders(processes.token),
    'X-Forwarded-For',
    '192.0.2.7',
    'Forwarded',
    'for=192.0.2.7',
    'X-Real-IP',
    '192.0.2.7',
    'Cookie',
    'session=own',
    'User-Agent',
    'a reader',
    'Referer',
    'https://reader.example.org/',
  ];
  // The operation is planned at the first request, and the second uses the same plan.
  for (const times of [1, 2]) {
    expect((await send(`${gateway.origin}/graphql`, { headers, body })).json()).toEqual({ data: { languages: [] } });
    expect(received).toHaveLength(times);
  }
  for (const { request, body: operation } of received) {
    expect(request.headers['x-lectern-clients']).toMatch(/^[\w-]{16} [\w-]{16}$/);
    expect(Object.keys(request.headers).sort()).toEqual([
      'accept',
      'authorization',
      'connection',
      'content-length',
      'content-type',
      'host',
      'x-lectern-clients',
    ]);
    expect(request.headers.authorization).toMatch(/^Lectern \d+\.[\w-]{43}$/);
    const all = `${request.url} ${request.rawHeaders.join(' ')} ${operation}`;
    for (const own of [processes.token, secret, '192.0.2.7', 'session', 'reader', 'only declared'])
      expect(all).not.toContain(own);
  }
  const gatewayToken = received[0]?.request.headers.authorization ?? '';
  const replay = (subgraph: StartedProcess) =>
    send(`${subgraph.origin}/graphql`, {
      headers: ['Authorization', gatewayToken, 'Content-Type', 'application/json'],
      body: '{"query":"{ __typename }"}',
    });
  expect([(await replay(text)).status, (await replay(search)).status]).toEqual([200, 401]);
  await recorder.close();
});

// `npm test` checks every second subgraph in a run, and `npm run test:long` checks all.
test.each(itemsOfThisRun(subgraphNames, 2))(
  'the %s subgraph without SUBGRAPH_SECRET and with a public HOST exits with an error that names both settings',
  async (name) => {
    const { ended, output } = spawnProcess(`services/${name}/dist/main.js`, {
      LECTERN_DATA: dataDir,
      SEMANTIC_TRANSLATIONS: '',
      HOST: '0.0.0.0',
      PORT: String(await freePort()),
    });
    expect(await ended).toBe(1);
    expect(output().trim()).toBe(
      `The ${name} subgraph would answer anybody who reaches 0.0.0.0. Set SUBGRAPH_SECRET, the same here and at the gateway, or SUBGRAPH_HEADER_SECRET for another router, or HOST to 127.0.0.1.`,
    );
  },
);

test('a gateway with a too short SUBGRAPH_SECRET or invalid SUBGRAPH_URLS exits with an error that names the setting', async () => {
  const start = (env: Record<string, string>) =>
    startGatewayInProcess({ LECTERN_DATA: processes.folder, KEY_PEPPER: pepper, ...env });
  await expect(start({ SUBGRAPH_SECRET: 'short' })).rejects.toThrow(
    'SUBGRAPH_SECRET must have at least 32 characters: make one with `openssl rand -hex 32`.',
  );
  await expect(start({ SUBGRAPH_URLS: 'text=text:4001' })).rejects.toThrow(
    /^SUBGRAPH_URLS: "text=text:4001" is not a pair such as /,
  );
  await expect(start({ SUBGRAPH_URLS: `txt=${text.origin}/graphql` })).rejects.toThrow(
    `SUBGRAPH_URLS names txt, which the supergraph does not have. It has ${[...subgraphNames].sort().join(', ')}.`,
  );
});
