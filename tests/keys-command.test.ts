import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openKeys, readPepper, runKeysCommand } from '@lectern/keys';
import { repositoryRoot, withFolder } from '@lectern/testing';

const main = join(repositoryRoot, 'packages/keys/dist/main.js');

/** Runs the keys command in this process, on the keys in the folder. */
async function run(folder: string, ...args: string[]) {
  return runWith({}, ...args, '--data', folder);
}

async function runWith(env: NodeJS.ProcessEnv, ...args: string[]) {
  const output = { stdout: '', stderr: '' };
  const code = await runKeysCommand(args, {
    env,
    stdout: (text) => (output.stdout += text),
    stderr: (text) => (output.stderr += text),
  });
  return { code, ...output };
}

test('keys issue, list and revoke work on the same store, one after the other', async () => {
  await withFolder(async (folder) => {
    const issued = JSON.parse(
      (await run(folder, 'issue', '--email', 'dev@example.org', '--name', 'Dev', '--json')).stdout,
    ) as {
      id: string;
      token: string;
    };
    expect((await run(folder, 'list')).stdout).toContain('dev@example.org');
    expect((await run(folder, 'list')).stdout).not.toContain(issued.token);
    const revoked = await run(folder, 'revoke', issued.token.slice(-4));
    expect([revoked.code, revoked.stdout]).toEqual([0, expect.stringContaining('Revoked')]);
    expect(await run(folder, 'revoke', issued.id)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('revoked already'),
    });
    expect(JSON.parse((await run(folder, 'list', '--json')).stdout)).toMatchObject([
      { email: 'dev@example.org', revokedAt: expect.any(String) },
    ]);
  });
});

test('keys allow sets and resets the requests a day of an active key, and rejects a revoked key', async () => {
  await withFolder(async (folder) => {
    const { id } = JSON.parse(
      (await run(folder, 'issue', '--email', 'dev@example.org', '--name', 'Dev', '--json')).stdout,
    ) as {
      id: string;
    };
    expect(await run(folder, 'allow', id, '--requests-per-day', '5000')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('5000 requests a day'),
    });
    expect(JSON.parse((await run(folder, 'show', id, '--json')).stdout)).toMatchObject({ requestsPerDay: 5000 });
    expect(
      JSON.parse((await run(folder, 'allow', id, '--requests-per-day', 'default', '--json')).stdout),
    ).toMatchObject({
      requestsPerDay: null,
    });
    expect((await run(folder, 'audit')).stdout).toContain('as many as every key requests a day, before 5000');
    await run(folder, 'revoke', id);
    expect(await run(folder, 'allow', id, '--requests-per-day', '1')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is revoked'),
    });
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
  [['list', '--wrong'], 2, 'There is no option --wrong.\n\nUsage: npm run keys -- list'],
  [['--wrong'], 2, 'There is no option --wrong.\n\nUsage: npm run keys -- COMMAND'],
  [['list', '-x'], 2, 'There is no option -x.'],
  [['list', '--json=1'], 2, '--json takes no value.'],
  [['issue', '--email'], 2, '--email needs a value.'],
  [['issue', '--email', '--name', 'A'], 2, '--email needs a value.'],
  [['revoke', 'zzzz', '--environment'], 2, '--environment needs a value.'],
  [
    ['list', 'issue'],
    2,
    "Too many arguments: list takes none. Remove 'issue', because only one command can run at a time.",
  ],
  [['revoke', 'zzzz', 'yyyy'], 2, "Too many arguments: revoke takes one. Remove 'yyyy'."],
  [['allow'], 2, 'allow needs the id of a key and --requests-per-day N. See: keys list'],
  [['allow', 'zzzz', '--requests-per-day', ''], 2, "a whole number from 1 to 1000000000, or default, not ''"],
  [['allow', 'zzzz', '--requests-per-day', '-1'], 2, "a whole number from 1 to 1000000000, or default, not '-1'"],
  [['allow', 'zzzz', '--requests-per-day', '-100'], 2, "a whole number from 1 to 1000000000, or default, not '-100'"],
  [['allow', 'zzzz', '--requests-per-day', '1e9'], 2, "a whole number from 1 to 1000000000, or default, not '1e9'"],
  [['audit', '--limit', '0'], 2, "a whole number from 1 to 1000, not '0'"],
  [['audit', '--limit', '1001'], 2, "a whole number from 1 to 1000, not '1001'"],
  [['list', '--reason', 'x'], 2, 'list does not take --reason'],
  [['list', 'x'], 2, 'Too many arguments'],
  [['approve'], 2, 'needs the id of a request. See: keys requests'],
  [['approve', 'zzzz'], 1, "No request has the id 'zzzz'"],
  [['reject', 'zzzz'], 2, 'needs --reason TEXT'],
  [['requests', '--state', 'lost'], 2, 'pending, approved, rejected'],
  [['issue', '--email', 'a@example.org', '--name', 'A', '--requests-per-day', 'many'], 2, 'a whole number'],
  [['rotate', 'zzzz'], 1, 'No key has'],
  [['allow', 'zzzz'], 2, 'needs --requests-per-day N'],
  [['allow', 'zzzz', '--requests-per-day', '5'], 1, 'No key has'],
  [['allow', 'zzzz', '--requests-per-day', '0'], 1, 'from 1 to'],
  [['revoke', '-zzz'], 1, "No key has the id or the ending '-zzz'"],
  [['revoke', '--zz', '--json'], 1, "No key has the id or the ending '--zz'"],
])('keys %j exits with status %d and says why', async (args, code, words) => {
  await withFolder(async (folder) => {
    await createRequests(folder, 0);
    expect(await run(folder, ...args)).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(words) });
  });
});

test('keys list names the missing store of a mistyped folder, and creates nothing', async () => {
  await withFolder(async (folder) => {
    const mistyped = join(folder, 'dta');
    for (const args of [['list'], ['revoke', 'zzzz'], ['requests']]) {
      expect(await run(mistyped, ...args)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(
          new RegExp(`no file ${join(mistyped, 'keys.sqlite')}\\.[^]*keys issue[^]*--data or LECTERN_DATA`),
        ),
      });
    }
    expect(readdirSync(folder)).toEqual([]);
    expect((await run(mistyped, 'issue', '--email', 'a@example.org', '--name', 'A')).code).toBe(0);
    expect(await run(mistyped, 'list')).toMatchObject({ code: 0, stdout: expect.stringContaining('a@example.org') });
  });
});

test('keys names a store that cannot be used, and says what to do', async () => {
  await withFolder(async (folder) => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect(await run(file, 'issue', '--email', 'a@example.org', '--name', 'A')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/file\/key-pepper can neither be read nor made [^\n]*LECTERN_DATA\.\n$/),
    });
    readPepper({ setting: undefined, file: join(folder, 'key-pepper') });
    mkdirSync(join(folder, 'keys.sqlite'));
    expect(await run(folder, 'list')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/keys\.sqlite cannot be used [^\n]*permissions[^\n]*LECTERN_DATA\.\n$/),
    });
    rmdirSync(join(folder, 'keys.sqlite'));
    writeFileSync(join(folder, 'keys.sqlite'), 'These are no keys, and this is no database.');
    expect(await run(folder, 'list')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/keys\.sqlite cannot be used [^\n]*backup\.\n$/),
    });
  });
});

test('keys exits with status 1 if the pepper of existing keys is missing, and creates no new pepper', async () => {
  await withFolder(async (folder) => {
    await createRequests(folder, 1);
    rmSync(join(folder, 'key-pepper'));
    for (const args of [['list'], ['issue', '--email', 'a@example.org', '--name', 'A']]) {
      expect(await run(folder, ...args)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/key-pepper is missing, [^\n]*backup[^\n]*KEY_PEPPER[^\n]*\n$/),
      });
    }
    expect(readdirSync(folder)).not.toContain('key-pepper');
  });
});

test.each([[['help']], [['help', 'nothing']]])('keys %j prints the help of all commands', async (args) => {
  await withFolder(async (folder) => {
    expect(await run(folder, ...args)).toEqual(await run(folder, '--help'));
    expect(await run(folder, 'help', 'allow')).toEqual(await run(folder, 'allow', '--help'));
  });
});

const commandNames = [
  'issue',
  'list',
  'show',
  'revoke',
  'rotate',
  'allow',
  'requests',
  'approve',
  'reject',
  'resend',
  'audit',
];

test('keys --help lists every command, and each command has its own help', async () => {
  await withFolder(async (folder) => {
    const { code, stdout } = await run(folder, '--help');
    expect(code).toBe(0);
    for (const word of [...commandNames, '--environment', '--json', '--data']) expect(stdout).toContain(word);
    for (const name of commandNames)
      expect(await run(folder, name, '--help')).toEqual({
        code: 0,
        stderr: '',
        stdout: expect.stringMatching(new RegExp(`^Usage: npm run keys -- ${name}[ \\w\\[\\]-]* \\[options\\]\n\n`)),
      });
    expect(readdirSync(folder)).toEqual([]);
  });
});

const runJson = async (folder: string, ...args: string[]) =>
  JSON.parse((await run(folder, ...args, '--json')).stdout) as Record<string, unknown>;

/** Creates a store with this many pending requests. Returns their ids. */
const createRequests = async (folder: string, count: number) => {
  const keys = openKeys({
    file: join(folder, 'keys.sqlite'),
    pepper: readPepper({ setting: undefined, file: join(folder, 'key-pepper') }),
  });
  for (let number = 1; number <= count; number += 1)
    await keys.submitRequest({
      email: `${number}@example.org`,
      name: `Nº ${number}`,
      description: 'A plan.\nFor two.',
      environment: 'test',
    });
  const requests = await keys.requests();
  await keys.close();
  return requests.map(({ id }) => id);
};

test('keys requests, approve, reject, resend and audit print text, and JSON with --json', async () => {
  await withFolder(async (folder) => {
    const [first = '', second = ''] = await createRequests(folder, 2);
    expect((await run(folder, 'requests', '--state', 'pending')).stdout.trim().split('\n')).toEqual([
      expect.stringMatching(`^${first} .* pending .* 1@example.org  Nº 1$`),
      expect.stringContaining(second),
    ]);
    expect((await run(folder, 'requests', first)).stdout).toContain('for          A plan.\n             For two.\n');
    expect(await runJson(folder, 'approve', first)).toMatchObject({
      id: first,
      state: 'approved',
      decidedBy: 'command',
      deliveryError: null,
    });
    expect(await run(folder, 'reject', first, '--reason', 'No.')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/approved already, by command at 20/),
    });
    expect(await run(folder, 'reject', second, '--reason', 'No.')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('The mail to 2@example.org is handed over.'),
    });
    expect((await runJson(folder, 'resend', first))['keyId']).not.toBeNull();
    expect(readdirSync(join(folder, 'outbox'))).toHaveLength(3);
    const request = await runJson(folder, 'requests', first);
    const rotated = await runJson(folder, 'rotate', String(request['keyId']));
    expect(await runJson(folder, 'show', String(rotated['token']))).toMatchObject({
      id: rotated['id'],
      revokedAt: null,
    });
    const audit = (await runJson(folder, 'audit')) as unknown as { act: string }[];
    expect(audit.map(({ act }) => act)).toEqual(['rotate', 'resend', 'reject', 'approve', 'request', 'request']);
    expect((await run(folder, 'audit', '--limit', '1')).stdout.trim().split('\n')).toEqual([
      expect.stringContaining('rotate'),
    ]);
  });
});

test('keys approve exits with status 1 if the email cannot be sent, and says what to do', async () => {
  await withFolder(async (folder) => {
    const [id = ''] = await createRequests(folder, 1);
    writeFileSync(join(folder, 'outbox'), 'where the folder should be');
    expect(await run(folder, 'approve', id)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        new RegExp(`approved, not delivered[^]*did not go out: [^]*npm run keys -- resend ${id}`),
      ),
    });
    expect((await run(folder, 'requests')).stdout).toContain('approved, not delivered');
  });
});

test('keys approve in four processes at once issues and emails one key', async () => {
  await withFolder(async (folder) => {
    const [id = ''] = await createRequests(folder, 1);
    const codes = await Promise.all(
      [1, 2, 3, 4].map(
        () =>
          new Promise(
            (resolve) =>
              void spawn(process.execPath, [main, 'approve', id, '--data', folder], { stdio: 'ignore' }).once(
                'close',
                resolve,
              ),
          ),
      ),
    );
    expect(codes.sort()).toEqual([0, 1, 1, 1]);
    expect(JSON.parse((await run(folder, 'list', '--json')).stdout)).toHaveLength(1);
    expect(readdirSync(join(folder, 'outbox'))).toHaveLength(1);
  });
});

test('keys names an invalid setting in one line', async () => {
  await withFolder(async (folder) => {
    const { code, stderr } = await runWith({ LECTERN_ENVIRONMENT: 'staging' }, 'list', '--data', folder);
    expect([code, stderr.trim().split('\n')]).toEqual([1, [expect.stringContaining('LECTERN_ENVIRONMENT')]]);
  });
});

test('the program packages/keys/dist/main.js prints the output of a command and exits with its status', async () => {
  await withFolder((folder) => {
    const spawnKeys = (...args: string[]) =>
      spawnSync(process.execPath, [main, ...args, '--data', folder], {
        encoding: 'utf8',
        env: { PATH: process.env['PATH'] },
      });
    const issued = spawnKeys('issue', '--email', 'dev@example.org', '--name', 'Dev', '--json');
    expect([issued.status, issued.stderr]).toEqual([0, '']);
    expect(JSON.parse(issued.stdout)).toMatchObject({ email: 'dev@example.org', revokedAt: null });
    expect(spawnKeys('list', '--wrong')).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('There is no option --wrong.'),
    });
  });
});
