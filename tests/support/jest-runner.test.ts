import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot, withFolder } from '@lectern/testing';

/**
 * Runs Jest with our test runner and these test files, by default in two processes. Returns the
 * exit status and the output of Jest.
 */
const runJest = (
  files: Readonly<Record<string, string>>,
  { preload = '', deadlineMs = 120_000, maxWorkers = 2 } = {},
) =>
  withFolder((folder) => {
    for (const [name, text] of Object.entries({ ...files, 'preload.mjs': preload }))
      writeFileSync(join(folder, name), text);
    const config = {
      rootDir: folder,
      cacheDirectory: join(folder, 'cache'),
      testMatch: ['<rootDir>/*.test.mjs'],
      maxWorkers,
      runner: [join(repositoryRoot, 'tests', 'support', 'jest-runner.mjs'), { deadlineMs }],
    };
    const jest = join(repositoryRoot, 'node_modules', 'jest', 'bin', 'jest.js');
    const { status, stderr } = spawnSync(process.execPath, [jest, '--config', JSON.stringify(config)], {
      cwd: folder,
      encoding: 'utf8',
      // The test processes of the new run must not inherit the number of the process of this test.
      env: {
        ...process.env,
        NODE_OPTIONS: `--import=${join(folder, 'preload.mjs')}`,
        TINYPOOL_WORKER_ID: undefined,
        FORCE_COLOR: '0',
      },
    });
    return { status, output: stderr };
  });

test('the test runner runs each of two files once, even if its second process starts later than its first', async () => {
  const passes = `
    import { writeFileSync } from 'node:fs';
    test('passes', () => writeFileSync('started', ''));`;
  const waitsInTheSecondProcess = `
    import { existsSync } from 'node:fs';
    const lock = new Int32Array(new SharedArrayBuffer(4));
    if (process.env.TINYPOOL_WORKER_ID === '2') while (!existsSync('started')) Atomics.wait(lock, 0, 0, 20);`;
  const { status, output } = await runJest(
    { 'one.test.mjs': passes, 'two.test.mjs': passes },
    { preload: waitsInTheSecondProcess },
  );
  expect(output).toContain('Tests:       2 passed, 2 total');
  expect(status).toBe(0);
});

test('the test runner fails the run if no file ends before the deadline, and names the unfinished files', async () => {
  const { status, output } = await runJest(
    { 'waiting.test.mjs': 'await new Promise(() => {});' },
    { deadlineMs: 1_000 },
  );
  expect(output).toContain('FAIL ./waiting.test.mjs');
  expect(output).toContain('The file did not end: no test file has ended for 1 s.');
  expect(status).toBe(1);
});

test('a run of the test runner in one process fails and ends, even if a failed beforeAll has left a server open', async () => {
  const { status, output } = await runJest(
    {
      'open-server.test.mjs': `
        import { createServer } from 'node:http';
        beforeAll(() => {
          createServer().listen(0);
          throw new Error('failed to prepare');
        });
        test('passes', () => {});`,
    },
    { maxWorkers: 1 },
  );
  expect(output).toContain('failed to prepare');
  expect(status).toBe(1);
});
