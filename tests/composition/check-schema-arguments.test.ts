import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram, repositoryRoot } from '@lectern/testing';
import { startScriptRunner } from '../support/script-runner';
import type { SchemaTree } from './check-schema-fixture';
import { removeContractField, textSchema, withSchemaTree } from './check-schema-fixture';

const runner = startScriptRunner();
afterAll(() => runner.close());
const withTree = (use: (tree: SchemaTree) => Promise<void>) => withSchemaTree(runner, use);

const git = findProgram(['git'], 'git');
const withGit = git === null ? describe.skip : describe;

/**
 * The first line of supergraph.yaml that is not a comment. A GraphQL parser finds its first error
 * there, because `#` begins a comment in GraphQL too.
 */
const firstYamlLine =
  readFileSync(join(repositoryRoot, 'supergraph.yaml'), 'utf8')
    .split('\n')
    .findIndex((line) => !line.startsWith('#')) + 1;

test.each([
  ['a missing --against file', ['--against', 'none.graphql'], 'none.graphql: no such file'],
  ['a folder as --against', ['--against', 'tests'], 'tests: is a folder'],
  [
    'an --against file that is not GraphQL',
    ['--against', 'supergraph.yaml'],
    `supergraph.yaml:${firstYamlLine}:1: Syntax Error`,
  ],
  ["a subgraph's schema as --against", ['--against', textSchema], 'neither a supergraph nor an API schema'],
  [
    'an --against file of operations',
    ['--against', 'tests/operations/reader.graphql'],
    'neither a supergraph nor an API schema',
  ],
  ['an unknown option', ['--agianst', 'x'], "Unknown option '--agianst'"],
  ['--against without a value', ['--against'], '--against'],
])('check-schema rejects %s with exit status 2 and the reason', async (_, args, words) => {
  await withTree(async (tree) =>
    expect(await tree.check(...args)).toMatchObject({ status: 2, output: expect.stringContaining(words) }),
  );
});

withGit('comparison with a git branch', () => {
  test('check-schema --against git:REF compares with a branch, and rejects a missing branch and a branch without a supergraph', async () => {
    await withTree(async (tree) => {
      expect(await tree.check('--against', 'git:main')).toMatchObject({
        status: 2,
        output: expect.stringContaining('not a git checkout'),
      });
      tree.git('init', '--quiet', '--initial-branch=main');
      tree.git('commit', '--quiet', '--allow-empty', '--message=nothing yet');
      expect(await tree.check('--against', 'git:main')).toMatchObject({
        status: 2,
        output: expect.stringContaining('has no supergraph.graphql'),
      });
      tree.git('add', '.');
      tree.git('commit', '--quiet', '--message=all');
      removeContractField(tree);
      expect((await tree.report('--against', 'git:main')).breaking[0]).toMatchObject({
        against: ['git:main', 'tests/contract.graphql'],
        places: [{ subgraph: 'text' }],
      });
      for (const ref of ['git:none', 'git:--help', 'git:'])
        expect(await tree.check('--against', ref)).toMatchObject({
          status: 2,
          output: expect.stringMatching(/no such branch|names no branch/),
        });
    });
  });
});

test('check-schema --help lists --against git:REF', async () => {
  await withTree(async (tree) =>
    expect(await tree.check('--help')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('--against git:REF'),
    }),
  );
});
