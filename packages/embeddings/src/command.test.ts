import { join } from 'node:path';
import { temporaryFolder } from '../../corpus/test-support/temporary-folder';
import { builtInModel } from './built-in';
import { runEmbeddingsCommand } from './command';

const folder = temporaryFolder();

async function run(...argv: string[]) {
  const output: string[] = [];
  const write = (text: string): void => void output.push(text);
  let served: string | null = null;
  let threads = 0;
  const onWorker = (): void => void (threads += 1);
  process.on('worker', onWorker);
  const code = await runEmbeddingsCommand(argv, {
    env: { LECTERN_DATA: folder },
    stdout: write,
    stderr: write,
    signal: new AbortController().signal,
    async serve({ embedder }) {
      served = `${embedder.id} in ${threads} thread`;
      await embedder.close();
    },
  });
  process.off('worker', onWorker);
  return { code, output: output.join(''), served };
}

test('embeddings --help lists the commands, and an invalid command line prints the error and exits with 2', async () => {
  const help = await run('--help');
  expect(help.code).toBe(0);
  for (const command of ['serve', 'build', 'verify']) expect(help.output).toContain(`  ${command} `);
  expect(await run('build', '--help')).toMatchObject({ code: 0 });
  expect(await run()).toMatchObject({ code: 2, output: expect.stringContaining('a command is missing') });
  expect(await run('rebuild')).toMatchObject({ code: 2, output: expect.stringContaining("unknown command 'rebuild'") });
  expect(await run('build', 'a')).toMatchObject({ code: 2, output: expect.stringContaining('too many arguments') });
  expect(await run('build', '--fast')).toMatchObject({ code: 2, output: expect.stringContaining('--fast') });
});

test('embeddings build names a missing corpus in one line and exits with 1', async () => {
  expect(await run('build')).toEqual({
    code: 1,
    served: null,
    output: `embeddings build: ${join(folder, 'text-catalogue.sqlite')} is missing: run \`npm run data\` to make it\n`,
  });
});

test('embeddings serve serves the built-in model, and starts the thread of the model before it listens', async () => {
  expect(await run('serve')).toMatchObject({ code: 0, served: `${builtInModel.id} in 1 thread` });
});
