import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '@lectern/serving';
import { executeInProcess } from '@lectern/subgraph';
import type { Subgraph } from '@lectern/subgraph';
import { corpusFile, repositoryRoot } from '@lectern/testing';
import { isObjectType, Kind, parse, print, TypeInfo, visit, visitWithTypeInfo } from 'graphql';
import { buildingMs } from '../test-support/ask-search';
import { buildSearchIndex, createSearchSubgraph } from './index';

const room = join(__dirname, '..');
const document = parse(readFileSync(join(room, 'examples.graphql'), 'utf8'));
const schemaText = parse(readFileSync(join(room, 'schema.graphql'), 'utf8'));
const names = document.definitions.map((definition) => (definition.kind === Kind.OPERATION_DEFINITION ? definition.name?.value ?? '' : ''));

let subgraph: Subgraph<never> | Subgraph;

beforeAll(async () => {
  const searchFile = join(repositoryRoot, 'data', 'search.sqlite');
  await buildSearchIndex({ corpusFile, file: searchFile, log: () => undefined });
  subgraph = createSearchSubgraph({ searchFile }) as Subgraph;
}, buildingMs);

afterAll(() => subgraph.close());

test.each(names)('%s is answered, and with something', async (name) => {
  const { data, errors } = await executeInProcess(subgraph as Subgraph, silentLogger)({ query: print(document), operationName: name });
  expect(errors).toBeUndefined();
  for (const value of Object.values(data ?? {})) expect(JSON.stringify(value)).toMatch(/reference|suggestion/);
});

test('every field of the schema is shown by an example', () => {
  const shown = new Set<string>();
  const types = new TypeInfo(subgraph.schema);
  visit(document, visitWithTypeInfo(types, {
    Field: (node) => {
      shown.add(`${types.getParentType()?.name}.${node.name.value}`);
    },
  }));
  const fields = Object.values(subgraph.schema.getTypeMap()).filter((type) => isObjectType(type) && !type.name.startsWith('_'))
    .flatMap((type) => (isObjectType(type) ? Object.keys(type.getFields()).map((field) => `${type.name}.${field}`) : []))
    .filter((field) => !/\._(service|entities)$/.test(field));
  expect([...shown].sort()).toEqual(fields.sort());
});

test('every type, field, argument and enum value is described', () => {
  const bare: string[] = [];
  const check = (node: { name: { value: string }; description?: unknown }) => {
    if (!node.description) bare.push(node.name.value);
  };
  visit(schemaText, {
    // Query is described in the text subgraph's stead by each of its fields.
    ObjectTypeDefinition: (node) => (node.name.value === 'Query' ? undefined : check(node)),
    EnumTypeDefinition: check, DirectiveDefinition: check, FieldDefinition: check, InputValueDefinition: check, EnumValueDefinition: check,
  });
  expect(bare).toEqual([]);
});
