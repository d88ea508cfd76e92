import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openKeys, readPepper } from '@lectern/keys';
import { repositoryRoot, withFolder } from '@lectern/testing';

/** The keys command as people run it, on keys in this folder. */
const run = (folder: string, ...args: string[]) => {
  const {
    status: code,
    stdout,
    stderr,
  } = spawnSync(process.execPath, [join(repositoryRoot, 'packages/keys/dist/main.js'), ...args, '--data', folder], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] },
  });
  return { code, stdout, stderr };
};

test('issues, lists and revokes; what another process did holds at once', async () => {
  await withFolder((folder) => {
    const issued = JSON.parse(run(folder, 'issue', '--email', 'dev@example.org', '--name', 'Dev', '--json').stdout) as {
      id: string;
      token: string;
    };
    expect(run(folder, 'list').stdout).toContain('dev@example.org');
    expect(run(folder, 'list').stdout).not.toContain(issued.token);
    const revoked = run(folder, 'revoke', issued.token.slice(-4));
    expect([revoked.code, revoked.stdout]).toEqual([0, expect.stringContaining('Revoked')]);
    expect(run(folder, 'revoke', issued.id)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('revoked already'),
    });
    expect(JSON.parse(run(folder, 'list', '--json').stdout)).toMatchObject([
      { email: 'dev@example.org', revokedAt: expect.any(String) },
    ]);
  });
});

test('changes how many requests a key has a day, back to the default too, and only while it is good', async () => {
  await withFolder((folder) => {
    const { id } = JSON.parse(run(folder, 'issue', '--email', 'dev@example.org', '--name', 'Dev', '--json').stdout) as {
      id: string;
    };
    expect(run(folder, 'allow', id, '--requests-per-day', '5000')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('5000 requests a day'),
    });
    expect(JSON.parse(run(folder, 'show', id, '--json').stdout)).toMatchObject({ requestsPerDay: 5000 });
    expect(JSON.parse(run(folder, 'allow', id, '--requests-per-day', 'default', '--json').stdout)).toMatchObject({
      requestsPerDay: null,
    });
    expect(run(folder, 'audit').stdout).toContain('as many as every key requests a day, before 5000');
    run(folder, 'revoke', id);
    expect(run(folder, 'allow', id, '--requests-per-day', '1')).toMatchObject({
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
  [['list', 'issue'], 2, "Too many arguments: list takes none, and not 'issue', for there is one command at a time."],
  [['revoke', 'zzzz', 'yyyy'], 2, "Too many arguments: revoke takes one, and not 'yyyy'."],
  [['allow'], 2, 'allow needs the id of a key and --requests-per-day N. See: keys list'],
  [['allow', 'zzzz', '--requests-per-day', ''], 2, "a whole number from 1 to 1000000000, or default, not ''"],
  [['allow', 'zzzz', '--requests-per-day', '-1'], 2, "a whole number from 1 to 1000000000, or default, not '-1'"],
  [['allow', 'zzzz', '--requests-per-day', '-100'], 2, "a whole number from 1 to 1000000000, or default, not '-100'"],
  [['allow', 'zzzz', '--requests-per-day', '1e9'], 2, "a whole number from 1 to 1000000000, or default, not '1e9'"],
  [['audit', '--most', '0'], 2, "a whole number from 1 to 1000, not '0'"],
  [['audit', '--most', '1001'], 2, "a whole number from 1 to 1000, not '1001'"],
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
])('%j ends with %d and says why', async (args, code, words) => {
  await withFolder(async (folder) => {
    await requested(folder, 0);
    expect(run(folder, ...args)).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(words) });
  });
});

test('a folder without keys is not taken for one with none, and nothing is made in it', async () => {
  await withFolder((folder) => {
    const mistyped = join(folder, 'dta');
    for (const args of [['list'], ['revoke', 'zzzz'], ['requests']]) {
      expect(run(mistyped, ...args)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(
          new RegExp(`no file ${join(mistyped, 'keys.sqlite')}\\.[^]*keys issue[^]*--data or LECTERN_DATA`),
        ),
      });
    }
    expect(readdirSync(folder)).toEqual([]);
    expect(run(mistyped, 'issue', '--email', 'a@example.org', '--name', 'A').code).toBe(0);
    expect(run(mistyped, 'list')).toMatchObject({ code: 0, stdout: expect.stringContaining('a@example.org') });
  });
});

test('a folder that cannot hold keys is named, with what to do', async () => {
  await withFolder((folder) => {
    const file = join(folder, 'file');
    writeFileSync(file, '');
    expect(run(file, 'issue', '--email', 'a@example.org', '--name', 'A')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/file\/key-pepper can neither be read nor made [^\n]*LECTERN_DATA\.\n$/),
    });
    readPepper({ setting: undefined, file: join(folder, 'key-pepper') });
    mkdirSync(join(folder, 'keys.sqlite'));
    expect(run(folder, 'list')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/keys\.sqlite cannot be used [^\n]*permissions[^\n]*LECTERN_DATA\.\n$/),
    });
    rmdirSync(join(folder, 'keys.sqlite'));
    writeFileSync(join(folder, 'keys.sqlite'), 'These are no keys, and this is no database.');
    expect(run(folder, 'list')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/keys\.sqlite cannot be used [^\n]*backup\.\n$/),
    });
  });
});

test('keys whose secret is lost are not given another, under which none of them would be known', async () => {
  await withFolder(async (folder) => {
    await requested(folder, 1);
    rmSync(join(folder, 'key-pepper'));
    for (const args of [['list'], ['issue', '--email', 'a@example.org', '--name', 'A']]) {
      expect(run(folder, ...args)).toMatchObject({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(/key-pepper is missing, [^\n]*backup[^\n]*KEY_PEPPER[^\n]*\n$/),
      });
    }
    expect(readdirSync(folder)).not.toContain('key-pepper');
  });
});

test.each([[['help']], [['help', 'nothing']]])('%j is the help of all commands', async (args) => {
  await withFolder((folder) => {
    expect(run(folder, ...args)).toEqual(run(folder, '--help'));
    expect(run(folder, 'help', 'allow')).toEqual(run(folder, 'allow', '--help'));
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

test('--help lists every command, and each command has its own', async () => {
  await withFolder((folder) => {
    const { code, stdout } = run(folder, '--help');
    expect(code).toBe(0);
    for (const word of [...commandNames, '--environment', '--json', '--data']) expect(stdout).toContain(word);
    for (const name of commandNames)
      expect(run(folder, name, '--help')).toEqual({
        code: 0,
        stderr: '',
        stdout: expect.stringMatching(new RegExp(`^Usage: npm run keys -- ${name}[ \\w\\[\\]-]* \\[options\\]\n\n`)),
      });
    expect(readdirSync(folder)).toEqual([]);
  });
});

const json = (folder: string, ...args: string[]) =>
  JSON.parse(run(folder, ...args, '--json').stdout) as Record<string, unknown>;

/** A folder with this many requests on the form, and their ids. */
const requested = async (folder: string, count: number) => {
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

test('shows requests, approves, rejects and sends again, as text and as JSON', async () => {
  await withFolder(async (folder) => {
    const [first = '', second = ''] = await requested(folder, 2);
    expect(run(folder, 'requests', '--state', 'pending').stdout.trim().split('\n')).toEqual([
      expect.stringMatching(`^${first} .* pending .* 1@example.org  Nº 1$`),
      expect.stringContaining(second),
    ]);
    expect(run(folder, 'requests', first).stdout).toContain('for          A plan.\n             For two.\n');
    expect(json(folder, 'approve', first)).toMatchObject({
      id: first,
      state: 'approved',
      decidedBy: 'command',
      deliveryError: null,
    });
    expect(run(folder, 'reject', first, '--reason', 'No.')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/approved already, by command at 20/),
    });
    expect(run(folder, 'reject', second, '--reason', 'No.')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('The mail to 2@example.org is handed over.'),
    });
    expect(json(folder, 'resend', first)['keyId']).not.toBeNull();
    expect(readdirSync(join(folder, 'outbox'))).toHaveLength(3);
    const rotated = json(folder, 'rotate', String(json(folder, 'requests', first)['keyId']));
    expect(json(folder, 'show', String(rotated['token']))).toMatchObject({ id: rotated['id'], revokedAt: null });
    expect((json(folder, 'audit') as unknown as { act: string }[]).map(({ act }) => act)).toEqual([
      'rotate',
      'resend',
      'reject',
      'approve',
      'request',
      'request',
    ]);
    expect(run(folder, 'audit', '--most', '1').stdout.trim().split('\n')).toEqual([expect.stringContaining('rotate')]);
  });
});

test('an approval whose mail does not go out is done by half, and says what to do', async () => {
  await withFolder(async (folder) => {
    const [id = ''] = await requested(folder, 1);
    writeFileSync(join(folder, 'outbox'), 'where the folder should be');
    expect(run(folder, 'approve', id)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        new RegExp(`approved, not delivered[^]*did not go out: [^]*npm run keys -- resend ${id}`),
      ),
    });
    expect(run(folder, 'requests').stdout).toContain('approved, not delivered');
  });
});

test('of approvals by several processes at the same moment one issues a key and mails it', async () => {
  await withFolder(async (folder) => {
    const [id = ''] = await requested(folder, 1);
    const main = join(repositoryRoot, 'packages/keys/dist/main.js');
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
    expect(JSON.parse(run(folder, 'list', '--json').stdout)).toHaveLength(1);
    expect(readdirSync(join(folder, 'outbox'))).toHaveLength(1);
  });
});

test('a setting that makes no sense is named', async () => {
  await withFolder((folder) => {
    const { status: code, stderr } = spawnSync(
      process.execPath,
      [join(repositoryRoot, 'packages/keys/dist/main.js'), 'list', '--data', folder],
      { encoding: 'utf8', env: { LECTERN_ENVIRONMENT: 'staging' } },
    );
    expect([code, stderr.trim().split('\n')]).toEqual([1, [expect.stringContaining('LECTERN_ENVIRONMENT')]]);
  });
});
