import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withFolderLock } from '@lectern/data-files';
import {
  dataDir,
  freePort,
  itemsOfThisRun,
  linkData,
  repositoryRoot,
  spawnProcess,
  startProcess,
  withFolder,
} from '@lectern/testing';
import { waitUntil } from '../support/processes';

const main = 'packages/standalone/dist/main.js';

test('npm start prints the endpoint, a working curl command and, at the first start only, an API key', async () => {
  await withFolder(async (folder) => {
    linkData(folder);
    const first = await startProcess(main, { LECTERN_DATA: folder, SEMANTIC_TRANSLATIONS: '' });
    await waitUntil(() => first.output().includes('curl'));
    expect(first.output()).toContain(`http://127.0.0.1:${first.port}/graphql`);
    expect(first.output()).toMatch(/Key +svc_test_[A-Za-z0-9_-]{49}\n/);
    const line =
      first
        .output()
        .split('\n')
        .find((each) => each.startsWith('curl ')) ?? '';
    expect(JSON.parse(execFileSync('bash', ['-c', line], { encoding: 'utf8' }))).toEqual({
      data: { verse: { reference: 'John 3:16', text: expect.stringContaining('For God so loved the world') } },
    });
    first.child.kill('SIGINT');
    expect(await first.ended).toBe(0);

    const second = await startProcess(main, { LECTERN_DATA: folder, SEMANTIC_TRANSLATIONS: '' });
    await waitUntil(() => second.output().includes('curl'));
    expect(second.output()).not.toContain('svc_test_');
    expect(second.output()).toContain(
      `were issued before and are not shown again. Another: npm run keys -- issue --email you@example.org --name You --data '${folder}'\n`,
    );
    second.child.kill('SIGINT');
    expect(await second.ended).toBe(0);
    // The file has the pepper, the secret with which keys are hashed. So only the file's owner may
    // read the file.
    expect(statSync(join(folder, 'key-pepper')).mode & 0o077).toBe(0);
  });
});

test('if scripts/start-service.mjs, with which npm starts a service, is killed, the service stops', async () => {
  const port = String(await freePort());
  const { child, ended, output } = spawnProcess('scripts/start-service.mjs', { LECTERN_DATA: dataDir, PORT: port }, [
    'services/concordance/dist/main.js',
  ]);
  await waitUntil(() => output().includes(`"port":${port}`));
  child.kill('SIGKILL');
  // `ended` resolves when the output is closed. The service writes to the same output, so the
  // service has ended too.
  expect(await ended).toBe('SIGKILL');
  expect(output()).toContain('"reason":"the parent process ended"');
});

test('if SIGTERM ends the shell that started scripts/start-service.mjs, the service stops and logs SIGTERM', async () => {
  const port = String(await freePort());
  // The command after the script keeps the shell from becoming the process of the script.
  const command = `node scripts/start-service.mjs services/concordance/dist/main.js; true`;
  const shell = spawn('sh', ['-c', command], {
    cwd: repositoryRoot,
    env: { PATH: process.env['PATH'], npm_lifecycle_event: 'start', LECTERN_DATA: dataDir, PORT: port },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const closed = once(shell, 'close');
  let output = '';
  shell.stdout.on('data', (chunk: Buffer) => (output += chunk.toString('utf8')));
  await waitUntil(() => output.includes(`"port":${port}`));
  shell.kill('SIGTERM');
  // `close` is emitted when the output is closed. The service writes to the same output, so the
  // service has ended too.
  await closed;
  expect(output).toContain('"reason":"SIGTERM"');
});

test('npm start with LECTERN_ENVIRONMENT=live issues no API key, and prints the command that issues a key', async () => {
  await withFolder(async (folder) => {
    linkData(folder);
    const started = await startProcess(main, {
      LECTERN_DATA: folder,
      LECTERN_ENVIRONMENT: 'live',
      SEMANTIC_TRANSLATIONS: '',
    });
    await waitUntil(() => started.output().includes('curl'));
    expect(started.output()).not.toContain('svc_live_');
    expect(started.output()).toContain(
      `there is none yet: npm run keys -- issue --email you@example.org --name You --environment live --data '${folder}'\n`,
    );
    started.child.kill('SIGTERM');
    expect(await started.ended).toBe(0);
  });
});

// The test needs a machine without a source of Bible texts. It is skipped if SWORD modules, which
// are such a source, are installed.
const withoutModules = existsSync('/usr/share/sword/modules/texts') ? test.skip : test;

withoutModules(
  'npm start without a source of Bible texts says what to install or where to put files, and exits with 1',
  async () => {
    await withFolder(async (folder) => {
      mkdirSync(join(folder, 'bin'));
      const { ended, output } = spawnProcess(main, {
        LECTERN_DATA: join(folder, 'data'),
        PATH: join(folder, 'bin'),
        SWORD_PATH: join(folder, 'none'),
        LECTERN_TEXT_MIRROR: 'http://127.0.0.1:9',
      });
      expect(await ended).toBe(1);
      expect(output()).toContain('apt-get install');
      expect(output()).toContain('SWORD_PATH');
      expect(output()).not.toMatch(/^\s+at /m);
    });
  },
);

const unusableSettings: [Record<string, string>, RegExp][] = [
  [{ HOST: '192.0.2.1' }, /^192\.0\.2\.1 is not an address of this machine\. Set HOST/],
  [{ HOST: 'nowhere.invalid' }, /^The name nowhere\.invalid cannot be resolved\. Set HOST/],
];

// `npm test` checks one of these settings in a run, and `npm run test:long` checks both.
test.each(itemsOfThisRun(unusableSettings, 2))(
  'npm start with the unusable setting %j exits with 1 and prints one line, which names the setting',
  async (env, words) => {
    await withFolder(async (folder) => {
      linkData(folder);
      const { ended, output } = spawnProcess(main, { LECTERN_DATA: folder, SEMANTIC_TRANSLATIONS: '', ...env });
      expect(await ended).toBe(1);
      expect(output()).toMatch(words);
      expect(output().trimEnd()).not.toContain('\n');
    });
  },
);

test('npm start exits with an error that names the data folder if the data folder is a file', async () => {
  await withFolder(async (folder) => {
    const file = join(folder, 'data');
    writeFileSync(file, '');
    const { ended, output } = spawnProcess(main, { LECTERN_DATA: file });
    expect(await ended).toBe(1);
    expect(output()).toBe(
      `${file} is not a folder: move away the file of that name, or name a folder with LECTERN_DATA\n`,
    );
  });
});

const buildSignals = [
  ['SIGTERM', 143],
  ['SIGINT', 130],
  ['SIGHUP', 129],
] as const;

// `npm test` sends one of the signals in a run, and `npm run test:long` sends all.
test.each(itemsOfThisRun(buildSignals, buildSignals.length))(
  'if npm start gets %s while it builds data, the build ends and the lock of the data folder is released',
  async (signal, code) => {
    await withFolder(async (folder) => {
      const { child, ended, output } = spawnProcess(main, { LECTERN_DATA: folder });
      await waitUntil(() => output().includes('making'));
      child.kill(signal);
      expect(await ended).toBe(code);
      await withFolderLock(folder, { waitMs: 0, log: () => undefined }, async () => undefined);
      expect(output()).not.toContain('up to date');
    });
  },
);
