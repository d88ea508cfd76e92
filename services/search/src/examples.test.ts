import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '@lectern/serving';
import { executeInProcess } from '@lectern/subgraph';
import { fieldsWithoutExample, readExamples, withTranslationField } from '@lectern/testing';
import { parse, visit } from 'graphql';
import { ensureSemanticFiles, openSemanticClient } from '../test-support/semantic-client';

const packageFolder = join(__dirname, '..');
const examples = readExamples(join(packageFolder, 'examples.graphql'));
const schemaText = parse(readFileSync(join(packageFolder, 'schema.graphql'), 'utf8'));

let subgraph: Awaited<ReturnType<typeof openSemanticClient>>['subgraph'];

beforeAll(async () => {
  await ensureSemanticFiles();
  const client = await openSemanticClient();
  subgraph = { ...client.subgraph, schema: withTranslationField(client.subgraph.schema) };
});

afterAll(() => subgraph.close());

test.each(examples.map(({ name, query }) => [name, query]))(
  'the example query %s of the search subgraph returns data without errors',
  async (_, query) => {
    const { data, errors } = await executeInProcess(subgraph, silentLogger)({ query });
    expect(errors).toBeUndefined();
    for (const value of Object.values(data ?? {}))
      expect(JSON.stringify(value)).toMatch(/"reference"|"suggestion":"|"hasEmbeddings":true|"topic":/);
  },
);

test('every field of the search schema is used in an example query', () => {
  expect(fieldsWithoutExample(subgraph.schema, examples)).toEqual([]);
});

test('every type, field, argument, enum value and directive of the search schema has a description', () => {
  const undescribed: string[] = [];
  const check = (node: { name: { value: string }; description?: unknown }) => {
    if (!node.description) undescribed.push(node.name.value);
  };
  visit(schemaText, {
    // The type Query needs no description, because each of its fields has one.
    ObjectTypeDefinition: (node) => (node.name.value === 'Query' ? undefined : check(node)),
    EnumTypeDefinition: check,
    InputObjectTypeDefinition: check,
    InterfaceTypeDefinition: check,
    ScalarTypeDefinition: check,
    UnionTypeDefinition: check,
    DirectiveDefinition: check,
    FieldDefinition: check,
    InputValueDefinition: check,
    EnumValueDefinition: check,
  });
  expect(undescribed).toEqual([]);
});
