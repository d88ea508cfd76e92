import { join } from 'node:path';
import { temporaryFolder } from '../test-support/temporary-folder';
import { builtInModel } from './built-in-embedder';
import { runEmbeddingsCommand } from './cli';

const folder = temporaryFolder();

async function run(...argv: string[]) {
  const lines: string[] = [];
  const tell = (line: string): void => void lines.push(line);
  let served: string | null = null;
  const code = await runEmbeddingsCommand(argv, {
    env: { LECTERN_DATA: folder },
    out: tell,
    err: tell,
    signal: new AbortController().signal,
    async serve({ embedder }) {
      served = embedder.id;
      await embedder.close();
    },
  });
  return { code, said: lines.join('\n'), served };
}

test('help tells the commands, and a command that is none is refused with it', async () => {
  expect(await run('--help')).toMatchObject({ code: 0, said: expect.stringContaining('verify') });
  expect(await run('build', '--help')).toMatchObject({ code: 0 });
  expect(await run()).toMatchObject({ code: 2, said: expect.stringContaining('a command is missing') });
  expect(await run('rebuild')).toMatchObject({ code: 2, said: expect.stringContaining("'rebuild' is no command") });
  expect(await run('build', 'a')).toMatchObject({ code: 2, said: expect.stringContaining('one argument too many') });
  expect(await run('build', '--fast')).toMatchObject({ code: 2, said: expect.stringContaining('--fast') });
});

test('a missing corpus and wrong settings are told in one line', async () => {
  expect(await run('build')).toEqual({
    code: 1,
    served: null,
    said: `embeddings build: ${join(folder, 'corpus.sqlite')} is missing: run \`npm run data\` to make it`,
  });
});

test('serve loads the model before it listens', async () => {
  expect(await run('serve')).toMatchObject({ code: 0, served: builtInModel.id });
});
