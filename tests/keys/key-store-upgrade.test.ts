import { execFile } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openKeys } from '@lectern/keys';
import { repositoryRoot, withFolder } from '@lectern/testing';
import Database from 'better-sqlite3';
import { issueKey, pepper } from '../support/embedded-lectern';

test('a SQLite key store with the first table layout keeps its keys when three processes upgrade it at the same time', async () => {
  await withFolder(async (folder) => {
    const file = join(folder, 'keys.sqlite');
    const good = newToken('test', pepper);
    const revoked = newToken('test', pepper);
    const live = newToken('live', pepper);
    writeFirstLayout(file, [
      { id: 'good', environment: 'test', token: good, revokedAt: null },
      { id: 'revoked', environment: 'test', token: revoked, revokedAt: '2026-01-02T00:00:00.000Z' },
      { id: 'live', environment: 'live', token: live, revokedAt: null },
    ]);
    const main = join(repositoryRoot, 'gateway/dist/keys-main.js');
    const list = () =>
      promisify(execFile)(process.execPath, [main, 'list', '--json', '--data', folder], {
        env: { PATH: process.env['PATH'], KEY_PEPPER: pepper },
      });
    const outputs = await Promise.all([list(), list(), list()]);
    for (const { stdout } of outputs)
      expect((JSON.parse(stdout) as { id: string }[]).map(({ id }) => id)).toEqual(['good', 'live', 'revoked']);
    const keys = openKeys({ file, pepper });
    expect(
      await Promise.all([good, revoked, live].map(async (token) => (await keys.authenticate(token, 'test')).kind)),
    ).toEqual(['caller', 'unknown', 'other-environment']);
    expect(await keys.show('good')).toEqual({
      id: 'good',
      environment: 'test',
      email: 'Ä@example.org',
      name: 'A',
      last4: good.slice(-4),
      requestsPerDay: null,
      requestsPerMinute: null,
      addresses: null,
      documents: 'any',
      grants: '',
      createdAt: '2026-01-01T00:00:00.000Z',
      expiresAt: null,
      oldLast4: null,
      oldUntil: null,
      revokedAt: null,
    });
    const rotated = await keys.rotate('good', 'olga', { overlap: '1d' });
    for (const token of [good, rotated.token])
      expect(await keys.authenticate(token, 'test')).toMatchObject({ kind: 'caller', key: { id: 'good' } });
    await expect(issueKey(keys, { email: 'ä@EXAMPLE.org' })).rejects.toThrow(/has a test key already/);
    await keys.submitRequest({ email: 'new@example.org', name: 'New', description: 'A plan.', environment: 'test' });
    expect((await keys.approve((await keys.requests())[0]?.id ?? '', 'olga')).state).toBe('approved');
    await keys.close();
  });
});

test('openKeys rejects a SQLite key store with a newer table layout, and its error says which layouts this version can read', async () => {
  await withFolder(async (folder) => {
    const file = join(folder, 'keys.sqlite');
    await openKeys({ file, pepper }).close();
    const db = new Database(file);
    db.pragma('user_version = 99');
    db.close();
    expect(() => openKeys({ file, pepper })).toThrow(/it has layout 99, this version of Lectern reads 1 to 7/);
  });
});

/** Writes a key store with the tables of the first layout. All keys have the address Ä@example.org. */
function writeFirstLayout(
  file: string,
  keys: { id: string; environment: string; token: string; revokedAt: string | null }[],
): void {
  const db = new Database(file);
  db.exec(`CREATE TABLE api_key (id TEXT PRIMARY KEY, environment TEXT NOT NULL CHECK (environment IN ('live', 'test')), email TEXT NOT NULL, address TEXT NOT NULL, name TEXT NOT NULL,
    digest BLOB NOT NULL UNIQUE, last4 TEXT NOT NULL, created_at TEXT NOT NULL, revoked_at TEXT) STRICT;
    CREATE UNIQUE INDEX one_key_an_address ON api_key (address, environment) WHERE revoked_at IS NULL;
    PRAGMA user_version = 1;`);
  db.pragma('journal_mode = WAL');
  const insert = db.prepare(
    "INSERT INTO api_key VALUES (@id, @environment, 'Ä@example.org', 'ä@example.org', 'A', @digest, @last4, '2026-01-01T00:00:00.000Z', @revokedAt)",
  );
  for (const { token, ...key } of keys)
    insert.run({
      ...key,
      digest: createHmac('sha256', pepper).update(`digest:${token}`).digest(),
      last4: token.slice(-4),
    });
  db.close();
}

/** Generates an API key. All versions of Lectern use the same format of keys. */
function newToken(environment: string, secret: string): string {
  const body = `svc_${environment}_${randomBytes(32).toString('base64url')}`;
  return body + createHmac('sha256', secret).update(`check:${body}`).digest('base64url').slice(0, 6);
}
