import type { EmbeddedLectern } from '../support/embedded-lectern';
import { startEmbeddedLectern } from '../support/embedded-lectern';
import { recorded, variables } from './recorded-operations';

let lectern: EmbeddedLectern;
beforeAll(async () => {
  lectern = await startEmbeddedLectern();
});
afterAll(() => lectern.close());

test('each recorded operation has an entry of variables, and each entry has an operation', () => {
  expect(recorded.map(({ name }) => name).sort()).toEqual(Object.keys(variables).sort());
});

test.each(recorded)(
  'the recorded operation $name is within the limits and has no error',
  async ({ name, document }) => {
    const { data, errors } = await lectern.client(document, variables[name], name);
    expect(errors ?? []).toEqual([]);
    expect(Object.values(data ?? {})).not.toContain(null);
  },
);
