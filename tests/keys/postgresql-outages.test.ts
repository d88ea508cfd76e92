import { createLogger } from '@lectern/serving';
import { graphqlHeaders, send, spawnProcess, useStarted } from '@lectern/testing';
import { operatorPassword } from '../support/admin-fixture';
import { startEmbeddedLectern } from '../support/embedded-lectern';
import { pgCtl, startPostgresStore } from '../support/key-stores';
import { waitUntil } from '../support/processes';

const body = JSON.stringify({ query: '{ translation(identifier: "eng-web") { abbrev } }' });
const status = async (url: string, token: string) => (await send(url, { headers: graphqlHeaders(token), body })).status;

(pgCtl === null ? describe.skip : describe)('a gateway with its keys in PostgreSQL', () => {
  const stores = useStarted(() => startPostgresStore(pgCtl ?? ''));

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
