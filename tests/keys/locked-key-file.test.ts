import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Keys } from '@lectern/keys';
import { KeyStoreUnavailableError, openKeys } from '@lectern/keys';
import { withFolder } from '@lectern/testing';
import Database from 'better-sqlite3';
import { pepper } from '../support/embedded-lectern';

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
