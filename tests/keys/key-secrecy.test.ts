import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { openKeys } from '@lectern/keys';
import { createGraphqlClient, dataDir, repositoryRoot, useStarted, withFolder } from '@lectern/testing';
import { issueKey, pepper, startEmbeddedLectern } from '../support/embedded-lectern';
import { graphqlStatus } from '../support/graphql-status';

const lectern = useStarted(startEmbeddedLectern);

const status = (token: string) => graphqlStatus(lectern.url, token);
const errorMessage = async (token: string) =>
  (await createGraphqlClient(lectern.url, token)('{ __typename }')).errors?.[0]?.message;

test('a key is rejected at once after another connection has revoked it, even if the response is cached', async () => {
  const { key, token } = await issueKey(lectern.keys, { email: 'elsewhere@example.org' });
  expect([await status(token), await status(token)]).toEqual([200, 200]);
  const other = openKeys({ file: lectern.keysFile, pepper });
  await other.revoke(key.id, 'a test');
  await other.close();
  expect(await status(token)).toBe(401);
});

test('a test gateway rejects an active live key as not valid for this environment, but a revoked one as unknown', async () => {
  const { key, token } = await issueKey(lectern.keys, { email: 'tester@example.org', environment: 'live' });
  expect([await status(token), await errorMessage(token)]).toEqual([401, 'API key not valid for this environment']);
  await lectern.keys.revoke(key.last4, 'a test');
  expect(await errorMessage(token)).toBe('Invalid or missing API key');
});

test('a key that was issued with another pepper, the secret of the key store, gets "Invalid or missing API key"', async () => {
  await withFolder(async (folder) => {
    const other = openKeys({
      file: join(folder, 'keys.sqlite'),
      pepper: 'another pepper, just as long as the first one',
    });
    const { token } = await issueKey(other);
    await other.close();
    expect(await errorMessage(token)).toBe('Invalid or missing API key');
  });
});

test('with another pepper (the secret of the key store), openKeys lists the keys of a SQLite file but accepts none of them', async () => {
  await withFolder(async (folder) => {
    const file = join(folder, 'keys.sqlite');
    const withOtherPepper = () => openKeys({ file, pepper: 'another pepper, just as long as the first one' });
    const first = withOtherPepper();
    expect(await first.list()).toEqual([]);
    await first.close();
    const keys = openKeys({ file, pepper });
    const { token, key } = await issueKey(keys);
    const other = withOtherPepper();
    expect([await other.list(), await other.authenticate(token, 'test')]).toEqual([[key], { kind: 'unknown' }]);
    expect(await keys.authenticate(token, 'test')).toEqual({ kind: 'caller', key });
    await Promise.all([keys.close(), other.close()]);
  });
});

test('the file of the key store contains neither the token of a key nor the pepper, and keys.list returns no token', async () => {
  await withFolder(async (folder) => {
    const file = join(folder, 'keys.sqlite');
    const keys = openKeys({ file, pepper });
    const { token } = await issueKey(keys);
    expect(token).toMatch(/^svc_test_[A-Za-z0-9_-]{49}$/);
    expect(JSON.stringify(await keys.list())).not.toContain(token.slice(9, 40));
    await keys.close();
    const bytes = spawnSync('cat', [file]).stdout.toString('latin1');
    expect(bytes).not.toContain(token.slice(9, 40));
    expect(bytes).not.toContain(pepper);
  });
});

test.each([
  ['letters outside ASCII in another case and Unicode normalization', 'Ärger@example.org', 'a\u0308rger@example.org'],
  ['a Chinese full stop in the domain', 'stop@example.org', 'stop@example。org'],
  ['a soft hyphen in the domain', 'hyphen@example.org', 'hyphen@exam\u00adple.org'],
  ['a fullwidth letter in the domain', 'wide@example.org', 'wide@ｅxample.org'],
  ['the ASCII form (xn--) of a Unicode domain', 'ada@exämple.org', 'ada@xn--exmple-cua.org'],
])('keys.issue rejects a second key for one email address that is written with %s', async (_, first, second) => {
  await issueKey(lectern.keys, { email: first });
  await expect(issueKey(lectern.keys, { email: second })).rejects.toThrow(/has a test key already/);
});

test('only its owner can read the file of a key store, and openKeys names the path of a damaged or foreign file', async () => {
  await withFolder(async (folder) => {
    const file = join(folder, 'keys.sqlite');
    await openKeys({ file, pepper }).close();
    expect(statSync(file).mode & 0o077).toBe(0);
    truncateSync(file, 5_000);
    expect(() => openKeys({ file, pepper })).toThrow(file);
    expect(() => openKeys({ file: folder, pepper })).toThrow(folder);
    const other = join(folder, 'text.sqlite');
    const text = join(dataDir, 'translations', 'eng-web', 'text.sqlite');
    copyFileSync(text, other);
    expect(() => openKeys({ file: other, pepper })).toThrow(/text\.sqlite cannot be used/);
    expect(readFileSync(other).equals(readFileSync(text))).toBe(true);
  });
});

test('three threads that create the missing file of the pepper at the same time all read the same pepper', async () => {
  await withFolder(async (folder) => {
    // Processes in different containers may have the same id. Threads stand in for them here,
    // because the threads of a process share its id.
    const program = `const { readPepper } = require(${JSON.stringify(join(repositoryRoot, 'packages/keys/dist/index.js'))});
      const seen = []; for (let index = 0; index < 300; index += 1) seen.push(readPepper({ setting: '', file: ${JSON.stringify(folder)} + '/' + index }));
      require('node:worker_threads').parentPort.postMessage(seen.join());`;
    const results = await Promise.all(
      [1, 2, 3].map(() => once(new Worker(program, { eval: true }), 'message') as Promise<[string]>),
    );
    expect(new Set(results.flat()).size).toBe(1);
  });
});
