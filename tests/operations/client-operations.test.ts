import { useStarted } from '@lectern/testing';
import { startEmbeddedLectern } from '../support/embedded-lectern';
import { clientOperations, variables } from './client-operations';

const lectern = useStarted(startEmbeddedLectern);

test('each operation in tests/operations/*.graphql has an entry in the list of variables of this test, and the list has no other entries', () => {
  expect(clientOperations.map(({ name }) => name).sort()).toEqual(Object.keys(variables).sort());
});

test.each(clientOperations)(
  'the operation $name of a client application is within the query limits, and its response has no error and no null root field',
  async ({ name, document }) => {
    const { data, errors } = await lectern.client(document, variables[name], name);
    expect(errors ?? []).toEqual([]);
    expect(Object.values(data ?? {})).not.toContain(null);
  },
);
