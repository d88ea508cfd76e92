import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLongRun } from '@lectern/testing';
import { startScriptRunner } from '../support/script-runner';
import { subgraphNames } from '../support/supergraph-yaml';
import { copyRepository } from './copy-repository';

// No real subgraph will have these names, so the tests still pass after somebody has created one.
const name = 'firsttest';
const secondName = 'secondtest';
const thirdName = 'thirdtest';
const runner = startScriptRunner();
const folder = mkdtempSync(join(tmpdir(), 'lectern-copy-'));
beforeAll(() => copyRepository(folder));
afterAll(async () => {
  await runner.close();
  rmSync(folder, { recursive: true, force: true });
});

const newSubgraph = (...args: string[]) => runner.run(folder, 'new-subgraph.mjs', args);
/** Runs git in the copy of the repository. Returns the lines of its output. */
const git = (...args: string[]) =>
  spawnSync('git', args, { cwd: folder, encoding: 'utf8' }).stdout.split('\n').filter(Boolean);
const read = (file: string) => readFileSync(join(folder, file), 'utf8');
const startScript = (service: string): string => JSON.parse(read(`services/${service}/package.json`)).scripts.start;

/**
 * Runs a program of node_modules in the copy of the repository. Returns its output if it fails,
 * else null.
 */
function failureOf(program: string, args: readonly string[], env: Record<string, string> = {}): string | null {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join('node_modules', program), ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, ...env },
  });
  return status === 0 ? null : stdout + stderr;
}

const cannotBe = 'cannot be the name of a subgraph. Use 2 to 30 lower-case letters, such as lexicon: ';

test.each([
  ['the name of an existing service', 'study', 'services/study exists. Choose another name.'],
  ['a name with a capital letter', 'Lexicon', `"Lexicon" ${cannotBe}`],
  ['a path', '../lexicon', `"../lexicon" ${cannotBe}`],
  ['a name in Cyrillic letters', 'лексикон', `"лексикон" ${cannotBe}`],
  ['a name of 31 letters', 'a'.repeat(31), `"${'a'.repeat(31)}" ${cannotBe}`],
  ['an empty name', '', `"" ${cannotBe}`],
  ['the name of a package', 'canon', 'The name canon is taken by a package in packages/. Choose another name.'],
  [
    'the name of a stage of the Dockerfile',
    'data',
    'The name data is taken by a stage of the Dockerfile. Choose another name.',
  ],
  [
    'the name of a network of Docker Compose',
    'stores',
    'The name stores is taken by docker-compose.yml. Choose another name.',
  ],
  [
    'the name of a workflow',
    'nightly',
    'The name nightly is taken by a workflow in .github/workflows/. Choose another name.',
  ],
  [
    'a name whose first query field would be the existing Query.randomVerse',
    'random',
    'The first fields of the subgraph would include Query.randomVerse, which exists.',
  ],
])(
  'npm run new:subgraph rejects %s with the reason, creates no service, and leaves supergraph.yaml unchanged',
  async (_, rejected, reason) => {
    const before = read('supergraph.yaml');
    expect(await newSubgraph(rejected)).toMatchObject({ status: 2, stderr: expect.stringContaining(reason) });
    expect([read('supergraph.yaml'), existsSync(join(folder, 'services', rejected, 'src/store.ts'))]).toEqual([
      before,
      rejected === 'study',
    ]);
  },
);

test('npm run new:subgraph prints its help with --help, and an error if the name is missing', async () => {
  expect(await newSubgraph('--help')).toMatchObject({
    status: 0,
    stdout: expect.stringContaining('2 to 30 lower-case letters'),
  });
  expect(await newSubgraph()).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('argument <name> is missing'),
  });
});

test('npm run new:subgraph creates a subgraph that compiles, composes and passes its tests, and prints the changed files', async () => {
  git('init', '--quiet');
  git('add', '--all');
  const created = await newSubgraph(name);
  expect(created).toMatchObject({ status: 0, stderr: '' });
  expect(created.stdout).toContain('Next: npm test');
  const listed = created.stdout.match(/(?<=^ {2})\S+$/gm) ?? [];
  const changed = [...git('diff', '--name-only'), ...git('ls-files', '--others', '--exclude-standard')];
  expect(listed.sort()).toEqual(changed.sort());
  rmSync(join(folder, '.git'), { recursive: true });
  // The comment above the next service stays whole.
  expect(read('docker-compose.yml')).not.toMatch(/^ {2}#.*\n {2}firsttest:/m);
  expect(startScript(name)).toBe(startScript('study').replace('study', name));
  expect(read('supergraph.graphql')).toContain(`${name}Place: String! @join__field(graph: ${name.toUpperCase()})`);
  // Creates the link that `npm install` would create for the new workspace.
  symlinkSync(join('..', '..', 'services', name), join(folder, 'node_modules/@lectern', name));
  expect(failureOf('typescript/bin/tsc', ['-p', `services/${name}`])).toBeNull();
  expect(failureOf('typescript/bin/tsc', ['--noEmit', ...(isLongRun ? [] : ['-p', 'packages/standalone'])])).toBeNull();
  expect(failureOf('@biomejs/biome/bin/biome', ['ci', `services/${name}`, 'packages/standalone'])).toBeNull();
  // The selected tests start no compiled process. Such a process would lack the new subgraph: the
  // packages that now import the subgraph, such as packages/standalone, are not compiled again.
  const files = ['dockerfile', 'docker-compose', 'kubernetes'].map((file) => `tests/containers/${file}.test.ts`);
  const tests = isLongRun
    ? [
        ...files,
        'tests/ci',
        'tests/docs',
        'tests/composition/compose',
        'tests/composition/cost',
        'tests/composition/contract',
      ]
    : [...files, 'tests/ci/github-workflows', 'tests/docs/docs-match-code'];
  const selected = ['-w', '1', `services/${name}`, ...tests, '--testPathIgnorePatterns', 'new-subgraph|tutorials'];
  expect(failureOf('jest/bin/jest.js', ['--silent', ...selected], { TEST_SEED: '1' })).toBeNull();
});

test('a second npm run new:subgraph adds its subgraph after the first, with the next port', async () => {
  expect(await newSubgraph(secondName)).toMatchObject({ status: 0, stderr: '' });
  expect(read('supergraph.yaml').match(/^ {2}\w+(?=:$)/gm)).toEqual(
    [...subgraphNames, name, secondName].map((each) => `  ${each}`),
  );
  expect(read(`services/${secondName}/src/config.ts`)).toContain(`defaultPort: ${4001 + subgraphNames.length + 1}`);
  for (const file of ['docker-compose.yml', 'deploy/kubernetes/settings.yaml'])
    expect(read(file)).toMatch(
      new RegExp(
        `SUBGRAPH_URLS: \\S+,${name}=http://${name}:\\d+/graphql,${secondName}=http://${secondName}:\\d+/graphql`,
      ),
    );
});

test('a new subgraph that only extends Verse passes the tests of the examples, whose verses come from the text subgraph', async () => {
  const files = {
    'schema.graphql': `extend schema @link(url: "https://specs.apollo.dev/federation/v2.11", import: ["@key"])
"A verse of one translation."
type Verse @key(fields: "id") {
  "Opaque, and the same in every part of the graph."
  id: ID!
  "The place of the verse."
  ${secondName}Place: String!
}`,
    'src/resolvers.ts': read(`services/${secondName}/src/resolvers.ts`).replace(/^ {4}Query: \{.*?^ {4}\},$/ms, ''),
    'examples.graphql': `query PlaceAndText {
  verse(book: "John", chapter: 3, verse: 16) { id text ${secondName}Place }
}`,
  };
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, 'services', secondName, file), text);
  expect(await runner.run(folder, 'compose-supergraph.mjs', [])).toMatchObject({ status: 0, stderr: '' });
  expect(failureOf('jest/bin/jest.js', ['--silent', '-w', '1', 'http-examples', '-t', 'example'])).toBeNull();
});

test('npm run new:subgraph names a file that cannot be changed, creates no service, and leaves the Dockerfile alone', async () => {
  rmSync(join(folder, 'docker-compose.yml'));
  const before = read('Dockerfile');
  expect(await newSubgraph(thirdName)).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('docker-compose.yml: no such file'),
  });
  expect([read('Dockerfile'), existsSync(join(folder, 'services', thirdName))]).toEqual([before, false]);
});
