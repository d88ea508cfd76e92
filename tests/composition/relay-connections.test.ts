import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Supergraph } from '@apollo/federation-internals';
import { repositoryRoot } from '@lectern/testing';
import type { GraphQLArgument } from 'graphql';
import { getNamedType, isNonNullType, isObjectType, printSchema } from 'graphql';

const schema = Supergraph.build(readFileSync(join(repositoryRoot, 'supergraph.graphql'), 'utf8'))
  .apiSchema()
  .toGraphQLJSSchema();

/** The path of the compiler's program, which has no types. */
const relayCompiler = require('relay-compiler') as string;

/** Writes a value for each argument that needs one. The compiler checks the types of literals. */
const valueOf = ({ name, type }: GraphQLArgument): string => `${name}: ${String(type).startsWith('[') ? '[]' : '"x"'}`;

const connections = Object.values(schema.getQueryType()?.getFields() ?? {}).flatMap(({ name, type, args }) => {
  const connection = getNamedType(type);
  if (!isObjectType(connection) || !('edges' in connection.getFields())) return [];
  const needed = args.filter((argument) => isNonNullType(argument.type)).map(valueOf);
  return [{ name, args: ['first: $first', 'after: $after', ...needed].join(', ') }];
});

test('the Relay compiler accepts @connection on every field of Query that returns a connection', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-relay-'));
  writeFileSync(join(folder, 'schema.graphql'), printSchema(schema));
  writeFileSync(join(folder, 'relay.config.json'), '{"src":".","schema":"schema.graphql","language":"javascript"}');
  const queries = connections.map(
    ({ name, args }) =>
      `graphql\`query ${name}Query($first: Int, $after: String) { ${name}(${args}) @connection(key: "x_${name}") { edges { cursor node { __typename } } } }\`;`,
  );
  for (const [index, query] of queries.entries())
    writeFileSync(join(folder, `${connections[index]?.name}.js`), `${query}\n`);
  const output = execFileSync(relayCompiler, { cwd: folder, encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  expect(connections.map(({ name }) => name).sort()).toEqual([
    'concordance',
    'namedPassages',
    'searchOriginals',
    'searchVerses',
    'strongsConcordance',
    'topics',
    'translationDocument',
  ]);
  expect(output).toContain('compiled documents');
});
