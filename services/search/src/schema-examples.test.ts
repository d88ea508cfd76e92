import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '@lectern/serving';
import { executeInProcess } from '@lectern/subgraph';
import { corpusFile, dataDir, fieldsWithoutExample, readExamples, withTranslationField } from '@lectern/testing';
import { parse, visit } from 'graphql';
import { buildingMs } from '../test-support/search-client';
import { buildMeaning, openMeaning } from '../test-support/semantic-client';
import type { SearchSubgraph } from './index';

const room = join(__dirname, '..');
const examples = readExamples(join(room, 'examples.graphql'));
const schemaText = parse(readFileSync(join(room, 'schema.graphql'), 'utf8'));

let subgraph: SearchSubgraph;

beforeAll(async () => {
  await buildMeaning({ corpusFile, dataDir });
  const opened = await openMeaning({ dataDir });
  subgraph = { ...opened.subgraph, schema: withTranslationField(opened.subgraph.schema) };
}, buildingMs);

afterAll(() => subgraph.close());

test.each(examples.map(({ name, query }) => [name, query]))('%s is answered, and with something', async (_, query) => {
  const { data, errors } = await executeInProcess(subgraph, silentLogger)({ query });
  expect(errors).toBeUndefined();
  for (const value of Object.values(data ?? {}))
    expect(JSON.stringify(value)).toMatch(/"reference"|"suggestion":"|"hasEmbeddings":true/);
});

test('every field of the schema is shown by an example', () => {
  expect(fieldsWithoutExample(subgraph.schema, examples)).toEqual([]);
});

test('every type, field, argument and enum value is described', () => {
  const bare: string[] = [];
  const check = (node: { name: { value: string }; description?: unknown }) => {
    if (!node.description) bare.push(node.name.value);
  };
  visit(schemaText, {
    // Query is described in the text subgraph's stead by each of its fields.
    ObjectTypeDefinition: (node) => (node.name.value === 'Query' ? undefined : check(node)),
    EnumTypeDefinition: check,
    DirectiveDefinition: check,
    FieldDefinition: check,
    InputValueDefinition: check,
    EnumValueDefinition: check,
  });
  expect(bare).toEqual([]);
});
