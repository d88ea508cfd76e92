import { join } from 'node:path';
import { dataDir, elementsWithoutDescription, fieldsWithoutExample, readExamples } from '@lectern/testing';
import { type EmbeddedLectern, startEmbeddedLectern } from '../../../tests/support/embedded-lectern';
import { createOriginalsSubgraph } from './index';

const examples = readExamples(join(__dirname, '..', 'examples.graphql'));
const subgraph = createOriginalsSubgraph({ dataDir });
let lectern: EmbeddedLectern;
beforeAll(async () => {
  lectern = await startEmbeddedLectern();
});
afterAll(async () => {
  await lectern.close();
  await subgraph.close();
});

test.each(examples)(
  'the example query $name of the originals subgraph returns data without errors',
  async ({ query }) => {
    const { data, errors } = await lectern.client(query);
    expect(errors).toBeUndefined();
    expect(Object.values(data ?? {})).not.toContain(null);
  },
);

test('every field of the originals schema is used in a valid example query', async () => {
  const publicSchema = await (await fetch(`${lectern.origin}/schema.graphql`)).text();
  expect(fieldsWithoutExample(subgraph.schema, examples, publicSchema)).toEqual([]);
});

test('every element of the originals schema has a description', () => {
  expect(elementsWithoutDescription(subgraph.schema)).toEqual([]);
});
