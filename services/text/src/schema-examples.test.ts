import { join } from 'node:path';
import { silentLogger } from '@lectern/serving';
import { executeInProcess } from '@lectern/subgraph';
import { corpusFile, elementsWithoutDescription, fieldsWithoutExample, readExamples } from '@lectern/testing';
import { createTextSubgraph } from './subgraph';

const subgraph = createTextSubgraph({ corpusFile });
afterAll(() => subgraph.close());
const examples = readExamples(join(__dirname, '..', 'examples.graphql'));

test('everything in the schema is described', () => {
  expect(elementsWithoutDescription(subgraph.schema)).toEqual([]);
});

test('every field of the schema is shown by an example', () => {
  expect(fieldsWithoutExample(subgraph.schema, examples)).toEqual([]);
});

// The one example that is too large by design says so itself.
test.each(examples.filter(({ name }) => name !== 'ChaptersWithText').map(({ name, query }) => [name, query]))(
  'the example %s gives data and no error',
  async (_, query) => {
    const answer = await executeInProcess(subgraph, silentLogger)({ query });
    expect(answer.errors).toBeUndefined();
    for (const value of Object.values(answer.data ?? {})) expect(value).not.toBeNull();
  },
);

test('the example ChaptersWithText shows the bound that it runs into', async () => {
  const example = examples.find(({ name }) => name === 'ChaptersWithText');
  const answer = await executeInProcess(subgraph, silentLogger)({ query: example?.query ?? '' });
  expect(answer.errors).toMatchObject([
    { message: expect.stringContaining('at most 5000 verses'), extensions: { code: 'BAD_USER_INPUT' } },
  ]);
});
