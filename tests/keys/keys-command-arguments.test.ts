import { readdirSync } from 'node:fs';
import { withFolder } from '@lectern/testing';
import { createRequests, runKeys } from '../support/keys-command';

test.each([
  [[], 2, 'Which command?'],
  [['frobnicate'], 2, "Unknown command 'frobnicate'. See --help."],
  [['issue', '--email', 'a@example.org'], 2, '--name'],
  [['issue', '--email', 'a@example.org', '--name', 'A', '--environment', 'staging'], 2, 'live or test'],
  [['issue', '--email', 'nobody', '--name', 'A'], 1, 'not an email address'],
  [['revoke'], 2, 'needs the id'],
  [['list', '--wrong'], 2, "unknown option '--wrong'. See --help.\n"],
  [['--wrong'], 2, "unknown option '--wrong'. See --help.\n"],
  [['list', '-x'], 2, "unknown option '-x'"],
  [['list', '--json=1'], 2, "unknown option '--json=1'"],
  [['issue', '--email'], 2, "option '--email <ADDRESS>' argument missing"],
  [['issue', '--email', '--name', 'A'], 2, '--email needs a value.'],
  [['revoke', 'zzzz', '--environment'], 2, "option '--environment <live|test>' argument missing"],
  [
    ['list', 'issue'],
    2,
    "Too many arguments: list takes none. Remove 'issue', because only one command can run at a time.",
  ],
  [['revoke', 'zzzz', 'yyyy'], 2, "Too many arguments: revoke takes one. Remove 'yyyy'."],
  [
    ['allow'],
    2,
    'allow needs the id of a key and --requests-per-day N or --requests-per-minute N or --addresses ADDRESS=N,.... See: npm run keys -- list',
  ],
  [['allow', 'zzzz', '--requests-per-day', ''], 2, "a whole number from 1 to 1000000000, or default, not ''"],
  [['allow', 'zzzz', '--requests-per-day', '-100'], 2, "a whole number from 1 to 1000000000, or default, not '-100'"],
  [['audit', '--limit', '10001'], 2, "a whole number from 1 to 10000, not '10001'"],
  [['list', '--reason', 'x'], 2, "unknown option '--reason'"],
  [['approve'], 2, 'needs the id of a request. See: npm run keys -- requests'],
  [['approve', 'zzzz'], 1, "No request has the id 'zzzz'"],
  [['reject', 'zzzz'], 2, 'needs --reason TEXT'],
  [['requests', '--state', 'lost'], 2, 'pending, approved, rejected'],
  [['allow', 'zzzz'], 2, 'needs --requests-per-day N or --requests-per-minute N or --addresses ADDRESS=N,...'],
  [['allow', 'zzzz', '--requests-per-minute', 'some'], 2, '--requests-per-minute must be a whole number from 1 to'],
  [['allow', 'zzzz', '--requests-per-minute', '0'], 2, '--requests-per-minute must be a whole number from 1 to'],
  [['rotate', 'zzzz', '--overlap', 'soon'], 1, 'The overlap must be a time from now, such as 30d, 12h or 45m'],
  [['rotate', 'zzzz', '--overlap'], 2, "option '--overlap <7d|DATE>' argument missing"],
  [['rotate', 'zzzz', '--overlap', '91d'], 1, 'The overlap must be a time from now'],
  [['rotate', 'zzzz', '--expires', '9d'], 2, "unknown option '--expires'"],
  [['issue', '--email', 'a@b.c', '--name', 'A', '--expires', '2020-01-01'], 1, 'The expiry must be a time from now'],
  [['list', '--operator', ' '], 1, 'The name must have 1 to 200 characters, on one line'],
  [['issue', '--email', 'a@b.c', '--name', 'A', '--addresses', '7=6'], 1, 'The addresses must be at most 20'],
  [['grant'], 2, 'grant needs the id of a key and a translation. See: npm run keys -- list'],
  [['withdraw', 'zzzz'], 2, 'withdraw needs a translation.'],
  [['grant', 'deu-own', '-zzz'], 1, "No key has the id or the ending '-zzz'"],
  [['revoke', '-zzz'], 1, "No key has the id or the ending '-zzz'"],
  [['revoke', '--zz', '--json'], 1, "No key has the id or the ending '--zz'"],
])(
  'the command keys with the invalid arguments %j exits with status %d and prints the reason',
  async (args, code, words) => {
    await withFolder(async (folder) => {
      await createRequests(folder, 0);
      expect(await runKeys(folder, ...args)).toMatchObject({
        code,
        stdout: '',
        stderr: expect.stringContaining(words),
      });
    });
  },
);

test.each([
  ['help', '--help'],
  ['help nothing', '--help'],
  ['help allow', 'allow --help'],
])('the command keys with the arguments %j prints the same help as with %j', async (given, same) => {
  await withFolder(async (folder) => {
    expect(await runKeys(folder, ...given.split(' '))).toEqual(await runKeys(folder, ...same.split(' ')));
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

test('the command keys --help lists every subcommand, and each subcommand prints its own help without creating a file', async () => {
  await withFolder(async (folder) => {
    const { code, stdout } = await runKeys(folder, '--help');
    expect(code).toBe(0);
    for (const word of [...commandNames, '--environment', '--json', '--data']) expect(stdout).toContain(word);
    for (const name of commandNames)
      expect(await runKeys(folder, name, '--help')).toEqual({
        code: 0,
        stderr: '',
        stdout: expect.stringMatching(new RegExp(`^Usage: npm run keys -- ${name}[ \\w\\[\\]-]* \\[options\\]\n\n`)),
      });
    expect(readdirSync(folder)).toEqual([]);
  });
});
