import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '../../corpus/test-support/temporary-folder';
import { dataDir, openRealCorpus } from '../test-support/open-or-build-real-corpus';
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

test('the command `embeddings --help` lists the commands, and an invalid command line exits with 2', async () => {
  const help = await run('--help');
  expect(help.code).toBe(0);
  for (const command of ['serve', 'build', 'verify', 'evaluate']) expect(help.output).toContain(`  ${command} `);
  expect(await run('build', '--help')).toMatchObject({ code: 0 });
  expect(await run()).toMatchObject({ code: 2, output: expect.stringContaining('a command is missing') });
  expect(await run('rebuild')).toMatchObject({ code: 2, output: expect.stringContaining("unknown command 'rebuild'") });
  expect(await run('build', 'a')).toMatchObject({ code: 2, output: expect.stringContaining('too many arguments') });
  expect(await run('build', '--fast')).toMatchObject({ code: 2, output: expect.stringContaining('--fast') });
});

test('the command `embeddings build` prints one line and exits with 1 if the corpus is missing', async () => {
  expect(await run('build')).toEqual({
    code: 1,
    served: null,
    output: `embeddings build: ${join(folder, 'text-catalogue.sqlite')} is missing: run \`npm run data\` to make it\n`,
  });
});

test('the command `embeddings serve` loads the built-in model before it listens', async () => {
  expect(await run('serve')).toMatchObject({ code: 0, served: `${builtInModel.id} in 1 thread` });
});

/** Writes a file of questions and evaluates it with the real texts. */
async function evaluate(lines: readonly string[], ...options: string[]) {
  const file = join(folder, 'questions.tsv');
  writeFileSync(file, lines.join('\n'));
  return run('evaluate', file, '--data', dataDir, ...options);
}

test('the command `embeddings evaluate` reports every invalid line of the questions file and exits with 1', async () => {
  const { close } = await openRealCorpus();
  close();
  const { code, output } = await evaluate([
    'question\tanswers\ttranslation',
    'hope\tRomans 99:1',
    '',
    'hope\t',
    'hope\tthe best book 3:4',
    'hope\tRomans 5:5\txyz-none',
    `${'a'.repeat(201)}\tRomans 5:5`,
    '\tRomans 5:5',
  ]);
  expect(code).toBe(1);
  expect(output.split('\n').slice(1)).toEqual([
    "  line 2: the translation lacks verses of 'Romans 99:1'",
    '  line 4: there are no answers, such as John 3:16; Romans 5:6-8',
    "  line 5: Invalid reference: 'the best book 3:4' (book not found)",
    expect.stringMatching(/^ {2}line 6: no translation 'xyz-none'; there are eng-kjv, eng-web, /),
    '  line 7: the question must have 1 to 200 characters',
    '  line 8: the question must have 1 to 200 characters',
    '',
  ]);
});

test.each([
  ['is empty', [''], "lacks question and answers; it has ''"],
  ['lacks the column of answers', ['question\tverses', 'hope\tRomans 5:5'], 'lacks answers'],
  ['has no questions', ['question\tanswers', ''], 'has no questions after its first line'],
])(
  'the command `embeddings evaluate` prints one line and exits with 1 if the questions file %s',
  async (_, lines, error) => {
    const { code, output } = await evaluate(lines);
    expect([code, output.trimEnd().split('\n').length]).toEqual([1, 1]);
    expect(output).toContain(error);
  },
);

test('the command `embeddings evaluate` exits with 1 if the questions file is missing', async () => {
  const { code, output } = await run('evaluate', join(folder, 'none.tsv'), '--data', dataDir);
  expect([code, output]).toEqual([1, expect.stringContaining('none.tsv')]);
});
