import { spawn } from 'node:child_process';
import { chmodSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, linkData, repositoryRoot, send, withFolder } from '@lectern/testing';
import { pgCtl, startPostgresStore } from '../support/key-stores';

const pepper = 'a pepper for tests, as long as it has to be';

/**
 * Calls `use` with a complete data folder whose mode allows no writes. Afterwards, expects that the
 * folder has the same files as before.
 */
const withReadOnlyData = (use: (folder: string) => Promise<void>): Promise<void> =>
  withFolder(async (folder) => {
    linkData(folder);
    writeFileSync(join(folder, 'eng-own.usfx'), '<usfx><languageCode>eng</languageCode></usfx>');
    const dataFiles = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    chmodSync(folder, 0o555);
    try {
      await use(folder);
      expect(readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()).toEqual(dataFiles.sort());
    } finally {
      chmodSync(folder, 0o755);
    }
  });

/**
 * Starts a compiled file of packages/standalone. If the test runs as root, the process runs as
 * another user, because root may write to every folder.
 */
function startAsOrdinaryUser(file: string, env: Record<string, string>, args: readonly string[] = []) {
  const child = spawn(process.execPath, [join(repositoryRoot, 'packages/standalone/dist', file), ...args], {
    cwd: repositoryRoot,
    env: { PATH: process.env['PATH'], ...env },
    ...(process.getuid?.() === 0 && { uid: 65_534, gid: 65_534 }),
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += String(chunk)));
  const ended = new Promise<number | null>((resolve) => void child.once('close', resolve));
  return { child, ended, output: () => output };
}

test('npm run data says that a complete data folder is up to date, even if the folder is read-only', async () => {
  await withReadOnlyData(async (folder) => {
    const { ended, output } = startAsOrdinaryUser('data-main.js', { LECTERN_DATA: folder });
    expect(await ended).toBe(0);
    expect(output()).toBe(`Everything in ${folder} is up to date.\n`);
  });
});

test('npm run corpus -- import into a read-only data folder fails with one line that names the reason, and changes nothing', async () => {
  await withReadOnlyData(async (folder) => {
    const { ended, output } = startAsOrdinaryUser('corpus-main.js', { LECTERN_DATA: folder }, [
      'import',
      join(folder, 'eng-own.usfx'),
    ]);
    expect(await ended).toBe(1);
    expect(output()).toBe(
      `corpus import: ${folder} cannot be written (EACCES): check its permissions, or name another folder with LECTERN_DATA\n`,
    );
  });
});

test('npm start with a complete, read-only data folder and a stopped PostgreSQL exits with one line, which names the key store', async () => {
  await withReadOnlyData(async (folder) => {
    const { ended, output } = startAsOrdinaryUser('main.js', {
      LECTERN_DATA: folder,
      KEY_PEPPER: pepper,
      DATABASE_URL: `postgres://lectern@127.0.0.1:${await freePort()}/keys`,
    });
    expect(await ended).toBe(1);
    expect(output()).toMatch(/^The key store at 127\.0\.0\.1:\d+\/keys does not respond [^\n]+\n$/);
  });
});

const testWithPostgres = pgCtl === null ? test.skip : test;

testWithPostgres(
  'npm start with a complete, read-only data folder and keys in PostgreSQL responds 200 to GET /ready',
  async () => {
    const store = await startPostgresStore(pgCtl ?? '');
    const { env } = await store.createDeployment();
    await withReadOnlyData(async (folder) => {
      const port = await freePort();
      const started = startAsOrdinaryUser('main.js', { ...env, LECTERN_DATA: folder, PORT: String(port) });
      while (!started.output().includes('curl') && started.child.exitCode === null)
        await new Promise((resolve) => setTimeout(resolve, 20));
      expect(started.output()).toContain('Lectern is up.');
      const { status } = await send(`http://127.0.0.1:${port}/ready`, { method: 'GET' });
      expect(status).toBe(200);
      started.child.kill('SIGINT');
      expect(await started.ended).toBe(0);
    });
    await store.stop();
  },
);
