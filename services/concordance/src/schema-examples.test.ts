import { join } from 'node:path';
import { silentLogger } from '@lectern/serving';
import { executeInProcess } from '@lectern/subgraph';
import { elementsWithoutDescription, fieldsWithoutExample, readExamples, withTranslationField } from '@lectern/testing';
import { buildingMs, realIndex } from '../test-support/concordance-client';
import { createConcordanceSubgraph } from './index';

const examples = readExamples(join(__dirname, '..', 'examples.graphql'));

let subgraph: ReturnType<typeof createConcordanceSubgraph>;
beforeAll(async () => {
  const opened = createConcordanceSubgraph({ concordanceFile: await realIndex() });
  subgraph = { ...opened, schema: withTranslationField(opened.schema) };
}, buildingMs);
afterAll(() => subgraph.close());

test.each(examples.map(({ name, query }) => [name, query]))(
  'the example %s is answered, and with something',
  async (_, query) => {
    const { data, errors } = await executeInProcess(subgraph, silentLogger)({ query });
    expect(errors).toBeUndefined();
    for (const value of Object.values(data ?? {})) expect(JSON.stringify(value).length).toBeGreaterThan(60);
  },
);

test('every field of the schema is shown by an example that fits it', () => {
  expect(fieldsWithoutExample(subgraph.schema, examples)).toEqual([]);
});

test('everything in the schema is described', () => {
  expect(elementsWithoutDescription(subgraph.schema)).toEqual([]);
});
