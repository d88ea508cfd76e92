import { join } from 'node:path';
import { silentLogger } from '@lectern/serving';
import { executeInProcess } from '@lectern/subgraph';
import { dataDir, elementsWithoutDescription, fieldsWithoutExample, readExamples } from '@lectern/testing';
import { createTextSubgraph } from './subgraph';

const subgraph = createTextSubgraph({ dataDir });
afterAll(() => subgraph.close());
const execute = executeInProcess(subgraph, silentLogger);
const examples = readExamples(join(__dirname, '..', 'examples.graphql'));

test('every type, field, argument and enum value of the text schema has a description', () => {
  expect(elementsWithoutDescription(subgraph.schema)).toEqual([]);
});

test('every field of the text schema is used in an example query', () => {
  expect(fieldsWithoutExample(subgraph.schema, examples)).toEqual([]);
});

// The example ChaptersWithText exceeds a limit on purpose, and the next test executes it. Glossary needs an imported
// translation, and documents.test.ts executes it.
test.each(
  examples
    .filter(({ name }) => !['ChaptersWithText', 'Glossary'].includes(name))
    .map(({ name, query }) => [name, query]),
)('the example query %s of the text subgraph returns data without errors', async (_, query) => {
  const response = await execute({ query });
  expect(response.errors).toBeUndefined();
  for (const value of Object.values(response.data ?? {})) expect(value).not.toBeNull();
});

test('the example query ChaptersWithText of the text subgraph fails because it requests more than 5000 verses', async () => {
  const example = examples.find(({ name }) => name === 'ChaptersWithText');
  const response = await execute({ query: example?.query ?? '' });
  expect(response.errors).toMatchObject([
    { message: expect.stringContaining('at most 5000 verses'), extensions: { code: 'BAD_USER_INPUT' } },
  ]);
});
