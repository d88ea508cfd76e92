import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { itemsOfThisRun, repositoryRoot } from '@lectern/testing';

/** The npm scripts that run a program of this repository: `<name>` and the arguments of node. */
const commands = Object.entries(
  (JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as { scripts: Record<string, string> })
    .scripts,
).flatMap(([name, script]) => (script.startsWith('node ') ? [{ name, args: script.split(' ').slice(1) }] : []));

/** `npm start` and `npm test` need no `run`. `npm run check` is another name of `npm test`. */
const nameInHelp = (name: string): string =>
  name === 'check' ? 'npm test' : `npm ${['start', 'test'].includes(name) ? '' : 'run '}${name}`;

/** Runs `node` with these arguments in the root, as npm does. With `isClosed`, nobody reads standard output. */
async function runNode(args: readonly string[], isClosed = false) {
  const child = spawn(process.execPath, args, { cwd: repositoryRoot, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  if (isClosed) child.stdout.destroy();
  else child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, ...output };
}

// Runs a command before the tests, because the first command after `npm run build` prints that it
// compares the build with the sources.
beforeAll(() => runNode(['scripts/run-compiled.mjs', 'gateway/dist/keys-main.js', '--help']));

describe.each(itemsOfThisRun(commands, 10))('npm run $name', ({ name, args }) => {
  test(`npm run ${name} -- --help prints the help and exits with 0`, async () => {
    expect(await runNode([...args, '--help'])).toEqual({
      status: 0,
      stdout: expect.stringContaining(nameInHelp(name)),
      stderr: '',
    });
  });

  test(`npm run ${name} -- --unheard-of prints one line that names the option and exits with 2`, async () => {
    expect(await runNode([...args, '--unheard-of'])).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/^[^\n]*--unheard-of[^\n]*\n$/),
    });
  });

  test(`npm run ${name} -- --help prints no stack trace and exits with 0 if the reader of its output has closed the pipe`, async () => {
    expect(await runNode([...args, '--help'], true)).toEqual({ status: 0, stdout: '', stderr: '' });
  });
});

test('check-schema exits with its usual status even if the reader of its output has closed the pipe', async () => {
  expect(await runNode(['scripts/check-schema.mjs'], true)).toEqual({ status: 0, stdout: '', stderr: '' });
});

test('npm test rejects an option that jest does not have before any check runs', async () => {
  const result = await runNode(['scripts/test.mjs', 'tests/docs', '--testNamePatern', 'x']);
  expect(result).toEqual({
    status: 2,
    stdout: '',
    stderr: expect.stringMatching(/^Unknown option '--testNamePatern'[^\n]*\n$/),
  });
});
