import { execFile, spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openKeys } from '@lectern/keys';
import { corpusFile, createAsk, graphqlHeaders, repositoryRoot, send, withFolder } from '@lectern/testing';
import { pepper, startLectern } from './lectern';
import type { Lectern } from './lectern';

let lectern: Lectern;
beforeAll(async () => {
  lectern = await startLectern();
});
afterAll(() => lectern.close());

const query = '{ translation(identifier: "eng-web") { abbrev } }';
const status = async (token: string) => (await send(lectern.url, { headers: graphqlHeaders(token), body: JSON.stringify({ query }) })).status;
const refusal = async (token: string) => (await createAsk(lectern.url, token)(query)).errors?.[0]?.message;

test('a revoked key is unknown from the next request on', async () => {
  const { key, token } = lectern.keys.issue({ email: 'leaving@example.org', name: 'Leaving', environment: 'test' });
  expect(await status(token)).toBe(200);
  lectern.keys.revoke(key.id);
  expect([await status(token), await refusal(token)]).toEqual([401, 'Invalid or missing API key']);
});

test('a revocation by another process holds at once', async () => {
  const { key, token } = lectern.keys.issue({ email: 'elsewhere@example.org', name: 'Elsewhere', environment: 'test' });
  expect(await status(token)).toBe(200);
  const other = openKeys({ file: lectern.keysFile, pepper });
  other.revoke(key.id);
  other.close();
  expect(await status(token)).toBe(401);
});

test('a live key is told apart from an unknown one while it is good, and not when it is revoked', async () => {
  const { key, token } = lectern.keys.issue({ email: 'tester@example.org', name: 'Tester', environment: 'live' });
  expect([await status(token), await refusal(token)]).toEqual([401, 'API key not valid for this environment']);
  lectern.keys.revoke(key.last4);
  expect(await refusal(token)).toBe('Invalid or missing API key');
});

test('an address has one good key in an environment, in any case of its letters; after a revocation it may have another', () => {
  const first = lectern.keys.issue({ email: 'Reader@Example.org', name: 'Reader', environment: 'test' });
  expect(() => lectern.keys.issue({ email: 'reader@example.ORG', name: 'Reader', environment: 'test' })).toThrow(/has a test key already/);
  lectern.keys.revoke(first.token);
  expect(lectern.keys.issue({ email: 'reader@example.ORG', name: 'Reader', environment: 'test' }).token).not.toBe(first.token);
});

test('a key made with another pepper is unknown here', async () => {
  await withFolder(async (folder) => {
    const other = openKeys({ file: join(folder, 'keys.sqlite'), pepper: 'another pepper, just as long as the first one' });
    const { token } = other.issue({ email: 'a@example.org', name: 'A', environment: 'test' });
    other.close();
    expect(await refusal(token)).toBe('Invalid or missing API key');
  });
});

test('neither a key nor what it is made with stands in the store', async () => {
  await withFolder((folder) => {
    const file = join(folder, 'keys.sqlite');
    const keys = openKeys({ file, pepper });
    const { token } = keys.issue({ email: 'a@example.org', name: 'A', environment: 'test' });
    expect(token).toMatch(/^svc_test_[A-Za-z0-9_-]{49}$/);
    expect(JSON.stringify(keys.list())).not.toContain(token.slice(9, 40));
    keys.close();
    const bytes = spawnSync('cat', [file]).stdout.toString('latin1');
    expect(bytes).not.toContain(token.slice(9, 40));
    expect(bytes).not.toContain(pepper);
  });
});

test('an address is one address also beyond ASCII', () => {
  lectern.keys.issue({ email: 'Ärger@example.org', name: 'A', environment: 'test' });
  expect(() => lectern.keys.issue({ email: 'a\u0308rger@example.org', name: 'A', environment: 'test' })).toThrow(/has a test key already/);
});

test('the store is its owner\'s alone, and one that is cut off or another program\'s is named', async () => {
  await withFolder((folder) => {
    const file = join(folder, 'keys.sqlite');
    openKeys({ file, pepper }).close();
    expect(statSync(file).mode & 0o077).toBe(0);
    truncateSync(file, 5_000);
    expect(() => openKeys({ file, pepper })).toThrow(file);
    expect(() => openKeys({ file: folder, pepper })).toThrow(folder);
    const other = join(folder, 'corpus.sqlite');
    copyFileSync(corpusFile, other);
    expect(() => openKeys({ file: other, pepper })).toThrow(/corpus\.sqlite cannot be used/);
    expect(readFileSync(other).equals(readFileSync(corpusFile))).toBe(true);
  });
});

test('of several processes that start at once on an empty folder, all come to hold the same secret', async () => {
  await withFolder(async (folder) => {
    const program = `const { readPepper } = require(${JSON.stringify(join(repositoryRoot, 'packages/keys/dist/index.js'))});
      const seen = []; for (let index = 0; index < 300; index += 1) seen.push(readPepper({ setting: '', file: ${JSON.stringify(folder)} + '/' + index }));
      console.log(require('node:crypto').createHash('sha256').update(seen.join()).digest('hex'));`;
    const outputs = await Promise.all([1, 2, 3].map(() => promisify(execFile)(process.execPath, ['-e', program])));
    expect(new Set(outputs.map(({ stdout }) => stdout)).size).toBe(1);
  });
});

test.each(['', 'nobody', 'a@b@c', 'a b@c.d', 'a@b\r\nBcc: c@d', `${'x'.repeat(260)}@example.org`, 'a@<b>'])('%j is no address to issue a key to', (email) => {
  expect(() => lectern.keys.issue({ email, name: 'X', environment: 'test' })).toThrow(/not an email address/);
});

describe('the command', () => {
  const run = (folder: string, ...args: string[]) => {
    const { status: code, stdout, stderr } = spawnSync(process.execPath, [join(repositoryRoot, 'packages/keys/dist/main.js'), ...args, '--data', folder], { encoding: 'utf8', env: { PATH: process.env['PATH'] } });
    return { code, stdout, stderr };
  };

  test('issues, lists and revokes; what another process did holds at once', async () => {
    await withFolder((folder) => {
      const issued = JSON.parse(run(folder, 'issue', '--email', 'dev@example.org', '--name', 'Dev', '--json').stdout) as { id: string; token: string };
      expect(run(folder, 'list').stdout).toContain('dev@example.org');
      expect(run(folder, 'list').stdout).not.toContain(issued.token);
      const revoked = run(folder, 'revoke', issued.token.slice(-4));
      expect([revoked.code, revoked.stdout]).toEqual([0, expect.stringContaining('Revoked')]);
      expect(run(folder, 'revoke', issued.id)).toMatchObject({ code: 1, stderr: expect.stringContaining('revoked already') });
      expect(JSON.parse(run(folder, 'list', '--json').stdout)).toMatchObject([{ email: 'dev@example.org', revokedAt: expect.any(String) }]);
    });
  });

  test.each([
    [[], 2, 'Which command?'],
    [['frobnicate'], 2, "Unknown command 'frobnicate'"],
    [['issue', '--email', 'a@example.org'], 2, '--name'],
    [['issue', '--email', 'a@example.org', '--name', 'A', '--environment', 'staging'], 2, 'live or test'],
    [['issue', '--email', 'nobody', '--name', 'A'], 1, 'not an email address'],
    [['revoke', 'zzzz'], 1, 'No key has'],
    [['revoke'], 2, 'needs the id'],
    [['list', '--wrong'], 2, '--wrong'],
  ])('%j ends with %d and says why', async (args, code, words) => {
    await withFolder((folder) => {
      expect(run(folder, ...args)).toMatchObject({ code, stderr: expect.stringContaining(words) });
    });
  });

  test('--help lists every command', async () => {
    await withFolder((folder) => {
      const { code, stdout } = run(folder, '--help');
      expect(code).toBe(0);
      for (const word of ['issue', 'list', 'revoke', '--environment', '--json', '--data']) expect(stdout).toContain(word);
    });
  });
});
