import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { openKeys } from '@lectern/keys';
import {
  createGraphqlClient,
  dataDir,
  graphqlHeaders,
  repositoryRoot,
  send,
  useStarted,
  withFolder,
} from '@lectern/testing';
import { issueKey, pepper, startEmbeddedLectern } from '../support/embedded-lectern';

const lectern = useStarted(startEmbeddedLectern);

const query = '{ translation(identifier: "eng-web") { abbrev } }';
const status = async (token: string) =>
  (await send(lectern.url, { headers: graphqlHeaders(token), body: JSON.stringify({ query }) })).status;
const errorMessage = async (token: string) =>
  (await createGraphqlClient(lectern.url, token)(query)).errors?.[0]?.message;

test('POST /graphql rejects a key at once after another connection to the key store has revoked the key', async () => {
  const { key, token } = await issueKey(lectern.keys, { email: 'elsewhere@example.org' });
  expect(await status(token)).toBe(200);
  const other = openKeys({ file: lectern.keysFile, pepper });
  await other.revoke(key.id, 'a test');
  await other.close();
  expect(await status(token)).toBe(401);
});

test('POST /graphql of a test gateway rejects an active live key as not valid for this environment, but a revoked live key as unknown', async () => {
  const { key, token } = await issueKey(lectern.keys, { email: 'tester@example.org', environment: 'live' });
  expect([await status(token), await errorMessage(token)]).toEqual([401, 'API key not valid for this environment']);
  await lectern.keys.revoke(key.last4, 'a test');
  expect(await errorMessage(token)).toBe('Invalid or missing API key');
});

test('keys.issue creates only one active key per environment for an email address, whether it is written in upper or lower case', async () => {
  const first = await issueKey(lectern.keys, { email: 'Reader@Example.org' });
  await expect(issueKey(lectern.keys, { email: 'reader@example.ORG' })).rejects.toThrow(/has a test key already/);
  await issueKey(lectern.keys, { email: 'reader@example.ORG', environment: 'live' });
  await lectern.keys.revoke(first.token, 'a test');
  expect((await issueKey(lectern.keys, { email: 'reader@example.ORG' })).token).not.toBe(first.token);
});

test('POST /graphql responds "Invalid or missing API key" to a key that was issued with another pepper (the secret of the key store)', async () => {
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

test('keys.issue treats two spellings of an email address outside ASCII as the same if they differ only in case or Unicode normalization', async () => {
  await issueKey(lectern.keys, { email: 'Ärger@example.org' });
  await expect(issueKey(lectern.keys, { email: 'a\u0308rger@example.org' })).rejects.toThrow(/has a test key already/);
});

test.each([
  ['a Chinese full stop', 'ada@example。org'],
  ['a soft hyphen', 'ada@exam\u00adple.org'],
  ['a fullwidth letter', 'ada@ｅxample.org'],
])(
  'keys.issue rejects a second key for an email address whose domain is the same but written with %s',
  async (_, email) => {
    await issueKey(lectern.keys, { email: 'ada@example.org' }).catch(() => undefined);
    await expect(issueKey(lectern.keys, { email })).rejects.toThrow(/has a test key already/);
  },
);

test('keys.issue treats a domain in Unicode and its ASCII form (xn--) as one domain', async () => {
  await issueKey(lectern.keys, { email: 'ada@exämple.org' });
  await expect(issueKey(lectern.keys, { email: 'ada@xn--exmple-cua.org' })).rejects.toThrow(/has a test key already/);
});

test('only its owner can read the file of a key store, and openKeys rejects a damaged or foreign file with an error that names the path', async () => {
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

test('three threads that create the missing file of the pepper (the secret of the key store) at the same time all read the same pepper', async () => {
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

const invalidAddresses = [
  '',
  'nobody',
  'a@b@c',
  'a b@c.d',
  'a@b\r\nBcc: c@d',
  `${'x'.repeat(260)}@example.org`,
  'a@<b>',
];
test.each(invalidAddresses.map((email) => [email.slice(0, 30), email]))(
  'keys.issue rejects %j, which is not an email address',
  async (_, email) => {
    await expect(issueKey(lectern.keys, { email })).rejects.toThrow(/not an email address/);
  },
);
