import type { Keys } from '@lectern/keys';
import { createLogger } from '@lectern/serving';
import { graphqlHeaders, send, spawnProcess } from '@lectern/testing';
import { operatorPassword } from '../support/admin-fixture';
import { startEmbeddedLectern } from '../support/embedded-lectern';
import { waitUntil } from '../support/start-gateways-and-subgraphs';
import { pgCtl, startPostgresStore } from '../support/start-sqlite-and-postgres-key-stores';

const body = JSON.stringify({ query: '{ translation(identifier: "eng-web") { abbrev } }' });
const status = async (url: string, token: string) => (await send(url, { headers: graphqlHeaders(token), body })).status;

(pgCtl === null ? describe.skip : describe)('gateways that share keys in PostgreSQL', () => {
  let stores: Awaited<ReturnType<typeof startPostgresStore>>;
  beforeAll(async () => {
    stores = await startPostgresStore(pgCtl ?? '');
  });
  afterAll(() => stores.stop());

  test('a gateway rejects a key with 401 at its next request after another gateway has revoked the key', async () => {
    const place = await stores.createDeployment();
    const [here, there] = [await place.open(), await place.open()];
    const [first, other] = [await startEmbeddedLectern({ keys: here }), await startEmbeddedLectern({ keys: there })];
    try {
      const { token, key } = await here.issue(
        { email: 'reader@example.org', name: 'Reader', environment: 'test' },
        'a test',
      );
      expect([await status(first.url, token), await status(other.url, token)]).toEqual([200, 200]);
      await here.revoke(key.id, 'a test');
      expect([await status(other.url, token), await status(first.url, token)]).toEqual([401, 401]);
    } finally {
      await Promise.all([first.close(), other.close()]);
      await Promise.all([here, there].map((keys: Keys) => keys.close()));
    }
  });

  test('of two gateways of different environments on one database, each accepts the keys of its environment and rejects the other keys as not valid there', async () => {
    const place = await stores.createDeployment();
    const [liveKeys, testKeys] = [await place.open(), await place.open()];
    const gateways = [
      await startEmbeddedLectern({ keys: liveKeys, environment: 'live' }),
      await startEmbeddedLectern({ keys: testKeys, environment: 'test' }),
    ];
    /**
     * Resolves with the status and error message of each gateway: first the live gateway, then the
     * test gateway.
     */
    const responsesTo = (token: string) =>
      Promise.all(
        gateways.map(async ({ url }) => {
          const { status: code, text } = await send(url, { headers: graphqlHeaders(token), body });
          const { errors = [] } = JSON.parse(text) as { errors?: { message: string }[] };
          return [code, errors[0]?.message];
        }),
      );
    const accepted = [200, undefined];
    const wrongEnvironment = [401, 'API key not valid for this environment'];
    const unknown = [401, 'Invalid or missing API key'];
    try {
      const reader = { email: 'reader@example.org', name: 'Reader' };
      const live = await liveKeys.issue({ ...reader, environment: 'live' }, 'a test');
      const test = await testKeys.issue({ ...reader, environment: 'test' }, 'a test');
      expect(await responsesTo(live.token)).toEqual([accepted, wrongEnvironment]);
      expect(await responsesTo(test.token)).toEqual([wrongEnvironment, accepted]);
      for (const keys of [liveKeys, testKeys])
        for (const environment of ['live', 'test'] as const)
          await expect(keys.issue({ ...reader, environment }, 'a test')).rejects.toThrow(
            `reader@example.org has a ${environment} key already`,
          );
      for (const prefix of ['svc_live_', 'svc_test_'])
        expect(await responsesTo(prefix + 'a'.repeat(49))).toEqual([unknown, unknown]);
      await testKeys.revoke(live.key.id, 'a test');
      await liveKeys.revoke(test.key.id, 'a test');
      for (const { token } of [live, test]) expect(await responsesTo(token)).toEqual([unknown, unknown]);
      const again = await liveKeys.issue({ ...reader, environment: 'test' }, 'a test');
      expect(await responsesTo(again.token)).toEqual([wrongEnvironment, accepted]);
    } finally {
      await Promise.all(gateways.map((gateway) => gateway.close()));
      await Promise.all([liveKeys, testKeys].map((keys) => keys.close()));
    }
  });

  test('a gateway responds 503 while PostgreSQL hangs, also to a key that it accepted just before, and 200 after PostgreSQL resumes or restarts', async () => {
    const place = await stores.createDeployment();
    const keys = await place.open();
    const lectern = await startEmbeddedLectern({ keys });
    try {
      const { token } = await keys.issue(
        { email: 'reader@example.org', name: 'Reader', environment: 'test' },
        'a test',
      );
      expect(await status(lectern.url, token)).toBe(200);
      stores.server.pause();
      const received = await send(lectern.url, { headers: graphqlHeaders(token), body }).finally(() =>
        stores.server.resume(),
      );
      expect([received.status, received.json()]).toMatchObject([
        503,
        { errors: [{ extensions: { code: 'KEYS_UNAVAILABLE' } }] },
      ]);
      expect(await status(lectern.url, token)).toBe(200);
      stores.server.restart();
      expect(await status(lectern.url, token)).toBe(200);
    } finally {
      await lectern.close();
      await keys.close();
    }
  });

  test('an outage of PostgreSQL is logged once at its beginning and once at its end, however many requests fail with 503', async () => {
    const lines: string[] = [];
    const log = createLogger({ service: 'test', level: 'info', destination: { write: (line) => lines.push(line) } });
    const keys = await (await stores.createDeployment()).open({ log, env: { DATABASE_TIMEOUT_MS: '1000' } });
    const lectern = await startEmbeddedLectern({ keys, log, operatorPassword });
    const outageLines = () =>
      lines
        .filter((line) => !line.includes('"msg":"request"'))
        .map((line) => JSON.parse(line) as Record<string, string>);
    const page = (accept: string) =>
      send(`${lectern.origin}/admin`, {
        method: 'GET',
        headers: ['Accept', accept, 'Cookie', 'lectern-operator=somebody'],
      });
    try {
      const { token } = await keys.issue(
        { email: 'reader@example.org', name: 'Reader', environment: 'test' },
        'a test',
      );
      // The concurrent calls open connections. They stay idle in the pool and break in the outage.
      await Promise.all(Array.from({ length: 6 }, () => keys.list()));
      stores.server.pause();
      try {
        expect(await Promise.all(Array.from({ length: 5 }, () => status(lectern.url, token)))).toEqual(
          Array.from({ length: 5 }, () => 503),
        );
        const [html, json] = [await page('text/html'), await page('*/*')];
        expect([html.status, html.headers['retry-after'], html.text.includes('<title>Unavailable')]).toEqual([
          503,
          '2',
          true,
        ]);
        expect([json.status, json.json()]).toMatchObject([
          503,
          { errors: [{ extensions: { code: 'KEYS_UNAVAILABLE' } }] },
        ]);
        expect(await status(lectern.url, token)).toBe(503);
        expect(outageLines()).toMatchObject([
          { level: 'warn', msg: 'the key store is unavailable: requests and pages that need it are rejected with 503' },
        ]);
        expect(outageLines()[0]?.['reason']).toMatch(/^The key store at .* does not respond \(/);
      } finally {
        stores.server.resume();
      }
      await waitUntil(async () => (await page('text/html')).status === 303);
      expect(await status(lectern.url, token)).toBe(200);
      stores.server.restart();
      expect(await status(lectern.url, token)).toBe(200);
      expect(outageLines().slice(1)).toMatchObject([{ level: 'info', msg: 'the key store is available again' }]);
    } finally {
      await lectern.close();
      await keys.close();
    }
  });
});

test('a gateway with an unreachable database exits with 1 at startup, and names the database without its password', async () => {
  const { ended, output } = spawnProcess('gateway/dist/main.js', {
    DATABASE_URL: 'postgres://lectern:hunter2@127.0.0.1:1/keys',
    KEY_PEPPER: 'x'.repeat(40),
    PORT: '4999',
  });
  expect(await ended).toBe(1);
  expect(output().trim().split('\n')).toEqual([
    expect.stringMatching(
      /^The key store at 127\.0\.0\.1:1\/keys does not respond \(.*ECONNREFUSED.*\)\. Check that PostgreSQL runs there and that DATABASE_URL is right\.$/,
    ),
  ]);
  expect(output()).not.toContain('hunter2');
});
