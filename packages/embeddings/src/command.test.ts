import { join } from 'node:path';
import { temporaryFolder } from '../../corpus/test-support/temporary-folder';
import { runEmbeddingsCommand } from './command';

const folder = temporaryFolder();

async function run(...argv: string[]) {
  const output: string[] = [];
  const write = (text: string): void => void output.push(text);
  const code = await runEmbeddingsCommand(argv, {
    env: { LECTERN_DATA: folder },
    stdout: write,
    stderr: write,
    signal: new AbortController().signal,
  });
  return { code, output: output.join('') };
}

test('the command `embeddings --help` lists the commands, and an invalid command line exits with 2', async () => {
  const help = await run('--help');
  expect(help.code).toBe(0);
  for (const command of ['build', 'verify']) expect(help.output).toContain(`  ${command} `);
  expect(await run('build', '--help')).toMatchObject({ code: 0 });
  expect(await run()).toMatchObject({ code: 2, output: expect.stringContaining('a command is missing') });
  expect(await run('rebuild')).toMatchObject({ code: 2, output: expect.stringContaining("unknown command 'rebuild'") });
  expect(await run('build', 'a')).toMatchObject({ code: 2, output: expect.stringContaining('too many arguments') });
  expect(await run('build', '--fast')).toMatchObject({ code: 2, output: expect.stringContaining('--fast') });
});

test('the command `embeddings build` prints one line and exits with 1 if the corpus is missing', async () => {
  expect(await run('build')).toEqual({
    code: 1,
    output: `embeddings build: ${join(folder, 'text-catalogue.sqlite')} is missing: run \`npm run data\` to make it\n`,
  });
});
