import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readPepper } from '@lectern/keys';
import { repositoryRoot, withFolder } from '@lectern/testing';
import { createRequests, runKeys, runKeysJson, runKeysWithEnv } from '../support/keys-command';

const holder = ['--email', 'dev@example.org', '--name', 'Dev'];

test('the command keys list shows an issued key without its token, and the command keys revoke revokes this key only once', async () => {
  await withFolder(async (folder) => {
    const { id, token } = await runKeysJson(folder, 'issue', ...holder);
    const list = (await runKeys(folder, 'list')).stdout;
    expect([list.includes('dev@example.org'), list.includes(String(token))]).toEqual([true, false]);
    const revoked = await runKeys(folder, 'revoke', String(token).slice(-4));
    expect([revoked.code, revoked.stdout]).toEqual([0, expect.stringContaining('Revoked')]);
    expect(await runKeys(folder, 'revoke', String(id))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('revoked already'),
    });
    expect(await runKeysJson(folder, 'list')).toMatchObject([
      { email: 'dev@example.org', revokedAt: expect.any(String) },
    ]);
  });
});

test('keys allow sets the limits of an active key, can restore the default daily limit, and rejects a revoked key', async () => {
  await withFolder(async (folder) => {
    const id = String((await runKeysJson(folder, 'issue', ...holder))['id']);
    expect(await runKeys(folder, 'allow', id, '--requests-per-day', '5000')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('5000 requests a day'),
    });
    expect(await runKeysJson(folder, 'show', id)).toMatchObject({ requestsPerDay: 5000 });
    expect(await runKeysJson(folder, 'allow', id, '--requests-per-day', 'default')).toMatchObject({
      requestsPerDay: null,
    });
    expect(await runKeys(folder, 'allow', id, '--requests-per-minute', '20')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('the default number of requests a day, 20 requests a minute'),
    });
    expect((await runKeys(folder, 'show', id)).stdout).toMatch(/^requestsPerDay +default\nrequestsPerMinute +20$/m);
    expect((await runKeys(folder, 'audit')).stdout).toContain('the default number of requests a day, before 5000');
    await runKeys(folder, 'revoke', id);
    expect(await runKeys(folder, 'allow', id, '--requests-per-day', '1')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is revoked'),
    });
  });
});

test('keys grant and keys withdraw change what a key may read, and withdraw rejects a missing grant', async () => {
  await withFolder(async (folder) => {
    const { id, token } = await runKeysJson(folder, 'issue', ...holder);
    expect(await runKeys(folder, 'grant', String(token).slice(-4), 'eng-own', 'deu-own')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Restricted translations: deu-own eng-own'),
    });
    expect((await runKeys(folder, 'list')).stdout).toContain('(may read deu-own eng-own)');
    expect(await runKeysJson(folder, 'withdraw', String(id), 'eng-own')).toMatchObject({ grants: 'deu-own' });
    expect(await runKeys(folder, 'withdraw', String(id), 'deu-owm')).toMatchObject({
      code: 1,
      stderr: "The key has no grant for 'deu-owm'. It may read: deu-own\n",
    });
    expect((await runKeys(folder, 'audit')).stdout).toContain('deu-own, before deu-own eng-own');
  });
});

test('the command keys revoke takes a key as keys list prints it, in its environment only', async () => {
  await withFolder(async (folder) => {
    const { id, last4 } = await runKeysJson(folder, 'issue', ...holder);
    expect((await runKeys(folder, 'list')).stdout).toContain(`${id}  svc_test_...${last4}  `);
    expect(await runKeys(folder, 'revoke', `svc_live_...${last4}`)).toMatchObject({ code: 1 });
    expect(await runKeys(folder, 'revoke', `svc_test_...${last4}`)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`Revoked: ${id}`),
    });
  });
});

test('with invalid mail settings, the commands keys issue and keys list succeed, and keys approve exits with status 1', async () => {
  await withFolder(async (folder) => {
    const [request = ''] = await createRequests(folder, 1);
    for (const env of [{ SMTP_URL: 'smtp://mail.example.org' }, { SMTP_URL: 'nonsense', PUBLIC_URL: 'nonsense' }]) {
      await runKeysWithEnv(env, 'issue', ...holder, '--data', folder);
      const list = await runKeysWithEnv(env, 'list', '--data', folder);
      expect([list.code, list.stderr, list.stdout.includes('dev@example.org')]).toEqual([0, '', true]);
      expect(await runKeysWithEnv(env, 'approve', request, '--data', folder)).toMatchObject({ code: 1 });
    }
  });
});

test('the command keys warns if active keys were issued with another pepper (secret), until they are revoked or rotated', async () => {
  await withFolder(async (folder) => {
    const issue = (pepper: string, email: string) =>
      runKeysWithEnv(
        { KEY_PEPPER: pepper.repeat(40) },
        'issue',
        '--email',
        email,
        '--name',
        'A',
        '--json',
        '--data',
        folder,
      );
    const [first, second] = [await issue('a', 'a@example.org'), await issue('b', 'b@example.org')];
    const { id } = JSON.parse(first.stdout) as { id: string };
    expect(first.stderr).toBe('');
    expect(second.stderr).toContain(`Key ${id} and perhaps more were issued with another secret`);
    const run = (...args: string[]) => runKeysWithEnv({ KEY_PEPPER: 'b'.repeat(40) }, ...args, '--data', folder);
    expect((await run('list')).stderr).toBe(second.stderr);
    expect((await run('rotate', id)).stderr).toBe('');
    expect((await run('list')).stderr).toBe('');
  });
});

test('the commands keys issue and keys allow say which limit a server with one address meets first, and how to raise it', async () => {
  await withFolder(async (folder) => {
    const issued = (await runKeys(folder, 'issue', ...holder, '--requests-per-minute', '600')).stdout;
    const [id = ''] = /[0-9a-f-]{36}/.exec(issued) ?? [];
    expect(issued).toContain(
      `A server with one address meets the limit of its address first. The key has 600 requests a minute, an address RATE_PER_MINUTE (default 100). To raise it: npm run keys -- allow ${id} --addresses ADDRESS=N`,
    );
    const named = await runKeys(folder, 'allow', id, '--addresses', '203.0.113.7=600,2001:db8::1=600');
    expect(named.stdout).toContain('(default 100), but with this key 203.0.113.7=600 2001:db8::/64=600.');
    const low = await runKeys(folder, 'allow', id, '--requests-per-minute', '50', '--addresses', 'none');
    expect(low.stdout).toContain('A server with one address meets the limit of its key first.');
    expect(await runKeysJson(folder, 'show', id)).toMatchObject({ addresses: null, requestsPerMinute: 50 });
    expect((await runKeys(folder, 'issue', '--email', 'b@example.org', '--name', 'B')).stdout).not.toContain(
      'address ',
    );
  });
});

test('the option --operator of the command keys names the operator in the audit log', async () => {
  await withFolder(async (folder) => {
    const { id } = await runKeysJson(folder, 'issue', ...holder, '--operator', 'olga');
    await runKeys(folder, '--operator', 'Łukasz', 'revoke', String(id));
    expect(await runKeysJson(folder, 'audit')).toMatchObject([{ by: 'Łukasz (command)' }, { by: 'olga (command)' }]);
  });
});

test('the command keys rotate --overlap prints until when the old key works, and keys list shows it', async () => {
  await withFolder(async (folder) => {
    const { id, token, last4 } = await runKeysJson(folder, 'issue', ...holder);
    const rotated = await runKeys(folder, 'rotate', String(last4), '--overlap', '7d');
    expect(rotated.stdout).toMatch(new RegExp(`\\(${id}\\); the old one \\(\\.\\.\\.${last4}\\) works until 20`));
    expect((await runKeys(folder, 'list')).stdout).toContain(`(...${last4} until 20`);
    expect(await runKeysJson(folder, 'show', String(token))).toMatchObject({ id, oldLast4: last4, state: 'active' });
    expect((await runKeys(folder, 'rotate', String(id))).stdout).toContain(`(${id}); the old one is rejected now.`);
    expect(await runKeysJson(folder, 'show', String(id))).toMatchObject({ oldLast4: null, oldUntil: null });
  });
});

test('keys list shows no old text of a revoked key as valid', async () => {
  await withFolder(async (folder) => {
    const { id, last4 } = await runKeysJson(folder, 'issue', ...holder);
    await runKeys(folder, 'rotate', String(id), '--overlap', '7d');
    await runKeys(folder, 'revoke', String(id));
    expect((await runKeys(folder, 'list')).stdout).not.toContain(`...${last4} until`);
  });
});

test('the command keys issue --expires prints when the key stops working, and keys list shows it', async () => {
  await withFolder(async (folder) => {
    const until = new Date(Date.now() + 90 * 86_400_000).toISOString().slice(0, 10);
    const issued = await runKeys(folder, 'issue', ...holder, '--expires', until);
    expect(issued.stdout).toContain(`, until ${until}T00:00:00.000Z.`);
    expect((await runKeys(folder, 'list')).stdout).toContain(
      `active   dev@example.org  Dev  (expires ${until}T00:00Z)`,
    );
    expect(await runKeysJson(folder, 'list')).toMatchObject([{ state: 'active', expiresAt: `${until}T00:00:00.000Z` }]);
  });
});

test('--trusted-documents of keys issue and keys approve restricts the key, even after keys rotate', async () => {
  await withFolder(async (folder) => {
    const issued = await runKeysJson(folder, 'issue', '--trusted-documents', ...holder);
    expect(issued['documents']).toBe('trusted');
    expect(await runKeysJson(folder, 'issue', '--email', 'app@example.org', '--name', 'App')).toMatchObject({
      documents: 'any',
    });
    const lines = (await runKeys(folder, 'list')).stdout.trim().split('\n');
    expect(lines.map((line) => line.includes('trusted documents only'))).toEqual([true, false]);
    expect(await runKeysJson(folder, 'rotate', String(issued['id']))).toMatchObject({ documents: 'trusted' });
    const [request = ''] = await createRequests(folder, 1);
    const { keyId } = await runKeysJson(folder, 'approve', request, '--trusted-documents');
    expect(await runKeysJson(folder, 'show', String(keyId))).toMatchObject({ documents: 'trusted' });
    expect(await runKeys(folder, 'issue', '--trusted-documents', 'yes', ...holder)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Remove 'yes'"),
    });
    expect(await runKeys(folder, 'list', '--trusted-documents')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("unknown option '--trusted-documents'"),
    });
  });
});

test('the commands keys list, revoke and requests exit with status 1 and create no file if the key store is missing', async () => {
  await withFolder(async (folder) => {
    const mistyped = join(folder, 'dta');
    for (const args of [['list'], ['revoke', 'zzzz'], ['requests']]) {
      expect(await runKeys(mistyped, ...args)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(
          new RegExp(`no file ${join(mistyped, 'keys.sqlite')}\\.[^]*npm run keys -- issue[^]*--data or LECTERN_DATA`),
        ),
      });
    }
    expect(readdirSync(folder)).toEqual([]);
    expect((await runKeys(mistyped, 'issue', '--email', 'a@example.org', '--name', 'A')).code).toBe(0);
    expect(await runKeys(mistyped, 'list')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('a@example.org'),
    });
  });
});

test('if the key store is unusable, the command keys exits with status 1 and prints how to repair the key store', async () => {
  await withFolder(async (folder) => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect(await runKeys(file, 'issue', '--email', 'a@example.org', '--name', 'A')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/file\/key-pepper can neither be read nor made [^\n]*LECTERN_DATA\.\n$/),
    });
    readPepper({ setting: undefined, file: join(folder, 'key-pepper') });
    mkdirSync(join(folder, 'keys.sqlite'));
    expect(await runKeys(folder, 'list')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/keys\.sqlite cannot be used [^\n]*permissions[^\n]*LECTERN_DATA\.\n$/),
    });
    rmdirSync(join(folder, 'keys.sqlite'));
    writeFileSync(join(folder, 'keys.sqlite'), 'These are no keys, and this is no database.');
    expect(await runKeys(folder, 'list')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/keys\.sqlite cannot be used [^\n]*backup\.\n$/),
    });
  });
});

test('the command keys exits with 1 if the pepper of existing keys is missing, and creates no new pepper', async () => {
  await withFolder(async (folder) => {
    await createRequests(folder, 1);
    rmSync(join(folder, 'key-pepper'));
    for (const args of [['list'], ['issue', '--email', 'a@example.org', '--name', 'A']]) {
      expect(await runKeys(folder, ...args)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/key-pepper is missing, [^\n]*backup[^\n]*KEY_PEPPER[^\n]*\n$/),
      });
    }
    expect(readdirSync(folder)).not.toContain('key-pepper');
  });
});

test('keys lists, approves, rejects and resends requests, prints JSON, and keys audit lists this newest first', async () => {
  await withFolder(async (folder) => {
    const [first = '', second = ''] = await createRequests(folder, 2);
    expect((await runKeys(folder, 'requests', '--state', 'pending')).stdout.trim().split('\n')).toEqual([
      expect.stringMatching(`^${first} .* pending .* 1@example.org  Nº 1$`),
      expect.stringContaining(second),
    ]);
    expect((await runKeys(folder, 'requests', first)).stdout).toContain(
      'for          A plan.\n             For two.\n',
    );
    expect(await runKeysJson(folder, 'approve', first)).toMatchObject({
      id: first,
      state: 'approved',
      decidedBy: 'command',
      deliveryError: null,
    });
    expect(await runKeys(folder, 'reject', first, '--reason', 'No.')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/approved already, by command at 20/),
    });
    expect(await runKeys(folder, 'reject', second, '--reason', 'No.')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('The mail to 2@example.org is handed over.'),
    });
    expect((await runKeysJson(folder, 'resend', first))['keyId']).not.toBeNull();
    expect(readdirSync(join(folder, 'outbox'))).toHaveLength(3);
    const request = await runKeysJson(folder, 'requests', first);
    const rotated = await runKeysJson(folder, 'rotate', String(request['keyId']));
    expect(await runKeysJson(folder, 'show', String(rotated['token']))).toMatchObject({
      id: rotated['id'],
      revokedAt: null,
    });
    const audit = (await runKeysJson(folder, 'audit')) as unknown as { act: string }[];
    expect(audit.map(({ act }) => act)).toEqual(['rotate', 'resend', 'reject', 'approve', 'request', 'request']);
    expect((await runKeys(folder, 'audit', '--limit', '1')).stdout.trim().split('\n')).toEqual([
      expect.stringContaining('rotate'),
    ]);
  });
});

test('the command keys approve exits with status 1 if the email cannot be sent, and prints how to send the email again', async () => {
  await withFolder(async (folder) => {
    const [id = ''] = await createRequests(folder, 1);
    writeFileSync(join(folder, 'outbox'), 'where the folder should be');
    expect(await runKeys(folder, 'approve', id)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        new RegExp(`approved, not delivered[^]*did not go out: [^]*npm run keys -- resend ${id}`),
      ),
    });
    expect((await runKeys(folder, 'requests')).stdout).toContain('approved, not delivered');
  });
});

test('the program gateway/dist/keys-main.js runs the command keys, prints its output and exits with the status of the command', async () => {
  await withFolder((folder) => {
    const spawnKeys = (...args: string[]) =>
      spawnSync(process.execPath, [join(repositoryRoot, 'gateway/dist/keys-main.js'), ...args, '--data', folder], {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'] },
      });
    const issued = spawnKeys('issue', ...holder, '--json');
    expect([issued.status, issued.stderr]).toEqual([0, '']);
    expect(JSON.parse(issued.stdout)).toMatchObject({ email: 'dev@example.org', revokedAt: null });
    expect(spawnKeys('list', '--wrong')).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining("unknown option '--wrong'"),
    });
  });
});
