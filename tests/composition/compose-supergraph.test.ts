import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot, withFolder } from '@lectern/testing';
import { spawnScript, startScriptRunner } from '../support/script-runner';

const runner = startScriptRunner();
afterAll(() => runner.close());

const compose = async (...args: string[]) => {
  const { status, stdout, stderr } = await runner.run(repositoryRoot, 'compose-supergraph.mjs', args);
  return { status, output: stdout + stderr };
};

/**
 * Composes `yaml` as supergraph.yaml of a folder that also has `files` and the schema of the text
 * subgraph.
 */
const composeFolder = (yaml: string, files: Record<string, string> = {}) =>
  withFolder((folder) => {
    copyFileSync(join(repositoryRoot, 'services/text/schema.graphql'), join(folder, 'text.graphql'));
    for (const [name, content] of Object.entries({ ...files, 'supergraph.yaml': yaml }))
      writeFileSync(join(folder, name), content);
    return compose('--config', join(folder, 'supergraph.yaml'), '--out', join(folder, 'supergraph.graphql'));
  });

const text = (routing: string) =>
  `federation_version: =2.14.4\nsubgraphs:\n  text:\n    ${routing}\n    schema:\n      file: ./text.graphql\n`;
const good = 'routing_url: http://127.0.0.1:4001/graphql';
const textAndOther = `${text(good)}  other:\n    routing_url: http://127.0.0.1:4009/graphql\n    schema:\n      file: ./other.graphql\n`;

test('the committed supergraph.graphql equals the composition of the subgraphs', () => {
  expect(spawnScript(repositoryRoot, 'compose-supergraph.mjs', ['--check'])).toMatchObject({ status: 0, stderr: '' });
});

test('npm run compose -- --check fails if one word of supergraph.graphql was changed, and names the command to run', async () => {
  await withFolder(async (folder) => {
    const changed = join(folder, 'supergraph.graphql');
    writeFileSync(
      changed,
      readFileSync(join(repositoryRoot, 'supergraph.graphql'), 'utf8').replace('languageName', 'languagename'),
    );
    expect(await compose('--check', '--out', changed)).toMatchObject({
      status: 1,
      output: expect.stringContaining('Run `npm run compose`'),
    });
  });
});

test.each([
  ['a misspelt routing_url', text('routingUrl: http://127.0.0.1:4001/graphql'), 'unknown key "routingUrl"'],
  ['no routing_url', text('# none'), 'routing_url must be an http or https URL'],
  ['an empty routing_url', text('routing_url: ""'), 'routing_url must be an http or https URL'],
  ['a routing_url that is not a URL', text('routing_url: text:4001'), 'routing_url must be an http or https URL'],
  ['no subgraphs', 'federation_version: =2.14.4\n', 'no subgraphs'],
  ['a missing schema file', text(good).replace('text.graphql', 'none.graphql'), 'none.graphql'],
  ['broken YAML', 'subgraphs: [', 'supergraph.yaml'],
])('npm run compose rejects a supergraph.yaml with %s and names the error', async (_, yaml, words) => {
  expect(await composeFolder(yaml)).toMatchObject({ status: 1, output: expect.stringContaining(words) });
});

test('npm run compose rejects a subgraph whose query type is not named Query', async () => {
  expect(
    await composeFolder(textAndOther, { 'other.graphql': 'schema { query: RootQuery } type RootQuery { other: Int }' }),
  ).toMatchObject({ status: 1, output: expect.stringContaining('must be named Query') });
});

test('npm run compose accepts a second subgraph, but rejects one that contradicts the text subgraph', async () => {
  const other = (description: string) => `
    extend schema @link(url: "https://specs.apollo.dev/federation/v2.11", import: ["@shareable", "@key"])
    type Query { other: Int }
    "${description}" type Verse @key(fields: "id") { id: ID! text: ${description === 'contradicts' ? 'Int!' : 'String! @shareable'} }`;
  expect(
    await composeFolder(textAndOther, {
      'other.graphql': other('A verse of one translation.').replace(
        '"A verse of one translation."',
        '"""A verse of one translation."""',
      ),
    }),
  ).toMatchObject({ status: 0, output: expect.stringContaining('2 subgraphs (text, other)') });
  expect(await composeFolder(textAndOther, { 'other.graphql': other('contradicts') })).toMatchObject({
    status: 1,
    output: expect.stringContaining('do not compose'),
  });
});

test('npm run compose rejects a cost directive that names an unknown argument, with one line that names the field', async () => {
  const schema = readFileSync(join(repositoryRoot, 'services/text/schema.graphql'), 'utf8');
  const { status, output } = await composeFolder(text(good), {
    'text.graphql': schema.replace('verses: ["book", "chapter"]', 'verses: ["book", "part"]'),
  });
  expect(status).toBe(1);
  expect(output).toMatch(
    /^The subgraphs do not compose: @fieldCost of Query\.chapter: the field has no argument "part"\.\n$/,
  );
});

const importKey = 'extend schema @link(url: "https://specs.apollo.dev/federation/v2.11", import: ["@key"])';

test.each([
  ['has other fields and no key', 'type Translation { label: String! }'],
  ['has a field of the same name and no key', 'type Translation { identifier: String! label: String! }'],
  ['has another key', 'type Translation @key(fields: "label") { label: String! }'],
])(
  "if a new type has the name of another subgraph's type and %s, npm run compose names type and subgraph in one sentence",
  async (_, type) => {
    const { status, output } = await composeFolder(textAndOther, {
      'other.graphql': `${importKey}\ntype Query { label: Translation }\n${type}`,
    });
    expect(status).toBe(1);
    expect(output.trim().split('\n')).toEqual([
      'The subgraphs do not compose:',
      expect.stringMatching(
        /^ {2}The type Translation of subgraph "other" \(\S+other\.graphql:3\) exists in subgraph "text" \(\S+text\.graphql:\d+\): rename it, or /,
      ),
    ]);
  },
);

test('if two subgraphs define one type, npm run compose reports this type and also the other composition errors', async () => {
  const { output } = await composeFolder(textAndOther, {
    'other.graphql': `${importKey}\ntype Query { languages: [Int] }\ntype Translation { identifier: String! }`,
  });
  expect(output).toContain('The type Translation of subgraph "other"');
  expect(output).toContain('FIELD_TYPE_MISMATCH: Type of field "Query.languages"');
  expect(output).not.toContain('"Translation.identifier"');
});
