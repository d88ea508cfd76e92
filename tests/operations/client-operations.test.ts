import { useStarted } from '@lectern/testing';
import { startEmbeddedLectern } from '../support/embedded-lectern';
import { clientOperations, variables } from './client-operations';

const lectern = useStarted(startEmbeddedLectern);

test('each operation in tests/operations/*.graphql has an entry in the list of variables, and each entry an operation', () => {
  expect(clientOperations.map(({ name }) => name).sort()).toEqual(Object.keys(variables).sort());
});

test.each(clientOperations)(
  'the client operation $name is within the query limits, and responds without an error or a null root field',
  async ({ name, document }) => {
    const { data, errors } = await lectern.client(document, variables[name], name);
    expect(errors ?? []).toEqual([]);
    expect(Object.values(data ?? {})).not.toContain(null);
  },
);
