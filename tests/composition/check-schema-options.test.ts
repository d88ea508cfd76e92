import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram, repositoryRoot } from '@lectern/testing';
import { subgraphNames } from '../support/repository-subgraphs';
import { startScriptRunner } from '../support/script-runner';
import type { SchemaTree } from './check-schema-fixture';
import {
  againstSupergraph,
  allowedBreaksFile,
  removeContractField,
  textSchema,
  withSchemaTree,
} from './check-schema-fixture';

const runner = startScriptRunner();
afterAll(() => runner.close());
const withTree = (use: (tree: SchemaTree) => Promise<void>) => withSchemaTree(runner, use);

const git = findProgram(['git'], 'git');
const withGit = git === null ? describe.skip : describe;

const allowance = (change: string, until: string) =>
  `- change: ${JSON.stringify(change)}\n  until: ${until}\n  reason: agreed with the reading applications\n`;
const inDays = (days: number) => new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);

describe('allowed breaks', () => {
  const removedField = "Field 'dialects' was removed from object type 'Query'";
  /**
   * Adds a field, composes the supergraph with this field, and removes the field again.
   * contract.graphql and the operations of clients do not contain the field.
   */
  const removeNewField = async (tree: SchemaTree) => {
    tree.edit(textSchema, 'type Query {\n', 'type Query {\n  "Ways to speak a language."\n  dialects: [Language!]\n\n');
    await tree.compose();
    tree.edit(textSchema, '  "Ways to speak a language."\n  dialects: [Language!]\n\n', '');
  };

  test('check-schema passes and reports a breaking change that allowed-breaks.yaml allows until today', async () => {
    await withTree(async (tree) => {
      await removeNewField(tree);
      expect(await tree.check(...againstSupergraph)).toMatchObject({
        status: 1,
        output: expect.stringContaining(removedField),
      });
      tree.write(allowedBreaksFile, allowance(removedField, inDays(0)));
      const { status, output } = await tree.check(...againstSupergraph);
      expect(status).toBe(0);
      expect(output).toContain('1 breaking change allowed for a time');
      expect(output).toContain(`Until ${inDays(0)}: agreed with the reading applications`);
    });
  });

  test.each([
    ['an entry that expired yesterday', allowance(removedField, inDays(-1)), `:1: expired on ${inDays(-1)}`],
    ['an entry whose last day does not exist', allowance(removedField, '2026-02-30'), 'until must be a day'],
    [
      'an entry whose last day is over 180 days ahead',
      allowance(removedField, '2999-01-01'),
      'until may lie 180 days ahead',
    ],
    ['an entry without a reason', `- change: "${removedField}"\n  until: ${inDays(3)}\n`, 'reason is missing'],
    ['an entry with an unknown key', `${allowance(removedField, inDays(3))}  untill: x\n`, 'unknown key "untill"'],
    ['text that is not a list', 'dialects: true\n', 'must be a list'],
    ['text that is not YAML', '- change: [', ':1: '],
  ])(
    'check-schema fails if allowed-breaks.yaml has %s, and reports the line and the reason',
    async (_, text, words) => {
      await withTree(async (tree) => {
        tree.write(allowedBreaksFile, text);
        const { status, output } = await tree.check();
        expect(status).toBe(1);
        expect(output.split('\n').find((line) => line.startsWith(`  ${allowedBreaksFile}:`))).toContain(words);
      });
    },
  );

  test('check-schema fails on an expired entry of allowed-breaks.yaml, and passes with a message about an unused entry', async () => {
    await withTree(async (tree) => {
      tree.write(allowedBreaksFile, allowance(removedField, inDays(-1)));
      expect(await tree.check()).toMatchObject({ status: 1, output: expect.stringContaining('expired on') });
      tree.write(allowedBreaksFile, allowance(removedField, inDays(9)));
      expect(await tree.check(...againstSupergraph)).toMatchObject({
        status: 0,
        output: expect.stringContaining('Allowances that nothing needs any more'),
      });
    });
  });

  test('check-schema fails on a breaking change if allowed-breaks.yaml allows only another change', async () => {
    await withTree(async (tree) => {
      await removeNewField(tree);
      tree.write(allowedBreaksFile, allowance("Field 'languages' was removed from object type 'Query'", inDays(9)));
      expect((await tree.check(...againstSupergraph)).status).toBe(1);
    });
  });

  test('publish-schema publishes a breaking change after the entry that its output shows was added to allowed-breaks.yaml', async () => {
    await withTree(async (tree) => {
      const field = 'type Query {\n  "A field of a test."\n  removedLater: Int\n\n';
      const publish = (...names: string[]) => tree.script('publish-schema.mjs', [...names, '--registry', 'registry']);
      tree.edit(textSchema, 'type Query {\n', field);
      expect(await publish(...subgraphNames)).toMatchObject({ status: 0 });
      tree.edit(textSchema, field, 'type Query {\n');
      const { status, output } = await publish('text');
      const [shown = ''] = /^ *- change: .*\n *until: .*\n *reason: .*$/m.exec(output) ?? [];
      expect([status, shown]).toEqual([1, expect.stringContaining("'removedLater' was removed")]);
      tree.write(allowedBreaksFile, `${shown.replace('YYYY-MM-DD', inDays(1))}\n`);
      expect(await publish('text')).toMatchObject({ status: 0 });
      expect(await publish('text')).toMatchObject({ output: expect.stringContaining('is published already') });
    });
  });
});

test('publish-schema fails and writes nothing if the lock file of another publisher stays in the folder', async () => {
  await withTree(async (tree) => {
    const folder = join(tree.folder, 'registry');
    mkdirSync(folder);
    writeFileSync(join(folder, '.publishing'), 'process 1\n');
    const { status, output } = await tree.script('publish-schema.mjs', [...subgraphNames, '--registry', folder]);
    expect([status, output]).toEqual([1, expect.stringContaining('.publishing has existed for 10 seconds')]);
    expect(readdirSync(folder)).toEqual(['.publishing']);
  });
});

/** The line of supergraph.yaml after its comments, where a parser of GraphQL finds the first error. */
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
  test('check-schema --against git:REF compares with a branch and rejects a missing branch, a branch without a supergraph and a folder outside git', async () => {
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
