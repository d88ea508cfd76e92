import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findProgram, repositoryRoot } from '@lectern/testing';
import type { EmbeddedLectern } from '../support/embedded-lectern';
import { startEmbeddedLectern } from '../support/embedded-lectern';
import { readDocumentationExamples } from '../support/read-documentation-examples';

const run = promisify(execFile);
const page = readFileSync(join(repositoryRoot, 'docs', 'clients.md'), 'utf8');

interface Example {
  readonly language: string;
  readonly code: string;
}

const examples: readonly Example[] = [...page.matchAll(/```(?!graphql)(\w+)\n([^]*?)```/g)].map(
  ([, language = '', code = '']) => ({ language, code }),
);

/**
 * The expected output of each example, in the order of docs/clients.md. The text of the page
 * describes the same output.
 */
const outputs: readonly (string | RegExp)[] = [
  '{"data":{"passage":{"reference":"John 11:35","text":"Jesus wept."}}}',
  'Jesus wept.\n',
  'Jesus wept.\n',
  /"extensions":\{"cost":\{"complexity":32,"maxComplexity":300,"depth":2,"maxDepth":15\},"quota":\{/,
  'Jesus wept.\n',
  'Jesus wept.\nJesus wept.\n',
  'true\n',
  "Jesus wept. NOT_FOUND [ 'bad' ]\n",
];

/**
 * The program that runs the examples of each language, and the name of the file for an example.
 * Null if this program, or curl, which the `sh` examples call, is not installed.
 */
const commands: Readonly<Record<string, { program: string; file: string } | null>> = {
  sh: findProgram(['curl'], 'curl') === null ? null : { program: 'sh', file: 'example.sh' },
  js: { program: process.execPath, file: 'example.mjs' },
  python: programNamed(findProgram(['python3'], 'python3'), 'example.py'),
};

function programNamed(program: string | null, file: string) {
  return program === null ? null : { program, file };
}

let lectern: EmbeddedLectern;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-examples-'));
  const manifest = join(folder, 'manifest.json');
  const trusted = [...page.matchAll(/```graphql\n([^]*?)```/g)].map(([, code = '']) => code);
  writeFileSync(manifest, JSON.stringify({ 'verse-of-john': trusted[0] }));
  lectern = await startEmbeddedLectern({
    trustedDocuments: { location: manifest, pollMs: 0, isOnly: false },
    documentGet: { caches: 'private', maxSeconds: 300 },
    rates: { perMinute: 0, keyPerMinute: 0, perDay: 1_000, keyRequestsPerHour: 0 },
  });
});
afterAll(async () => {
  await lectern.close();
  rmSync(folder, { recursive: true, force: true });
});

test('the tests of docs/clients.md have an expected output for each example of the page', () => {
  expect(examples).toHaveLength(outputs.length);
});

test('docs/clients.es.md, the page in Spanish, has the examples of docs/clients.md in the same order', () => {
  const spanish = readDocumentationExamples('docs/clients.es.md');
  expect(spanish).toHaveLength(outputs.length + 1);
  expect(spanish.map(({ code }) => code)).toEqual(readDocumentationExamples('docs/clients.md').map(({ code }) => code));
});

for (const [index, { language, code }] of examples.entries()) {
  const command = commands[language];
  const testInstalled = command === null ? test.skip : test;

  testInstalled(
    `example ${index + 1} of docs/clients.md, which is in the language ${language}, prints the documented output`,
    async () => {
      if (!command) throw new Error(`say in this test how to run an example in ${language}`);
      const file = join(folder, `${index}-${command.file}`);
      writeFileSync(file, code);
      const { stdout } = await run(command.program, [file], {
        env: { PATH: process.env['PATH'], LECTERN_URL: lectern.url, LECTERN_KEY: lectern.token },
      });
      const expected = outputs[index];
      if (expected instanceof RegExp) expect(stdout).toMatch(expected);
      else expect(stdout).toBe(expected);
    },
  );
}
