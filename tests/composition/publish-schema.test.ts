import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '@lectern/testing';
import type { ScriptRunner } from '../support/script-runner';
import { startScriptRunner } from '../support/script-runner';
import { subgraphNames } from '../support/supergraph-yaml';
import type { SchemaTree } from './check-schema-fixture';
import { removeContractField, searchSchema, textSchema, withSchemaTree } from './check-schema-fixture';

const composed = readFileSync(join(repositoryRoot, 'supergraph.graphql'), 'utf8');
const withoutHeading = (text: string) => text.replace(/^(?:#.*\n)+/, '');

let runner: ScriptRunner;
beforeAll(() => {
  runner = startScriptRunner();
});
afterAll(() => runner.close());

const registryOf = (tree: SchemaTree) => join(tree.folder, 'registry');
const publish = (tree: SchemaTree, ...args: string[]) =>
  tree.script('publish-schema.mjs', ['--registry', registryOf(tree), ...args]);
const rollBack = (tree: SchemaTree, ...args: string[]) =>
  tree.script('rollback-schema.mjs', ['--registry', registryOf(tree), ...args]);
const publishAll = async (tree: SchemaTree, ...args: string[]) =>
  expect(await publish(tree, ...subgraphNames, ...args)).toMatchObject({ status: 0 });
const addField = (tree: SchemaTree, file: string, name: string) =>
  tree.edit(file, 'type Query {\n', `type Query {\n  "A field of a test."\n  ${name}: Int\n\n`);
const published = (tree: SchemaTree) => readFileSync(join(registryOf(tree), 'supergraph.graphql'), 'utf8');
/** The files of the registry, with the times at which they were written. */
const writes = (tree: SchemaTree) =>
  readdirSync(registryOf(tree), { encoding: 'utf8', recursive: true })
    .sort()
    .map((file) => `${file} ${statSync(join(registryOf(tree), file)).mtimeMs}`);

test('publish:schema of all services writes the supergraph of npm run compose, and nothing for an unchanged service', () =>
  withSchemaTree(runner, async (tree) => {
    await publishAll(tree);
    expect(withoutHeading(published(tree))).toBe(withoutHeading(composed));
    expect(readdirSync(registryOf(tree)).sort()).toEqual(['schemas.json', 'supergraph.graphql']);
    const before = writes(tree);
    const again = await publish(tree, 'text');
    expect([again.status, again.output]).toEqual([0, expect.stringContaining('this schema is published already')]);
    expect(writes(tree)).toEqual(before);
  }));

test('npm run publish:schema names the services of supergraph.yaml that the published supergraph lacks', () =>
  withSchemaTree(runner, async (tree) => {
    const { status, output } = await publish(tree, 'text', 'search', 'concordance', 'study');
    expect([status, output]).toEqual([
      0,
      expect.stringContaining('The published supergraph lacks originals, which supergraph.yaml has'),
    ]);
    expect((await publish(tree, 'originals')).output).not.toContain('lacks');
  }));

test('the version of a published schema is the commit that published it first, or without git that of the package', () =>
  withSchemaTree(runner, async (tree) => {
    const heading = () => published(tree).split('\n')[0];
    await publishAll(tree);
    expect(heading()).toMatch(/^# Published \d{4}-\S+ by `npm run publish:schema`: text 0\.1\.0, search 0\.1\.0,/);
    const commit = () => {
      for (const args of [
        ['init', '--quiet'],
        ['add', 'services'],
        ['commit', '--quiet', '--message', 'A change'],
      ])
        tree.git(...args);
      const { stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: tree.folder, encoding: 'utf8' });
      return stdout.slice(0, 12);
    };
    addField(tree, textSchema, 'one');
    const first = commit();
    expect((await publish(tree, 'text', 'search')).output).toContain(`published text ${first}, search 0.1.0 at `);
    addField(tree, searchSchema, 'two');
    expect((await publish(tree, 'search')).output).toContain(`published search ${first}-dirty at `);
    commit();
    expect((await publish(tree, 'text')).output).toContain(`text ${first}: this schema is published already`);
    expect(heading()).toContain(`: text ${first}, search ${first}-dirty, concordance 0.1.0,`);
  }));

test('npm run publish:schema of one service keeps the published schemas of other services, even if their files have changed', () =>
  withSchemaTree(runner, async (tree) => {
    await publishAll(tree);
    addField(tree, searchSchema, 'notPublished');
    addField(tree, textSchema, 'added');
    const { status, output } = await publish(tree, 'text', '--routing-url', 'http://text:4001/graphql');
    expect([status, output]).toEqual([0, expect.stringContaining("Field 'added' was added to object type 'Query'")]);
    expect(published(tree)).toMatch(/ {2}added: Int @join__field\(graph: TEXT\)/);
    expect(published(tree)).toContain('@join__graph(name: "text", url: "http://text:4001/graphql")');
    expect(published(tree)).not.toContain('notPublished');
    // Publishing again repairs a supergraph that an interrupted publish did not replace.
    writeFileSync(join(registryOf(tree), 'supergraph.graphql'), composed);
    expect(await publish(tree, 'text')).toMatchObject({ status: 0 });
    expect(published(tree)).toContain('added: Int');
  }));

test('publish:schema exits with 1 and writes nothing if the schema breaks clients of the published supergraph', () =>
  withSchemaTree(runner, async (tree) => {
    await publishAll(tree);
    const before = writes(tree);
    removeContractField(tree);
    for (const args of [['--check'], []]) {
      const { status, output } = await publish(tree, 'text', ...args);
      expect(status).toBe(1);
      expect(output).toMatch(
        /Field 'languageName' was removed from object type 'Translation'[^]*Nothing was published/,
      );
    }
    expect(writes(tree)).toEqual(before);
  }));

test('publish:schema exits with 1 and writes nothing if an operation needs more fetches than --max-fetches-growth allows', () =>
  withSchemaTree(runner, async (tree) => {
    // A few small operations in place of those of all applications, which take half a minute to plan.
    rmSync(join(tree.folder, 'tests/operations'), { recursive: true });
    mkdirSync(join(tree.folder, 'tests/operations'));
    const files = [
      ...subgraphNames.map((name) => `services/${name}/examples`),
      'packages/client/documents',
      'packages/mcp/documents',
    ];
    for (const file of files)
      tree.write(`${file}.graphql`, 'query Text { verse(book: "JHN", chapter: 3, verse: 16) { text } }');
    await publishAll(tree);
    const before = published(tree);
    tree.edit(textSchema, `  "The text on one line, without markup or notes."\n  text: String! @shareable\n`, '');
    const { status, output } = await publish(tree, 'text', '--max-fetches-growth', '0');
    expect(status).toBe(1);
    expect(output).toMatch(/\(Text\): 2 fetches, 1 before[^]*Nothing was published/);
    expect(published(tree)).toBe(before);
    expect(await publish(tree, 'text')).toMatchObject({ status: 0 });
  }));

test('publish:schema exits with 1 and writes nothing if the schema does not compose with the published schemas', () =>
  withSchemaTree(runner, async (tree) => {
    await publishAll(tree);
    const before = writes(tree);
    addField(tree, searchSchema, 'translations');
    const { status, output } = await publish(tree, 'search');
    expect([status, output]).toEqual([1, expect.stringContaining('The subgraphs do not compose')]);
    expect(writes(tree)).toEqual(before);
  }));

test('npm run publish:schema -- --check writes nothing to the registry', () =>
  withSchemaTree(runner, async (tree) => {
    const { status, output } = await publish(tree, ...subgraphNames, '--check');
    expect([status, output]).toEqual([0, expect.stringContaining('can be published')]);
    expect(existsSync(registryOf(tree))).toBe(false);
  }));

test('two services can publish their schemas at the same time, and the supergraph then has the new fields of the two services', () =>
  withSchemaTree(runner, (tree) =>
    withSchemaTree(runner, async (other) => {
      const otherRunner = startScriptRunner();
      await publishAll(tree);
      addField(tree, textSchema, 'fromText');
      addField(other, searchSchema, 'fromSearch');
      const results = await Promise.all([
        publish(tree, 'text'),
        otherRunner.run(other.folder, 'publish-schema.mjs', ['search', '--registry', registryOf(tree)]),
      ]);
      await otherRunner.close();
      expect(results).toMatchObject([{ status: 0 }, { status: 0 }]);
      expect(published(tree)).toMatch(/fromText: Int/);
      expect(published(tree)).toMatch(/fromSearch: Int/);
    }),
  ));

test('rollback:schema restores the supergraph before the last publication, or with --to an earlier one', () =>
  withSchemaTree(runner, async (tree) => {
    await publishAll(tree);
    for (const name of ['one', 'two']) {
      addField(tree, textSchema, name);
      expect(await publish(tree, 'text')).toMatchObject({ status: 0 });
    }
    const fields = () => ['one', 'two'].filter((name) => published(tree).includes(`  ${name}: Int`));
    const times = (await rollBack(tree, '--list')).stdout.match(/^\S+Z/gm) ?? [];
    expect([times.length, fields()]).toEqual([3, ['one', 'two']]);
    expect((await rollBack(tree)).output).toContain(`published the schemas of ${times[1]} again`);
    expect(fields()).toEqual(['one']);
    expect(await rollBack(tree)).toMatchObject({ status: 0 });
    expect(fields()).toEqual([]);
    expect(await rollBack(tree)).toMatchObject({
      status: 1,
      output: expect.stringMatching(/nothing was published before/) as string,
    });
    const listed = (await rollBack(tree, '--list')).stdout.trim().split('\n');
    expect(listed.map((line) => line.replace(/^\S+ {2}text \S+, [^(]*?(?: {2}|$)/, ''))).toEqual([
      `(${times[2]} again)`,
      `(${times[1]} again, rolled back)`,
      '(rolled back)',
      '(rolled back)',
      '(rolled back)',
    ]);
    expect(listed.slice(2).map((line) => /^\S+/.exec(line)?.[0])).toEqual(times);
    expect(await rollBack(tree, '--to', times[0] ?? '')).toMatchObject({ status: 0 });
    expect(fields()).toEqual(['one', 'two']);
    expect(await rollBack(tree, '--to', 'yesterday')).toMatchObject({
      status: 1,
      output: expect.stringMatching(/--list/) as string,
    });
  }));

test.each([
  ['JSON that is cut off', '{"published":'],
  ['JSON of another form', '{"published":"2026-01-01T00:00:00.000Z","previous":null,"subgraphs":{"text":{}}}'],
])('publishing a schema to a registry whose schemas.json has %s fails with the reason', (_, content) =>
  withSchemaTree(runner, async (tree) => {
    mkdirSync(registryOf(tree));
    writeFileSync(join(registryOf(tree), 'schemas.json'), content);
    const { status, output } = await publish(tree, 'text');
    expect([status, output]).toEqual([1, expect.stringContaining('was not written by npm run publish:schema')]);
  }),
);

test.each<[string, string[], RegExp]>([
  ['no registry', ['text', '--registry', ''], /No registry: set SCHEMA_REGISTRY/],
  ['an unknown service', ['texts'], /supergraph\.yaml has no texts\. It has text, search/],
  ['a URL as its registry', ['text', '--registry', 'https://host/'], /https: is not a known kind of registry/],
  ['a target of Hive as its registry', ['text', '--registry', 'hive:a/b/c'], /hive: is not a known kind of registry/],
  ['a routing URL for two services', ['text', 'search', '--routing-url', 'http://a/'], /one at a time/],
  ['an invalid routing URL', ['text', '--routing-url', 'text:4001'], /must be a URL/],
  [
    'a git URL that git would read as an option',
    ['text', '--registry', 'git+--upload-pack=x#main'],
    /git\+ needs a URL/,
  ],
  ['no service', [], /argument <services...> is missing/],
])('npm run publish:schema with %s exits with status 2 and prints the reason', (_, args, reason) =>
  withSchemaTree(runner, async (tree) => {
    const { status, output } = await publish(tree, ...args);
    expect([status, output]).toEqual([2, expect.stringMatching(reason)]);
  }),
);

test('publishing to a git repository makes one commit, and keeps the schema that another service pushes meanwhile', () =>
  withSchemaTree(runner, async (tree) => {
    const [bare, copy] = [join(tree.folder, 'schemas.git'), join(tree.folder, 'copy.git')];
    const git = (...args: string[]) => spawnSync('git', ['-C', bare, ...args], { encoding: 'utf8' }).stdout.trim();
    spawnSync('git', ['init', '--quiet', '--bare', bare]);
    const to = (repository: string) => ['--registry', `git+file://${repository}#main:lectern`];
    await publishAll(tree, ...to(bare));
    expect(git('ls-tree', '-r', '--name-only', 'main').split('\n')).toEqual([
      'lectern/schemas.json',
      'lectern/supergraph.graphql',
    ]);
    // The hook rejects the first push, and fetches what the search service has published in a copy of the repository.
    cpSync(bare, copy, { recursive: true });
    addField(tree, searchSchema, 'fromSearch');
    expect(await publish(tree, 'search', ...to(copy))).toMatchObject({ status: 0 });
    const hook = join(bare, 'hooks', 'pre-receive');
    writeFileSync(
      hook,
      `#!/bin/sh
test -e pushed && exit 0
touch pushed
unset GIT_QUARANTINE_PATH GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES
git fetch --quiet '${copy}' main:main
exit 1
`,
    );
    chmodSync(hook, 0o755);
    addField(tree, textSchema, 'fromText');
    expect(await publish(tree, 'text', ...to(bare))).toMatchObject({ status: 0 });
    expect(existsSync(join(bare, 'pushed'))).toBe(true);
    expect(git('log', '--format=%s', 'main').split('\n')).toEqual([
      'Publish text 0.1.0',
      'Publish search 0.1.0',
      `Publish ${subgraphNames.map((name) => `${name} 0.1.0`).join(', ')}`,
    ]);
    const supergraph = () => git('show', 'main:lectern/supergraph.graphql');
    expect(supergraph()).toMatch(/fromText: Int[^]*fromSearch: Int|fromSearch: Int[^]*fromText: Int/);
    for (const _ of ['text', 'search']) expect(await rollBack(tree, ...to(bare))).toMatchObject({ status: 0 });
    expect(withoutHeading(supergraph())).toBe(withoutHeading(composed).trim());
    expect((await publish(tree, 'text', ...to(`${bare}-missing`))).output).toMatch(/git clone failed/);
  }));
