import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot, withFolder } from '@lectern/testing';

const compose = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(repositoryRoot, 'scripts/compose.mjs'), ...args],
    { cwd: repositoryRoot, encoding: 'utf8' },
  );
  return { status, said: stdout + stderr };
};

/** Composes a supergraph.yaml of one's own, with the schemas of this tree beside it. */
const composing = (yaml: string, files: Record<string, string> = {}) =>
  withFolder((folder) => {
    copyFileSync(join(repositoryRoot, 'services/text/schema.graphql'), join(folder, 'text.graphql'));
    for (const [name, content] of Object.entries({ ...files, 'supergraph.yaml': yaml }))
      writeFileSync(join(folder, name), content);
    return compose('--config', join(folder, 'supergraph.yaml'), '--out', join(folder, 'supergraph.graphql'));
  });

const text = (routing: string) =>
  `federation_version: =2.14.4\nsubgraphs:\n  text:\n    ${routing}\n    schema:\n      file: ./text.graphql\n`;
const good = 'routing_url: http://127.0.0.1:4001/graphql';

test('the committed supergraph is what the subgraphs compose into', () => {
  expect(compose('--check')).toMatchObject({ status: 0 });
});

test('a supergraph that differs by one word fails the check and says what to do', async () => {
  await withFolder((folder) => {
    const changed = join(folder, 'supergraph.graphql');
    writeFileSync(
      changed,
      readFileSync(join(repositoryRoot, 'supergraph.graphql'), 'utf8').replace('testField', 'testfield'),
    );
    expect(compose('--check', '--out', changed)).toMatchObject({
      status: 1,
      said: expect.stringContaining('Run `npm run compose`'),
    });
  });
});

test.each([
  ['a misspelt routing_url', text('routingUrl: http://127.0.0.1:4001/graphql'), 'unknown key "routingUrl"'],
  ['no routing_url', text('# none'), 'routing_url must be an http or https URL'],
  ['an empty routing_url', text('routing_url: ""'), 'routing_url must be an http or https URL'],
  ['a routing_url that is no URL', text('routing_url: text:4001'), 'routing_url must be an http or https URL'],
  ['no subgraphs', 'federation_version: =2.14.4\n', 'no subgraphs'],
  ['a schema file that is not there', text(good).replace('text.graphql', 'none.graphql'), 'none.graphql'],
  ['broken YAML', 'subgraphs: [', 'supergraph.yaml'],
])('%s is refused by name', async (_, yaml, words) => {
  expect(await composing(yaml)).toMatchObject({ status: 1, said: expect.stringContaining(words) });
});

test('a subgraph must name its root types as everybody does', async () => {
  const yaml = `${text(good)}  other:\n    routing_url: http://127.0.0.1:4009/graphql\n    schema:\n      file: ./other.graphql\n`;
  expect(
    await composing(yaml, { 'other.graphql': 'schema { query: RootQuery } type RootQuery { other: Int }' }),
  ).toMatchObject({ status: 1, said: expect.stringContaining('must be named Query') });
});

test('a subgraph of another team joins, and one that contradicts another does not', async () => {
  const other = (description: string) => `
    extend schema @link(url: "https://specs.apollo.dev/federation/v2.11", import: ["@shareable", "@key"])
    type Query { other: Int }
    "${description}" type Verse @key(fields: "id") { id: ID! text: ${description === 'contradicts' ? 'Int!' : 'String! @shareable'} }`;
  const yaml = `${text(good)}  other:\n    routing_url: http://127.0.0.1:4009/graphql\n    schema:\n      file: ./other.graphql\n`;
  expect(
    await composing(yaml, {
      'other.graphql': other('A verse of one translation.').replace(
        '"A verse of one translation."',
        '"""A verse of one translation."""',
      ),
    }),
  ).toMatchObject({ status: 0, said: expect.stringContaining('2 subgraphs (text, other)') });
  expect(await composing(yaml, { 'other.graphql': other('contradicts') })).toMatchObject({
    status: 1,
    said: expect.stringContaining('do not compose'),
  });
});
