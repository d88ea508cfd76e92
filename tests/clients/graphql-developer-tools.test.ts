import { readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { repositoryRoot, useStarted } from '@lectern/testing';
import { getIntrospectionQuery } from 'graphql';
import { readDocumentationExamples } from '../support/read-documentation-examples';
import { findRover } from '../support/rover';
import { startClientServices } from './client-examples-fixture';

const rover = findRover();
const testInstalled = rover === null ? test.skip : test;

const services = useStarted(startClientServices);

const openSection = (section: string) => services.openFolder('examples/clients/README.md', section);

/** Runs every command of `folder.commands`. Returns the output of the last command. */
async function runAll(folder: ReturnType<typeof openSection>): Promise<string> {
  let last = '';
  for (const command of folder.commands) {
    const { status, output } = await folder.run(command);
    expect({ status, output }).toEqual({ status: 0, output: expect.any(String) });
    last = output;
  }
  return last;
}

test('GraphQL Code Generator generates the types of the example in examples/clients/README.md, and the example compiles', async () => {
  const folder = openSection('GraphQL Code Generator');
  await runAll(folder);
  expect(folder.read('src/gql/graphql.ts')).toContain('passage: { reference: string, text: string } | null');
});

test('gql.tada writes the schema of the service to schema.graphql', async () => {
  const folder = openSection('gql.tada');
  await runAll(folder);
  expect(folder.read('schema.graphql')).toContain('type Verse {');
});

test('GraphQL Inspector, set up as in examples/clients/README.md, finds no breaking change and no invalid operation', async () => {
  const output = await runAll(openSection('GraphQL Inspector'));
  expect(output).toBe('0 breaking changes, 0 invalid operations\n');
});

test('GraphQL Inspector, set up as in examples/clients/README.md, exits with 1 and reports an unknown field', async () => {
  const folder = openSection('GraphQL Inspector');
  folder.write('operations.graphql', 'query Passage { passage(reference: "John 11:35") { verseText } }');
  await folder.run(folder.commands[0] ?? '');
  expect(await folder.run('node check-operations.mjs')).toEqual({
    status: 1,
    output: expect.stringContaining('Cannot query field "verseText" on type "Passage"'),
  });
});

testInstalled('rover graph introspect writes the schema of the service to schema.graphql', async () => {
  const folder = openSection('Rover');
  const env = {
    PATH: `${dirname(rover ?? '')}${delimiter}${process.env['PATH']}`,
    APOLLO_CONFIG_HOME: folder.path,
    APOLLO_TELEMETRY_DISABLED: '1',
  };
  expect(await folder.run(folder.commands[0] ?? '', env)).toMatchObject({ status: 0 });
  expect(folder.read('schema.graphql')).toContain('type Verse {');
});

test('the introspection request that Postman sends gets the schema of the service', async () => {
  const response = await fetch(services.lectern.url, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${services.lectern.token}`,
      'Content-Type': 'application/json',
      'User-Agent': 'PostmanRuntime/7.43.4',
      Accept: '*/*',
      'Cache-Control': 'no-cache',
      'Postman-Token': '4fcd9769-4416-4e67-80df-6023108d452f',
      'Accept-Encoding': 'gzip, deflate, br',
    },
    body: JSON.stringify({ query: getIntrospectionQuery(), variables: {} }),
  });
  expect(response.status).toBe(200);
  const verse = expect.objectContaining({ kind: 'OBJECT', name: 'Verse' });
  expect(await response.json()).toEqual({
    data: { __schema: expect.objectContaining({ types: expect.arrayContaining([verse]) }) },
  });
});

test('each npm package that examples/clients/README.md installs is a dependency of the tests, in the same major version', () => {
  const declared = ['tools/checks', 'packages/site', '.'].map(
    (folder) =>
      (
        JSON.parse(readFileSync(join(repositoryRoot, folder, 'package.json'), 'utf8')) as {
          devDependencies: Record<string, string>;
        }
      ).devDependencies,
  );
  const installed = readDocumentationExamples('examples/clients/README.md')
    .flatMap(({ code }) => [...code.matchAll(/^npm install (?:--save-dev )?(.+)$/gm)])
    .flatMap(([, names = '']) => names.split(' '));
  expect(installed.length).toBeGreaterThan(10);
  const isDeclared = (specifier: string) => {
    const [, name = '', major] = /^(@?[^@]+)(?:@(\d+))?$/.exec(specifier) ?? [];
    return declared.some((packages) => packages[name]?.startsWith(major === undefined ? '' : `^${major}.`));
  };
  expect(installed.filter((specifier) => !isDeclared(specifier))).toEqual([]);
});
