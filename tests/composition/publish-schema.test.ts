import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { repositoryRoot } from '@lectern/testing';
import type { SchemaRegistry } from '../support/schema-bucket-server';
import { registryKey, startSchemaRegistry } from '../support/schema-bucket-server';
import type { ScriptResult, ScriptRunner } from '../support/script-runner';
import { startScriptRunner } from '../support/script-runner';
import { subgraphNames } from '../support/supergraph-yaml';
import type { SchemaTree } from './check-schema-fixture';
import { removeContractField, searchSchema, textSchema, withSchemaTree } from './check-schema-fixture';

const composed = readFileSync(join(repositoryRoot, 'supergraph.graphql'), 'utf8');
const withoutHeading = (text: string | null) => (text ?? '').replace(/^(?:#.*\n)+/, '');

let runner: ScriptRunner;
let registry: SchemaRegistry;
beforeAll(() => {
  Object.assign(process.env, {
    SCHEMA_REGISTRY_HEADERS: `X-Registry-Key=${registryKey}`,
    AWS_ACCESS_KEY_ID: 'an-access-key-id',
    AWS_SECRET_ACCESS_KEY: 'a-secret-access-key',
  });
  runner = startScriptRunner();
});
afterAll(() => runner.close());
beforeEach(async () => {
  registry = await startSchemaRegistry();
});
afterEach(() => registry.close());

const publish = (tree: SchemaTree, ...args: string[]) => tree.script('publish-schema.mjs', args);
const rollBack = (tree: SchemaTree, ...args: string[]) => tree.script('rollback-schema.mjs', args);
const to = (location = registry.url) => ['--registry', location];
const publishAll = async (tree: SchemaTree, location?: string) =>
  expect(await publish(tree, ...subgraphNames, ...to(location))).toMatchObject({ status: 0 });
const addField = (tree: SchemaTree, file: string, name: string) =>
  tree.edit(file, 'type Query {\n', `type Query {\n  "A field of a test."\n  ${name}: Int\n\n`);
const published = () => registry.read('supergraph.graphql') ?? '';
const countRequests = (start: string) => registry.requests.filter((each) => each.startsWith(start)).length;

test('npm run publish:schema of all services writes the same supergraph as npm run compose, and publishing an unchanged service again writes nothing', () =>
  withSchemaTree(runner, async (tree) => {
    await publishAll(tree);
    expect(withoutHeading(published())).toBe(withoutHeading(composed));
    expect(published()).toMatch(/^# Published \d{4}-.*: text 0\.1\.0, search 0\.1\.0,/);
    expect(published().split('\n')[1]).toBe(composed.split('\n')[1]);
    const puts = countRequests('PUT');
    const again = await publish(tree, 'text', ...to());
    expect([again.status, again.output]).toEqual([
      0,
      expect.stringContaining('text 0.1.0: this schema is published already'),
    ]);
    expect(countRequests('PUT')).toBe(puts);
  }));

test('npm run publish:schema of one service keeps the published schemas of other services, even if their files have changed', () =>
  withSchemaTree(runner, async (tree) => {
    await publishAll(tree);
    addField(tree, searchSchema, 'notPublished');
    addField(tree, textSchema, 'added');
    const { status, output } = await publish(tree, 'text', '--routing-url', 'http://text:4001/graphql', ...to());
    expect([status, output]).toEqual([0, expect.stringContaining("Field 'added' was added to object type 'Query'")]);
    expect(published()).toMatch(/ {2}added: Int @join__field\(graph: TEXT\)/);
    expect(published()).toContain('@join__graph(name: "text", url: "http://text:4001/graphql")');
    expect(published()).not.toContain('notPublished');
    // Publishing again repairs a supergraph that an interrupted publish did not replace.
    registry.put('supergraph.graphql', composed);
    expect(await publish(tree, 'text', ...to())).toMatchObject({ status: 0 });
    expect(published()).toContain('added: Int');
  }));

test('npm run publish:schema exits with 1 and writes nothing to the registry if the schema breaks clients of the published supergraph', () =>
  withSchemaTree(runner, async (tree) => {
    await publishAll(tree);
    const [before, puts] = [published(), countRequests('PUT')];
    removeContractField(tree);
    for (const args of [['--check'], []]) {
      const { status, output } = await publish(tree, 'text', ...args, ...to());
      expect(status).toBe(1);
      expect(output).toMatch(
        /Field 'languageName' was removed from object type 'Translation'[^]*Nothing was published/,
      );
    }
    expect([published(), countRequests('PUT')]).toEqual([before, puts]);
  }));

test('npm run publish:schema exits with 1 and writes nothing to the registry if a client operation needs more additional fetches than --max-fetches-growth allows', () =>
  withSchemaTree(runner, async (tree) => {
    await publishAll(tree);
    const before = published();
    tree.edit(textSchema, `  "The text on one line, without markup or notes."\n  text: String! @shareable\n`, '');
    const { status, output } = await publish(tree, 'text', ...to());
    expect(status).toBe(1);
    expect(output).toMatch(/\(McpCheckQuotation\): \d\d fetches, \d before[^]*Nothing was published/);
    expect(published()).toBe(before);
    expect(await publish(tree, 'text', '--max-fetches-growth', '50', ...to())).toMatchObject({ status: 0 });
  }));

test('npm run publish:schema exits with 1 and writes nothing to the registry if the schema does not compose with the published schemas', () =>
  withSchemaTree(runner, async (tree) => {
    await publishAll(tree);
    const [before, puts] = [published(), countRequests('PUT')];
    addField(tree, searchSchema, 'translations');
    const { status, output } = await publish(tree, 'search', ...to());
    expect([status, output]).toEqual([1, expect.stringContaining('The subgraphs do not compose')]);
    expect([published(), countRequests('PUT')]).toEqual([before, puts]);
  }));

test('npm run publish:schema -- --check writes nothing to the registry', () =>
  withSchemaTree(runner, async (tree) => {
    const { status, output } = await publish(tree, ...subgraphNames, '--check', ...to());
    expect([status, output]).toEqual([0, expect.stringContaining('can be published')]);
    expect(countRequests('PUT')).toBe(0);
  }));

test('two services can publish their schemas at the same time, and the supergraph then has the new fields of the two services', () =>
  withSchemaTree(runner, (tree) =>
    withSchemaTree(runner, async (other) => {
      const otherRunner = startScriptRunner();
      await publishAll(tree);
      addField(tree, textSchema, 'fromText');
      addField(other, searchSchema, 'fromSearch');
      let second: ScriptResult | null = null;
      registry.beforeEach(async ({ method, url }) => {
        if (second || method !== 'PUT' || url !== '/schemas.json') return;
        registry.beforeEach(null);
        // The second service publishes just before the first service writes its schema.
        second = await otherRunner.run(other.folder, 'publish-schema.mjs', ['search', ...to()]);
      });
      const first = await publish(tree, 'text', ...to());
      await otherRunner.close();
      expect((second as ScriptResult | null)?.stderr).toBe('');
      expect([second, first]).toMatchObject([{ status: 0 }, { status: 0 }]);
      expect(registry.requests).toContain('PUT /schemas.json 412');
      expect(published()).toMatch(/fromText: Int/);
      expect(published()).toMatch(/fromSearch: Int/);
    }),
  ));

test('npm run rollback:schema restores the supergraph before the last publication, or with --to any earlier supergraph of the history', () =>
  withSchemaTree(runner, async (tree) => {
    await publishAll(tree);
    for (const name of ['one', 'two']) {
      addField(tree, textSchema, name);
      expect(await publish(tree, 'text', ...to())).toMatchObject({ status: 0 });
    }
    const fields = () => ['one', 'two'].filter((name) => published().includes(`  ${name}: Int`));
    const times = (await rollBack(tree, '--list', ...to())).stdout.match(/^\S+Z/gm) ?? [];
    expect([times.length, fields()]).toEqual([3, ['one', 'two']]);
    expect((await rollBack(tree, ...to())).output).toContain(`published the schemas of ${times[1]} again`);
    expect(fields()).toEqual(['one']);
    expect(await rollBack(tree, ...to())).toMatchObject({ status: 0 });
    expect(fields()).toEqual([]);
    expect(await rollBack(tree, ...to())).toMatchObject({
      status: 1,
      output: expect.stringMatching(/nothing was published before/) as string,
    });
    const listed = (await rollBack(tree, '--list', ...to())).stdout.trim().split('\n');
    expect(listed.map((line) => line.replace(/^\S+ {2}text \S+, [^(]*?(?: {2}|$)/, ''))).toEqual([
      `(${times[2]} again)`,
      `(${times[1]} again, rolled back)`,
      '(rolled back)',
      '(rolled back)',
      '(rolled back)',
    ]);
    expect(listed.slice(2).map((line) => /^\S+/.exec(line)?.[0])).toEqual(times);
    expect(await rollBack(tree, '--to', times[0] ?? '', ...to())).toMatchObject({ status: 0 });
    expect(fields()).toEqual(['one', 'two']);
    expect(await rollBack(tree, '--to', 'yesterday', ...to())).toMatchObject({
      status: 1,
      output: expect.stringMatching(/--list/) as string,
    });
  }));

const respond =
  (status: number, text: string, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    void response.writeHead(status, headers).end(text);

test.each<[string, RequestListener, RegExp]>([
  ['an HTML page', respond(200, '<!doctype html>', { etag: '"1"' }), /was not written by npm run publish:schema/],
  ['JSON that is cut off', respond(200, '{"published":', { etag: '"1"' }), /was not written by npm run publish:schema/],
  ['no ETag', respond(200, '{}'), /has no ETag/],
  ['the status 401', respond(401, ''), /the status 401\. Check SCHEMA_REGISTRY_HEADERS/],
  ['the status 500', respond(500, ''), /the status 500/],
  ['a redirect', respond(302, '', { location: '/login' }), /the status 302/],
  ['no response', (request) => void request.socket.destroy(), /no response/],
])(
  'publishing a schema to a server that sends %s fails with the reason, and does not print the key of the schema registry',
  (_, listener, reason) =>
    withSchemaTree(runner, async (tree) => {
      registry.respondWith(listener);
      const { status, output } = await publish(tree, 'text', ...to());
      expect([status, output]).toEqual([1, expect.stringMatching(reason)]);
      expect(output).not.toContain(registryKey);
    }),
);

test('publishing a schema to a server that ignores If-Match fails before it writes a schema or a supergraph', () =>
  withSchemaTree(runner, async (tree) => {
    const careless = await startSchemaRegistry({ ignoresConditions: true });
    const { status, output } = await publish(tree, 'text', ...to(careless.url));
    careless.close();
    expect([status, output]).toEqual([1, expect.stringContaining('the server ignores If-Match')]);
    expect([careless.read('schemas.json'), careless.read('supergraph.graphql')]).toEqual([null, null]);
  }));

test.each<[string, string[], RegExp]>([
  ['no registry', ['text'], /No registry: set SCHEMA_REGISTRY/],
  ['an unknown service', ['texts', '--registry', '/nowhere'], /supergraph\.yaml has no texts\. It has text, search/],
  ['an unknown kind of registry', ['text', '--registry', 'ftp://host/'], /ftp: is not a known kind of registry/],
  ['a target of Hive as its registry', ['text', '--registry', 'hive:a/b/c'], /hive: is not a known kind of registry/],
  ['an invalid URL', ['text', '--registry', 'https://'], /is not a valid URL/],
  [
    'a routing URL for two services',
    ['text', 'search', '--routing-url', 'http://a/', '--registry', '/x'],
    /one at a time/,
  ],
  ['an invalid routing URL', ['text', '--routing-url', 'text:4001', '--registry', '/x'], /must be a URL/],
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

test('publishing a schema to an S3 bucket signs each request, and writes a file only if no other publisher has changed it meanwhile', () =>
  withSchemaTree(runner, async (tree) => {
    const signatures = new Set<string>();
    const conditions: string[] = [];
    registry.beforeEach(({ method, url, headers }) => {
      signatures.add(
        /^AWS4-HMAC-SHA256 Credential=an-access-key-id\/\d+\/us-east-1\/s3\//.exec(headers.authorization ?? '')?.[0]
          ? 'signed'
          : 'unsigned',
      );
      if (method === 'PUT') conditions.push(`${url} ${headers['if-match'] ?? headers['if-none-match']}`);
    });
    await publishAll(tree, `s3+${registry.url}/bucket/lectern`);
    expect([...signatures]).toEqual(['signed']);
    expect(conditions).toEqual([
      '/bucket/lectern/conditional-requests "no-such-version"',
      '/bucket/lectern/schemas.json *',
      '/bucket/lectern/supergraph.graphql *',
    ]);
    expect(withoutHeading(registry.read('bucket/lectern/supergraph.graphql'))).toBe(withoutHeading(composed));
  }));

test('publishing a schema to a folder writes the schemas, the supergraph and the history to the folder, and rollback:schema restores the earlier supergraph', () =>
  withSchemaTree(runner, async (tree) => {
    const location = join(tree.folder, 'registry');
    await publishAll(tree, location);
    addField(tree, textSchema, 'added');
    expect(await publish(tree, 'text', ...to(location))).toMatchObject({ status: 0 });
    expect(readdirSync(location).sort()).toEqual(['history', 'schemas.json', 'supergraph.graphql']);
    expect(await rollBack(tree, ...to(location))).toMatchObject({ status: 0 });
    expect(withoutHeading(readFileSync(join(location, 'supergraph.graphql'), 'utf8'))).toBe(withoutHeading(composed));
  }));

test('publishing a schema to a git repository makes one commit, and preserves a commit that another person pushes at the same time', () =>
  withSchemaTree(runner, async (tree) => {
    const bare = join(tree.folder, 'schemas.git');
    const git = (...args: string[]) => spawnSync('git', ['-C', bare, ...args], { encoding: 'utf8' }).stdout.trim();
    spawnSync('git', ['init', '--quiet', '--bare', bare]);
    const location = `git+file://${bare}#main:lectern`;
    await publishAll(tree, location);
    expect(git('ls-tree', '-r', '--name-only', 'main').split('\n')).toEqual([
      'lectern/schemas.json',
      'lectern/supergraph.graphql',
    ]);
    // The hook rejects the first push and adds a commit, as if somebody else had pushed meanwhile.
    const hook = join(bare, 'hooks', 'pre-receive');
    writeFileSync(
      hook,
      `#!/bin/sh
test -e pushed && exit 0
touch pushed
unset GIT_QUARANTINE_PATH GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES
export GIT_AUTHOR_NAME=other GIT_AUTHOR_EMAIL=other@example.org GIT_COMMITTER_NAME=other GIT_COMMITTER_EMAIL=other@example.org
git update-ref refs/heads/main "$(git commit-tree 'main^{tree}' -p main -m 'A push of somebody else')"
exit 1
`,
    );
    chmodSync(hook, 0o755);
    addField(tree, textSchema, 'added');
    expect(await publish(tree, 'text', ...to(location))).toMatchObject({ status: 0 });
    expect(existsSync(join(bare, 'pushed'))).toBe(true);
    expect(git('log', '--format=%s', 'main').split('\n')).toEqual([
      'Publish text 0.1.0',
      'A push of somebody else',
      `Publish ${subgraphNames.map((name) => `${name} 0.1.0`).join(', ')}`,
    ]);
    expect(await rollBack(tree, ...to(location))).toMatchObject({ status: 0 });
    expect(withoutHeading(git('show', 'main:lectern/supergraph.graphql'))).toBe(withoutHeading(composed).trim());
    expect((await publish(tree, 'text', ...to(`git+file://${bare}-missing`))).output).toMatch(/git clone failed/);
  }));
