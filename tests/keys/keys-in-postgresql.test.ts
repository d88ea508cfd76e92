import type { Keys } from '@lectern/keys';
import { KeyStoreUnavailableError } from '@lectern/keys';
import { graphqlHeaders, send, sendReady, spawnProcess, useStarted } from '@lectern/testing';
import { Client } from 'pg';
import { operatorPassword } from '../support/admin-fixture';
import { startDelayingProxy } from '../support/delaying-proxy';
import { issueKey, startEmbeddedLectern } from '../support/embedded-lectern';
import { graphqlStatus } from '../support/graphql-status';
import type { Deployment } from '../support/key-stores';
import { pgCtl, startPostgresStore } from '../support/key-stores';
import { waitUntil } from '../support/processes';
import { createRecordedLog } from '../support/recorded-log';

(pgCtl === null ? describe.skip : describe)('keys in PostgreSQL', () => {
  const stores = useStarted(() => startPostgresStore(pgCtl ?? ''));

  const reader = { email: 'reader@example.org', name: 'Reader', environment: 'test' } as const;
  /** Resolves with the message of the error that rejects the promise. */
  const rejection = (result: Promise<unknown> | unknown) =>
    Promise.resolve(result).then(
      () => 'no rejection',
      (error: unknown) => (error as Error).message,
    );
  const connect = async (url: string | undefined) => {
    const client = new Client({ connectionString: url });
    // If a test fails, its clients lose their connection when the server stops. Without a listener,
    // this would end the process before the failure is reported.
    client.on('error', () => undefined);
    await client.connect();
    return client;
  };
  /**
   * Locks a table of the database in a transaction of its own. `waiting` returns how many queries wait for a lock, and
   * `terminateWaiting` breaks their connections and returns their number.
   */
  const lockTable = async (url: string | undefined, lock: string) => {
    const [holder, watcher] = [await connect(url), await connect(url)];
    const whereWaiting = "FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    const begin = async () => {
      await holder.query('BEGIN');
      await holder.query(`LOCK TABLE ${lock} MODE`);
    };
    await begin();
    return {
      begin,
      waiting: async () => (await watcher.query(`SELECT 1 ${whereWaiting}`)).rowCount,
      terminateWaiting: async () => (await watcher.query(`SELECT pg_terminate_backend(pid) ${whereWaiting}`)).rowCount,
      unlock: () => holder.query('ROLLBACK'),
      close: () => Promise.all([holder.end(), watcher.end()]),
    };
  };
  const databaseName = ({ env }: Deployment): string => new URL(env['DATABASE_URL'] ?? '').pathname.slice(1);
  /** Resolves with the versions of the table layout that the database has had, oldest first. */
  const layoutsIn = async (client: Client): Promise<number[]> =>
    (await client.query<{ version: number }>('SELECT version FROM keys_layout ORDER BY version')).rows.map(
      ({ version }) => version,
    );

  test('six key stores that open at once on an empty database create its tables once, and each accepts a key of another', async () => {
    const place = await stores.createDeployment();
    const opened = await Promise.all(Array.from({ length: 6 }, () => place.open()));
    const { token, key } = await issueKey(opened[0] as Keys, { documents: 'trusted' });
    expect(key.documents).toBe('trusted');
    for (const keys of opened) expect(await keys.authenticate(token, 'test')).toEqual({ kind: 'caller', key });
    await Promise.all(opened.map((keys) => keys.close()));
    const client = await connect(place.env['DATABASE_URL']);
    expect(await layoutsIn(client)).toEqual([1, 2, 3, 4, 5, 6]);
    await client.end();
  });

  test('two key stores upgrade a database of the first layout concurrently, and accept a key issued before', async () => {
    const place = await stores.createDeployment();
    const before = await place.open();
    const { token, key } = await issueKey(before, { requestsPerDay: 5 });
    await before.close();
    const client = await connect(place.env['DATABASE_URL']);
    await client.query(
      'ALTER TABLE api_key DROP COLUMN requests_per_minute, DROP COLUMN documents, DROP COLUMN grants, DROP COLUMN expires_at, DROP COLUMN old_digest, DROP COLUMN old_last4, DROP COLUMN old_until, DROP COLUMN pepper, DROP COLUMN addresses',
    );
    await client.query('DROP TABLE verses_served');
    await client.query('DELETE FROM keys_layout WHERE version > 1');
    const opened = await Promise.all([place.open(), place.open()]);
    expect(await layoutsIn(client)).toEqual([1, 2, 3, 4, 5, 6]);
    for (const keys of opened) expect(await keys.authenticate(token, 'test')).toEqual({ kind: 'caller', key });
    expect(key).toMatchObject({ requestsPerDay: 5, requestsPerMinute: null });
    const next = await (opened[0] as Keys).rotate(key.id, 'a test', { overlap: '1d' });
    for (const each of [token, next.token])
      expect((await (opened[1] as Keys).authenticate(each, 'test')).kind).toBe('caller');
    await Promise.all(opened.map((keys) => keys.close()));
    await client.end();
  });

  test('openKeysFromSettings rejects a database of a newer layout or another program, and adds nothing to it', async () => {
    const [newer, another] = [await stores.createDeployment(), await stores.createDeployment()];
    await (await newer.open()).close();
    const client = await connect(newer.env['DATABASE_URL']);
    await client.query('INSERT INTO keys_layout (version) VALUES (99)');
    expect(await rejection(newer.open())).toMatch(/cannot be used \(it has layout 99/);
    expect(await layoutsIn(client)).toEqual([1, 2, 3, 4, 5, 6, 99]);
    await client.end();
    const other = await connect(another.env['DATABASE_URL']);
    await other.query('CREATE TABLE api_key (secret TEXT)');
    expect(await rejection(another.open())).toMatch(/cannot be used \(relation "api_key" already exists\)/);
    expect((await other.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")).rows).toEqual([
      { tablename: 'api_key' },
    ]);
    await other.end();
  });

  test('openKeysFromSettings logs a warning if active keys of the database were issued with another pepper', async () => {
    const place = await stores.createDeployment();
    const [first, second] = [createRecordedLog(), createRecordedLog()];
    const keys = await place.open({ log: first.log });
    const { key } = await issueKey(keys);
    await (await place.open({ log: first.log })).close();
    await (await place.open({ log: second.log, env: { KEY_PEPPER: 'x'.repeat(40) } })).close();
    expect([first.lines.length, second.lines.length]).toEqual([0, 1]);
    expect(second.lines[0]).toContain(`Key ${key.id} and perhaps more were issued with another secret`);
    await keys.close();
  });

  test('if PostgreSQL hangs, keys.authenticate fails within four seconds, and names the database without its password', async () => {
    const place = await stores.createDeployment();
    const keys = await place.open();
    const { token } = await issueKey(keys);
    await keys.authenticate(token, 'test');
    const { host, pathname, password } = new URL(place.env['DATABASE_URL'] ?? '');
    stores.server.pause();
    const began = performance.now();
    try {
      // Lookups that begin in one turn of the event loop share one query, so the calls begin one
      // after another. They outnumber the connections of the pool, so some wait for a connection.
      const messages = await Promise.all(
        Array.from({ length: 30 }, async (_, index) => {
          await new Promise((resolve) => setTimeout(resolve, index));
          return rejection(keys.authenticate(token, 'test'));
        }),
      );
      expect(new Set(messages.map((message) => message.replace(/\(.*\)/, '(...)')))).toEqual(
        new Set([
          `The key store at ${host}${pathname} does not respond (...). Check that PostgreSQL runs there and that DATABASE_URL is right.`,
        ]),
      );
      expect(password).not.toBe('');
      expect(messages.join()).not.toContain(password);
      expect(performance.now() - began).toBeLessThan(4_000);
      expect(await rejection(keys.list())).toMatch(/does not respond/);
    } finally {
      stores.server.resume();
    }
    expect((await keys.authenticate(token, 'test')).kind).toBe('caller');
    await keys.close();
  });

  test('keys.authenticate works after PostgreSQL has restarted, and keys.close ends even if PostgreSQL hangs', async () => {
    const keys = await (await stores.createDeployment()).open();
    const { token, key } = await issueKey(keys);
    stores.server.restart();
    expect((await keys.authenticate(token, 'test')).kind).toBe('caller');
    await keys.revoke(key.id, 'a test');
    expect((await keys.authenticate(token, 'test')).kind).toBe('unknown');
    stores.server.pause();
    const began = performance.now();
    try {
      await rejection(keys.authenticate(token, 'test'));
      await keys.close();
    } finally {
      stores.server.resume();
    }
    expect(performance.now() - began).toBeLessThan(10_000);
  });

  test('if the connection to PostgreSQL breaks, a key lookup is retried, while the issue of a key is rolled back and not retried', async () => {
    const place = await stores.createDeployment();
    const keys = await place.open({ env: { DATABASE_TIMEOUT_MS: '20000' } });
    const { token } = await issueKey(keys);
    const table = await lockTable(place.env['DATABASE_URL'], 'api_key IN ACCESS EXCLUSIVE');
    const untilBroken = () => waitUntil(async () => (await table.terminateWaiting()) !== 0);
    const looking = keys.authenticate(token, 'test');
    await untilBroken();
    await table.unlock();
    expect((await looking).kind).toBe('caller');

    await table.begin();
    const changing = rejection(issueKey(keys, { email: 'another@example.org' }));
    await untilBroken();
    await table.unlock();
    expect(await changing).toMatch(/does not respond \(terminating connection/);
    expect(await keys.list()).toHaveLength(1);
    await Promise.all([table.close(), keys.close()]);
  });

  test('keys.authenticate accepts a key even while more key requests than DATABASE_CONNECTIONS wait for a locked table', async () => {
    const place = await stores.createDeployment();
    const keys = await place.open({ env: { DATABASE_CONNECTIONS: '4' } });
    const { token } = await issueKey(keys);
    const table = await lockTable(place.env['DATABASE_URL'], 'audit_entry IN SHARE');
    const submissions = Array.from({ length: 8 }, (_, index) =>
      rejection(keys.submitRequest({ ...reader, email: `${index}@example.org`, description: 'For a test.' })),
    );
    await waitUntil(async () => (await table.waiting()) !== 0);
    expect((await keys.authenticate(token, 'test')).kind).toBe('caller');
    expect(await keys.list()).toHaveLength(1);
    await table.unlock();
    await Promise.all(submissions);
    await Promise.all([table.close(), keys.close()]);
  });

  test('key lookups that exceed their deadline because a table is locked leave no running query in PostgreSQL', async () => {
    const place = await stores.createDeployment();
    const keys = await place.open({ env: { DATABASE_CONNECTIONS: '4', DATABASE_TIMEOUT_MS: '400' } });
    const patientKeys = await place.open();
    const { token } = await issueKey(patientKeys);
    const table = await lockTable(place.env['DATABASE_URL'], 'api_key IN ACCESS EXCLUSIVE');
    for (let lookups = 0; lookups < 8; lookups += 1)
      expect(await rejection(keys.authenticate(token, 'test'))).toMatch(/does not respond/);
    await waitUntil(async () => (await table.waiting()) === 0);
    await table.unlock();
    // On a busy machine, the first lookups may take longer than the deadline.
    await waitUntil(async () => (await rejection(keys.authenticate(token, 'test'))) === 'no rejection');
    await Promise.all([table.close(), keys.close(), patientKeys.close()]);
  });

  test('six key stores open and look up keys on a database with unusual defaults for dates, bytes and transactions', async () => {
    const place = await stores.createDeployment();
    const client = await connect(place.env['DATABASE_URL']);
    for (const setting of [
      "datestyle = 'German'",
      "timezone = 'Asia/Kolkata'",
      "bytea_output = 'escape'",
      "default_transaction_isolation = 'serializable'",
    ])
      await client.query(`ALTER DATABASE ${databaseName(place)} SET ${setting}`);
    await client.end();
    const opened = await Promise.all(Array.from({ length: 6 }, () => place.open()));
    const keys = opened[0] as Keys;
    const { key, token } = await issueKey(keys);
    expect(Math.abs(Date.parse(key.createdAt) - Date.now())).toBeLessThan(60_000);
    expect(await keys.authenticate(token, 'test')).toEqual({ kind: 'caller', key });
    const secret = await keys.sessions.open({ password: 'a password', seconds: 60 });
    expect(await keys.sessions.find(secret, 'a password')).not.toBeNull();
    await Promise.all(opened.map((each) => each.close()));
  });

  test('a user without the right to create tables can open a database of the newest table layout', async () => {
    const place = await stores.createDeployment();
    await (await place.open()).close();
    const client = await connect(place.env['DATABASE_URL']);
    await client.query('CREATE ROLE gateway LOGIN');
    await client.query('GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO gateway');
    await client.query('REVOKE CREATE ON SCHEMA public FROM PUBLIC');
    await client.end();
    const url = new URL(place.env['DATABASE_URL'] ?? '');
    url.username = 'gateway';
    const keys = await place.open({ env: { DATABASE_URL: url.href } });
    const { token } = await issueKey(keys);
    expect((await keys.authenticate(token, 'test')).kind).toBe('caller');
    await keys.close();
  });

  test('openKeysFromSettings rejects a database whose encoding lacks characters of names, and names the encoding', async () => {
    const place = await stores.createDeployment();
    const client = await connect(place.env['DATABASE_URL']);
    await client.query("CREATE DATABASE western ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0");
    await client.end();
    const url = new URL('/western', place.env['DATABASE_URL']).href;
    expect(await rejection(place.open({ env: { DATABASE_URL: url } }))).toMatch(
      /cannot be used \(its encoding is LATIN1, .* ENCODING 'UTF8' TEMPLATE template0\)/,
    );
  });

  test('if the database becomes read-only, keys are accepted and a key request is rejected with KeyStoreUnavailableError', async () => {
    const place = await stores.createDeployment();
    const keys = await place.open();
    const { token } = await issueKey(keys);
    const client = await connect(place.env['DATABASE_URL']);
    await client.query(`ALTER DATABASE ${databaseName(place)} SET default_transaction_read_only = on`);
    await client.query(
      'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
    );
    await client.end();
    expect((await keys.authenticate(token, 'test')).kind).toBe('caller');
    const submission = keys.submitRequest({ ...reader, email: 'other@example.org', description: 'For a test.' });
    await expect(submission).rejects.toThrow(KeyStoreUnavailableError);
    await expect(submission).rejects.toThrow(/is read-only .*DATABASE_URL must lead to the primary server/);
    await keys.close();
  });

  test('a standby PostgreSQL server is rejected at opening and at lookups, until it becomes the primary', async () => {
    const place = await stores.createDeployment();
    const keys = await place.open();
    const { token } = await issueKey(keys);
    stores.server.restartAsStandby();
    try {
      expect(await rejection(keys.authenticate(token, 'test'))).toMatch(/the server is a standby/);
      expect(await rejection(place.open())).toMatch(/the server is a standby/);
    } finally {
      stores.server.promote();
    }
    expect((await keys.authenticate(token, 'test')).kind).toBe('caller');
    await keys.close();
  });

  test('keys.authenticate fails after DATABASE_TIMEOUT_MS in total, even if each of its steps takes less time', async () => {
    const place = await stores.createDeployment();
    const url = new URL(place.env['DATABASE_URL'] ?? '');
    const proxy = await startDelayingProxy(Number(url.port));
    url.port = String(proxy.port);
    const keys = await place.open({ env: { DATABASE_URL: url.href, DATABASE_TIMEOUT_MS: '2000' } });
    const { token } = await issueKey(keys);
    proxy.disconnect();
    // In this time, the connection pool of `keys` notices that its connections are closed.
    await new Promise((resolve) => setTimeout(resolve, 200));
    proxy.setDelay(900);
    const began = performance.now();
    expect(await rejection(keys.authenticate(token, 'test'))).toMatch(
      /does not respond \(no response within 2000 ms\)/,
    );
    const duration = performance.now() - began;
    expect(duration).toBeGreaterThan(1_900);
    expect(duration).toBeLessThan(2_500);
    // Lookups succeed again when responses are fast again.
    proxy.setDelay(0);
    await waitUntil(async () => (await rejection(keys.authenticate(token, 'test'))) === 'no rejection');
    await keys.close();
    await proxy.close();
  });

  test('while PostgreSQL hangs, a gateway responds 503 even to a key that it has just accepted, and reports the outage', async () => {
    const { log, lines } = createRecordedLog();
    const keys = await (await stores.createDeployment()).open({ log, env: { DATABASE_TIMEOUT_MS: '1000' } });
    const lectern = await startEmbeddedLectern({ keys, log, operatorPassword });
    const outageLines = () =>
      lines
        .filter((line) => !line.includes('"msg":"request"'))
        .map((line) => JSON.parse(line) as Record<string, string>);
    const status = (token: string) => graphqlStatus(lectern.url, token);
    const page = (accept: string) =>
      send(`${lectern.origin}/admin`, {
        method: 'GET',
        headers: ['Accept', accept, 'Cookie', 'lectern-operator=somebody'],
      });
    try {
      const { token } = await issueKey(keys);
      expect(await status(token)).toBe(200);
      // The concurrent calls open connections. They stay idle in the pool and break in the outage.
      await Promise.all(Array.from({ length: 6 }, () => keys.list()));
      stores.server.pause();
      try {
        expect(await Promise.all(Array.from({ length: 5 }, () => status(token)))).toEqual([503, 503, 503, 503, 503]);
        const [html, json] = [await page('text/html'), await page('*/*')];
        const graphql = await send(lectern.url, { headers: graphqlHeaders(token), body: '{"query":"{ __typename }"}' });
        expect([html.status, html.headers['retry-after'], html.text.includes('<title>Unavailable')]).toEqual([
          503,
          '2',
          true,
        ]);
        for (const each of [json, graphql])
          expect([each.status, each.json()]).toMatchObject([
            503,
            { errors: [{ extensions: { code: 'KEYS_UNAVAILABLE' } }] },
          ]);
        expect(outageLines()).toMatchObject([
          { level: 'warn', msg: 'the key store is unavailable: requests and pages that need it are rejected with 503' },
        ]);
        expect(outageLines()[0]?.['reason']).toMatch(/^The key store at .* does not respond \(/);
        const ready = await sendReady(lectern.origin);
        expect([ready.status, ready.text]).toEqual([
          200,
          expect.stringContaining('"service":"key store","reason":"The'),
        ]);
      } finally {
        stores.server.resume();
      }
      await waitUntil(async () => (await page('text/html')).status === 303);
      expect(await status(token)).toBe(200);
      stores.server.restart();
      expect(await status(token)).toBe(200);
      expect(outageLines().slice(1)).toMatchObject([{ level: 'info', msg: 'the key store is available again' }]);
    } finally {
      await lectern.close();
      await keys.close();
    }
  });
});

test.each([
  ['a gateway', 'gateway/dist/main.js', []],
  ['the command keys', 'gateway/dist/keys-main.js', ['list']],
])(
  '%s with an unreachable database exits with 1, and names the database without its password',
  async (_, file, args) => {
    const env = {
      DATABASE_URL: 'postgres://lectern:hunter2@127.0.0.1:1/keys',
      KEY_PEPPER: 'x'.repeat(40),
      PORT: '4999',
    };
    const { ended, output } = spawnProcess(file, env, args);
    expect(await ended).toBe(1);
    expect(output().trim().split('\n')).toEqual([
      expect.stringMatching(
        /^The key store at 127\.0\.0\.1:1\/keys does not respond \(.*ECONNREFUSED.*\)\. Check that PostgreSQL runs there and that DATABASE_URL is right\.$/,
      ),
    ]);
    expect(output()).not.toContain('hunter2');
  },
);
