import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '@lectern/serving';
import { executeInProcess } from '@lectern/subgraph';
import { extendSchema, isObjectType, parse, print, TypeInfo, validate, visit, visitWithTypeInfo } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import { createConcordanceSubgraph } from './index';
import { buildingMs, realIndex } from '../test-support/real-index';

const room = join(__dirname, '..');
const document = parse(readFileSync(join(room, 'examples.graphql'), 'utf8'));
const operations = document.definitions.flatMap((definition) => (definition.kind === 'OperationDefinition' ? [[definition.name?.value ?? '', definition] as const] : []));

/** With the door that the text subgraph has to translations: an example for clients goes through it. */
function withTranslations(schema: GraphQLSchema): GraphQLSchema {
  const extended = extendSchema(schema, parse('extend type Query { translation(identifier: String!): Translation }'));
  const field = extended.getQueryType()?.getFields()['translation'];
  if (field) field.resolve = (_, { identifier }: { identifier: string }) => ({ identifier });
  return extended;
}

let subgraph: ReturnType<typeof createConcordanceSubgraph>;
beforeAll(async () => {
  const opened = createConcordanceSubgraph({ file: await realIndex() });
  subgraph = { ...opened, schema: withTranslations(opened.schema) };
}, buildingMs);
afterAll(() => subgraph.close());

test.each(operations)('the example %s is answered, and with something', async (_, operation) => {
  const query = print(operation);
  expect(validate(subgraph.schema, parse(query))).toEqual([]);
  const { data, errors } = await executeInProcess(subgraph, silentLogger)({ query });
  expect(errors).toBeUndefined();
  for (const value of Object.values(data ?? {})) expect(JSON.stringify(value).length).toBeGreaterThan(60);
});

test('every field of the schema stands in an example, and every element has a description', () => {
  const shown = new Set<string>();
  const info = new TypeInfo(subgraph.schema);
  visit(document, visitWithTypeInfo(info, { Field: () => void shown.add(`${info.getParentType()?.name ?? ''}.${info.getFieldDef()?.name ?? ''}`) }));
  const missing: string[] = [];
  const silent: string[] = [];
  for (const type of Object.values(subgraph.schema.getTypeMap())) {
    if (!isObjectType(type) || type.name.startsWith('_')) continue;
    for (const field of Object.values(type.getFields())) {
      if (field.name.startsWith('_') || (type.name === 'Query' && field.name === 'translation')) continue;
      if (!shown.has(`${type.name}.${field.name}`)) missing.push(`${type.name}.${field.name}`);
      for (const element of [type, field, ...field.args]) if (!element.description && element.name !== 'Query') silent.push(`${type.name}.${field.name} ${element.name}`);
    }
  }
  expect(missing).toEqual([]);
  expect(silent).toEqual([]);
});
