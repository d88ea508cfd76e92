import type { Lectern } from '../lectern';
import { startLectern } from '../lectern';
import { recorded, variables } from './recorded';

let lectern: Lectern;
beforeAll(async () => {
  lectern = await startLectern();
});
afterAll(() => lectern.close());

test('each recorded operation has its variables', () => {
  expect(recorded.map(({ name }) => name).sort()).toEqual(Object.keys(variables).sort());
});

test.each(recorded)('$name is within the bounds and is answered', async ({ name, document }) => {
  const { data, errors } = await lectern.ask(document, variables[name], name);
  expect(errors ?? []).toEqual([]);
  expect(Object.values(data ?? {})).not.toContain(null);
});
