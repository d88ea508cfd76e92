import { copyFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { KeyStoreUnavailableError, openKeys } from '@lectern/keys';
import { graphqlHeaders, send, withFolder } from '@lectern/testing';
import Database from 'better-sqlite3';
import { issueKey, pepper, startEmbeddedLectern } from '../support/embedded-lectern';
import { waitUntil } from '../support/processes';

const body = JSON.stringify({ query: '{ translation(identifier: "eng-web") { abbrev } }' });

test('after its SQLite file was replaced, an open key store fails lookups and writes with KeyStoreUnavailableError until the original file is back', async () => {
  await withFolder(async (folder) => {
    const file = join(folder, 'keys.sqlite');
    const keys = openKeys({ file, pepper });
    const { token } = await issueKey(keys);
    renameSync(file, `${file}.old`);
    copyFileSync(`${file}.old`, file);
    const lookUp = async () => (await keys.authenticate(token, 'test')).kind;
    await waitUntil(() =>
      lookUp().then(
        () => false,
        (error: unknown) => error instanceof KeyStoreUnavailableError,
      ),
    );
    await expect(keys.revoke(token, 'a test')).rejects.toThrow(
      `The key store ${file} was replaced or removed while it was open. Stop every process that uses it, delete ${file}-wal and ${file}-shm, then start again.`,
    );
    renameSync(`${file}.old`, file);
    await waitUntil(() =>
      lookUp().then(
        (kind) => kind === 'caller',
        () => false,
      ),
    );
    await keys.close();
  });
});

test('once the key store is reopened on a replacement of its SQLite file, POST /graphql responds 401 to a key that is revoked in the replacement', async () => {
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
    const service = await startEmbeddedLectern({ keys: reopened });
    try {
      const statusOf = async (token: string) =>
        (await send(service.url, { headers: graphqlHeaders(token), body })).status;
      expect([await statusOf(leaked.token), await statusOf(other.token)]).toEqual([401, 200]);
    } finally {
      await service.close();
      await reopened.close();
    }
  });
});

test('if the SQLite file of a key store was moved, keys.close saves its changes there, and keeps the -wal and -shm files of the new store at the old path', async () => {
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
    const lookUp = async () => (await keys.authenticate(token, 'test')).kind;
    renameSync(dataFolder, `${dataFolder}.old`);
    writeFileSync(dataFolder, 'A file has the path of the folder, so that stat fails with ENOTDIR.');
    await waitUntil(() =>
      lookUp().then(
        () => false,
        () => true,
      ),
    );
    // The key store checks the file at most once in 100 ms. So at least one of these lookups is
    // rejected because of an earlier check.
    for (const _ of [1, 2])
      await expect(lookUp()).rejects.toMatchObject({
        name: 'KeyStoreUnavailableError',
        message: expect.stringMatching(/cannot be checked \(ENOTDIR/),
      });
    rmSync(dataFolder);
    renameSync(`${dataFolder}.old`, dataFolder);
    await waitUntil(() =>
      lookUp().then(
        (kind) => kind === 'caller',
        () => false,
      ),
    );
    await keys.close();
  });
});
