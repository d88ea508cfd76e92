import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { runDocumentsCommand } from '@lectern/gateway';
import { repositoryRoot } from '@lectern/testing';
import { books, verse, withVariable } from './operations-and-responses';
import { apolloManifest, removeManifests, writeManifest } from './write-manifest';

afterAll(removeManifests);

const supergraph = join(repositoryRoot, 'supergraph.graphql');

async function runDocuments(args: readonly string[], env: NodeJS.ProcessEnv = { SUPERGRAPH: supergraph }) {
  const output = { stdout: '', stderr: '' };
  const code = await runDocumentsCommand(args, {
    env,
    stdout: (text) => (output.stdout += text),
    stderr: (text) => (output.stderr += text),
  });
  return { code, ...output };
}

test('the command documents check exits with 0 for a valid manifest of trusted documents in the format of Apollo or Relay', async () => {
  const apollo = writeManifest(apolloManifest([verse, books, withVariable]));
  expect(await runDocuments(['check', apollo])).toEqual({
    code: 0,
    stdout: `${apollo}: 3 operations are valid.\n`,
    stderr: '',
  });
  const relay = writeManifest(JSON.stringify({ abc: verse.body }), 'relay.json');
  expect(await runDocuments(['check', relay, '--supergraph', supergraph], {})).toMatchObject({
    code: 0,
    stdout: `${relay}: 1 operation is valid.\n`,
  });
});

test('the command documents check exits with 1 and gives the reason for every invalid operation of the manifest', async () => {
  const file = writeManifest(
    apolloManifest([
      verse,
      { name: 'Change', body: 'mutation Change { testField }' },
      { name: 'Nope', body: 'query Nope { nope nothing }' },
    ]),
  );
  expect(await runDocuments(['check', file])).toEqual({
    code: 1,
    stdout: '',
    stderr: `"Change": it is a mutation: the API only reads, so remove it from the manifest
"Nope": Cannot query field "nope" on type "Query". Cannot query field "nothing" on type "Query".
${file}: 2 of 3 operations are invalid.
`,
  });
});

test('the command documents check applies the limit on the cost of an operation in the environment variable MAX_COMPLEXITY', async () => {
  const file = writeManifest(apolloManifest([books]));
  expect(await runDocuments(['check', file], { SUPERGRAPH: supergraph, MAX_COMPLEXITY: '1' })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('"Books": Query has complexity of 2, which exceeds max complexity of 1') as string,
  });
});

test.each<[string, number, () => string[], RegExp]>([
  [
    'a missing manifest',
    1,
    () => ['check', '/nowhere.json'],
    /^Cannot read the manifest of trusted documents \/nowhere\.json \(ENOENT\)/,
  ],
  ['a manifest that is cut off', 1, () => ['check', writeManifest('{"format"')], /cut off/],
  [
    'a missing supergraph',
    1,
    () => ['check', writeManifest(apolloManifest([verse])), '--supergraph', '/nowhere'],
    /^Cannot read the supergraph \/nowhere/,
  ],
  ['a missing command', 2, () => [], /Usage: npm run documents -- COMMAND/],
  ['an unknown command', 2, () => ['chekc'], /unknown command 'chekc'/],
  ['a missing argument FILE', 2, () => ['check'], /missing required argument 'FILE'/],
  ['two FILE arguments', 2, () => ['check', 'a.json', 'b.json'], /too many arguments/],
])('the command documents prints the reason for %s to stderr, and exits with %i', async (_, code, args, stderr) => {
  const result = await runDocuments(args());
  expect([result.code, result.stdout]).toEqual([code, '']);
  expect(result.stderr).toMatch(stderr);
});

test('the program gateway/dist/documents-main.js runs the command documents check and prints its output', () => {
  const file = writeManifest(apolloManifest([verse]));
  const main = join(repositoryRoot, 'gateway/dist/documents-main.js');
  const output = execFileSync(process.execPath, [main, 'check', file], { cwd: repositoryRoot, encoding: 'utf8' });
  expect(output).toBe(`${file}: 1 operation is valid.\n`);
});

test('the commands documents --help and documents check --help print a help text', async () => {
  expect(await runDocuments(['--help'])).toMatchObject({ code: 0, stdout: expect.stringContaining('check') as string });
  expect(await runDocuments(['check', '--help'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/--supergraph[^]*Exit status: 0/) as string,
  });
});
