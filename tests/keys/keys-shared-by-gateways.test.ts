import type { Keys } from '@lectern/keys';
import { graphqlHeaders, send, spawnProcess } from '@lectern/testing';
import { startEmbeddedLectern } from '../support/embedded-lectern';
import { pgCtl, startPostgresStore } from '../support/key-stores';

const body = JSON.stringify({ query: '{ translation(identifier: "eng-web") { abbrev } }' });
const status = async (url: string, token: string) => (await send(url, { headers: graphqlHeaders(token), body })).status;

(pgCtl === null ? describe.skip : describe)('gateways that share keys in PostgreSQL', () => {
  let stores: Awaited<ReturnType<typeof startPostgresStore>>;
  beforeAll(async () => {
    stores = await startPostgresStore(pgCtl ?? '');
  });
  afterAll(() => stores.stop());

  test('a gateway rejects a key from the next request on after a second gateway has revoked the key', async () => {
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

  test('a gateway responds 503 while PostgreSQL is unavailable, also to a recently used key, and 200 again after its recovery', async () => {
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
});

test('a gateway with an unreachable database does not start, and names the database without its password', async () => {
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
