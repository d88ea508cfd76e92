import { execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { linkData, repositoryRoot, startProcess, withFolder } from '@lectern/testing';

const run = promisify(execFile);
const issueKey = ['issue', '--email', 'reader@example.org', '--name', 'Reader'];

test('a process started with node resolves a relative path in LECTERN_DATA against its working directory', async () => {
  await withFolder(async (folder) => {
    mkdirSync(join(folder, 'store'));
    await run(process.execPath, [join(repositoryRoot, 'gateway/dist/keys-main.js'), ...issueKey], {
      cwd: folder,
      env: { PATH: process.env['PATH'], LECTERN_DATA: 'store' },
    });
    expect(existsSync(join(folder, 'store', 'keys.sqlite'))).toBe(true);
  });
});

test('an npm script resolves a relative path in LECTERN_DATA against the root of the repository, even if npm runs in another folder', async () => {
  await withFolder(async (folder) => {
    await run('npm', ['run', '--silent', 'keys', '--', ...issueKey], {
      cwd: join(repositoryRoot, 'docs'),
      env: { ...process.env, LECTERN_DATA: relative(repositoryRoot, folder) },
    });
    expect(existsSync(join(folder, 'keys.sqlite'))).toBe(true);
  });
});

test('the startup message names the data folder in its keys command with the absolute path, even if LECTERN_DATA is a relative path', async () => {
  await withFolder(async (folder) => {
    mkdirSync(join(folder, 'data'));
    linkData(join(folder, 'data'));
    const started = await startProcess(
      'packages/standalone/dist/main.js',
      { LECTERN_DATA: 'data', LECTERN_ENVIRONMENT: 'live', SEMANTIC_TRANSLATIONS: '' },
      '/ready',
      { cwd: folder },
    );
    while (!started.output().includes('curl')) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(started.output()).toContain(`--data '${join(folder, 'data')}'\n`);
    started.child.kill('SIGTERM');
    expect(await started.ended).toBe(0);
  });
});
