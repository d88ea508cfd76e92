import { join } from 'node:path';
import { elementsWithoutDescription, fieldsWithoutExample, readExamples, useStarted } from '@lectern/testing';
import { openRealStudyClient } from '../test-support/study-client';

const examples = readExamples(join(__dirname, '..', 'examples.graphql'));

const client = useStarted(openRealStudyClient);

test.each(examples.map(({ name, query }) => [name, query]))(
  'the example query %s of the study subgraph returns data without errors',
  async (_, query) => {
    for (const value of Object.values(await client.data<object>(query)))
      expect(JSON.stringify(value).length).toBeGreaterThan(60);
  },
);

test('every field of the study schema is used in a valid example query', () => {
  expect(fieldsWithoutExample(client.subgraph.schema, examples)).toEqual([]);
});

test('every type, field, argument and enum value of the study schema has a description', () => {
  expect(elementsWithoutDescription(client.subgraph.schema)).toEqual([]);
});
