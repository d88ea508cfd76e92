import { copyFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Keys } from '@lectern/keys';
import { KeyStoreUnavailableError, keysSettings, openKeys, openKeysFromSettings } from '@lectern/keys';
import { readSettings, silentLogger } from '@lectern/serving';
import { withFolder } from '@lectern/testing';
import Database from 'better-sqlite3';
import { issueKey, pepper } from '../support/embedded-lectern';
import { waitUntil } from '../support/processes';

/** Looks up an API key. Resolves with the kind of the result, or with the error of the lookup. */
const lookUp = async (keys: Keys, token: string): Promise<unknown> => {
  try {
    return (await keys.authenticate(token, 'test')).kind;
  } catch (error) {
    return error;
  }
};
const untilAccepted = (keys: Keys, token: string) => waitUntil(async () => (await lookUp(keys, token)) === 'caller');
const untilUnavailable = (keys: Keys, token: string) =>
  waitUntil(async () => (await lookUp(keys, token)) instanceof KeyStoreUnavailableError);

test('a key store whose SQLite file was replaced fails lookups and writes until the original file is back', async () => {
  await withFolder(async (folder) => {
    const file = join(folder, 'keys.sqlite');
    const keys = openKeys({ file, pepper });
    const { token } = await issueKey(keys);
    renameSync(file, `${file}.old`);
    copyFileSync(`${file}.old`, file);
    await untilUnavailable(keys, token);
    await expect(keys.revoke(token, 'a test')).rejects.toThrow(
      `The key store ${file} was replaced or removed while it was open. Stop every process that uses it, delete ${file}-wal and ${file}-shm, then start again.`,
    );
    renameSync(`${file}.old`, file);
    await untilAccepted(keys, token);
    await keys.close();
  });
});

test('a key store that is reopened on a replacement of its SQLite file rejects a key that is revoked in the replacement', async () => {
  await withFolder(async (folder) => {
    const [file, newFile] = [join(folder, 'keys.sqlite'), join(folder, 'new.sqlite')];
    const keys = openKeys({ file, pepper });
    const leaked = await issueKey(keys, { email: 'leaked@example.org' });
    const other = await issueKey(keys, { email: 'other@example.org' });
    const source = new Database(file);
    await source.backup(newFile);
    source.close();
    const changed = new Database(newFile);
    changed.pragma('journal_mode = DELETE');
    changed.prepare("UPDATE api_key SET revoked_at = '2026-01-01T00:00:00.000Z' WHERE id = ?").run(leaked.key.id);
    changed.close();
    renameSync(newFile, file);
    await keys.close();
    const reopened = openKeys({ file, pepper });
    expect([await lookUp(reopened, leaked.token), await lookUp(reopened, other.token)]).toEqual(['unknown', 'caller']);
    await reopened.close();
  });
});

test("if the SQLite file was moved, keys.close saves its changes there, and keeps the new store's -wal and -shm", async () => {
  await withFolder(async (folder) => {
    const file = join(folder, 'keys.sqlite');
    const keys = openKeys({ file, pepper });
    const { token } = await issueKey(keys);
    await keys.revoke(token, 'a test');
    renameSync(file, `${file}.old`);
    renameSync(`${file}-wal`, `${file}.old-wal`);
    renameSync(`${file}-shm`, `${file}.old-shm`);
    const newKeys = openKeys({ file, pepper });
    await keys.close();
    expect(readdirSync(folder)).toEqual(expect.arrayContaining(['keys.sqlite-shm', 'keys.sqlite-wal']));
    await newKeys.close();
    renameSync(file, `${file}.new`);
    rmSync(`${file}.old-wal`);
    rmSync(`${file}.old-shm`);
    renameSync(`${file}.old`, file);
    const reopened = openKeys({ file, pepper });
    expect((await reopened.list()).map(({ revokedAt }) => typeof revokedAt)).toEqual(['string']);
    await reopened.close();
  });
});

test('while the folder of its SQLite file cannot be read, an open key store fails lookups with KeyStoreUnavailableError', async () => {
  await withFolder(async (folder) => {
    const dataFolder = join(folder, 'data');
    const keys = openKeys({ file: join(dataFolder, 'keys.sqlite'), pepper });
    const { token } = await issueKey(keys);
    renameSync(dataFolder, `${dataFolder}.old`);
    writeFileSync(dataFolder, 'A file has the path of the folder, so that stat fails with ENOTDIR.');
    await untilUnavailable(keys, token);
    // The key store checks the file at most once in 100 ms. So at least one of these lookups is
    // rejected because of an earlier check.
    for (const _ of [1, 2])
      expect(await lookUp(keys, token)).toMatchObject({
        name: 'KeyStoreUnavailableError',
        message: expect.stringMatching(/cannot be checked \(ENOTDIR/),
      });
    rmSync(dataFolder);
    renameSync(`${dataFolder}.old`, dataFolder);
    await untilAccepted(keys, token);
    await keys.close();
  });
});

/**
 * Opens a key store, locks its SQLite file with another connection, and calls `act`. The file is
 * locked until `act` calls `unlock`, at the latest until `act` has ended.
 */
async function withLockedKeys(act: (keys: Keys, unlock: () => void) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const file = join(folder, 'keys.sqlite');
    const keys = openKeys({ file, pepper });
    const other = new Database(file);
    other.exec('BEGIN IMMEDIATE');
    try {
      await act(keys, () => other.exec('COMMIT'));
    } finally {
      other.close();
      await keys.close();
    }
  });
}

const record = (keys: Keys, note: string) =>
  keys.record({ by: 'a test', act: 'sign-in', keyId: null, requestId: null, note });

test('writes that wait for a locked SQLite file are executed in the order of their requests', async () => {
  await withLockedKeys(async (keys, unlock) => {
    const waiting = ['first', 'second'].map((note) => record(keys, note));
    await setImmediate();
    unlock();
    await Promise.all([...waiting, record(keys, 'third')]);
    expect((await keys.audit(10)).map(({ note }) => note)).toEqual(['third', 'second', 'first']);
  });
});

test('while several writes wait for a locked SQLite file, only the first of them tries to lock the file', async () => {
  await withLockedKeys(async (keys, unlock) => {
    const attempts = jest.spyOn(Database.prototype, 'transaction');
    try {
      const waiting = Array.from({ length: 20 }, (_, index) => record(keys, `${index}`));
      await setImmediate();
      const attemptsWhileLocked = attempts.mock.calls.length;
      unlock();
      await Promise.all(waiting);
      expect(attemptsWhileLocked).toBe(1);
    } finally {
      attempts.mockRestore();
    }
  });
});

test('a write that waits for a locked SQLite file is rejected with KeyStoreUnavailableError after keys.close', async () => {
  await withLockedKeys(async (keys) => {
    const waiting = record(keys, 'late').catch((error: unknown) => error);
    await setImmediate();
    await keys.close();
    expect(await waiting).toBeInstanceOf(KeyStoreUnavailableError);
    await expect(keys.list()).rejects.toThrow(KeyStoreUnavailableError);
  });
});

/** Creates the message by which PostgreSQL, or PgBouncer, rejects a connection. */
function errorResponse(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.from('E    ');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

test.each(['unsupported startup parameter: statement_timeout', 'no such database: lectern'])(
  'if PgBouncer rejects a connection, openKeysFromSettings rejects with the message of PgBouncer: %s',
  async (message) => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(errorResponse('08P01', message)));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await withFolder(async (folder) => {
      const env = {
        LECTERN_DATA: folder,
        KEY_PEPPER: pepper,
        DATABASE_URL: `postgres://lectern:not-for-logs@127.0.0.1:${port}/lectern`,
      };
      const opening = openKeysFromSettings(readSettings(env, keysSettings), { log: silentLogger });
      // A running gateway responds 503 to a request whose key lookup rejects with this error.
      await expect(opening).rejects.toThrow(KeyStoreUnavailableError);
      await expect(opening).rejects.toThrow(
        `The key store at 127.0.0.1:${port}/lectern rejected the connection: ${message}. docs/run.md says what PgBouncer needs.`,
      );
    });
    await new Promise<void>((resolve) => server.close(() => resolve()));
  },
);
