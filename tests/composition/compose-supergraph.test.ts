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

test('the committed supergraph.graphql equals the composition of the subgraphs', () => {
  expect(spawnScript(repositoryRoot, 'compose-supergraph.mjs', ['--check'])).toMatchObject({ status: 0 });
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
  const yaml = `${text(good)}  other:\n    routing_url: http://127.0.0.1:4009/graphql\n    schema:\n      file: ./other.graphql\n`;
  expect(
    await composeFolder(yaml, { 'other.graphql': 'schema { query: RootQuery } type RootQuery { other: Int }' }),
  ).toMatchObject({ status: 1, output: expect.stringContaining('must be named Query') });
});

test('npm run compose accepts a second subgraph, and rejects a second subgraph that contradicts the text subgraph', async () => {
  const other = (description: string) => `
    extend schema @link(url: "https://specs.apollo.dev/federation/v2.11", import: ["@shareable", "@key"])
    type Query { other: Int }
    "${description}" type Verse @key(fields: "id") { id: ID! text: ${description === 'contradicts' ? 'Int!' : 'String! @shareable'} }`;
  const yaml = `${text(good)}  other:\n    routing_url: http://127.0.0.1:4009/graphql\n    schema:\n      file: ./other.graphql\n`;
  expect(
    await composeFolder(yaml, {
      'other.graphql': other('A verse of one translation.').replace(
        '"A verse of one translation."',
        '"""A verse of one translation."""',
      ),
    }),
  ).toMatchObject({ status: 0, output: expect.stringContaining('2 subgraphs (text, other)') });
  expect(await composeFolder(yaml, { 'other.graphql': other('contradicts') })).toMatchObject({
    status: 1,
    output: expect.stringContaining('do not compose'),
  });
});
