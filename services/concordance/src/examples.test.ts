import { join } from 'node:path';
import { silentLogger } from '@lectern/serving';
import { executeInProcess } from '@lectern/subgraph';
import { elementsWithoutDescription, fieldsWithoutExample, readExamples, withTranslationField } from '@lectern/testing';
import { ensureConcordance } from '../test-support/concordance-client';
import { createConcordanceSubgraph } from './index';

const examples = readExamples(join(__dirname, '..', 'examples.graphql'));

let subgraph: ReturnType<typeof createConcordanceSubgraph>;
beforeAll(async () => {
  const concordance = createConcordanceSubgraph({ dataDir: await ensureConcordance() });
  subgraph = { ...concordance, schema: withTranslationField(concordance.schema) };
});
afterAll(() => subgraph.close());

test.each(examples.map(({ name, query }) => [name, query]))(
  'the example query %s of the concordance subgraph returns data without errors',
  async (_, query) => {
    const { data, errors } = await executeInProcess(subgraph, silentLogger)({ query });
    expect(errors).toBeUndefined();
    for (const value of Object.values(data ?? {})) expect(JSON.stringify(value).length).toBeGreaterThan(60);
  },
);

test('every field of the concordance schema is used in a valid example query', () => {
  expect(fieldsWithoutExample(subgraph.schema, examples)).toEqual([]);
});

test('every type, field, argument and enum value of the concordance schema has a description', () => {
  expect(elementsWithoutDescription(subgraph.schema)).toEqual([]);
});
