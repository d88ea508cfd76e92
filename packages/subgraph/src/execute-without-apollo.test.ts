import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errors } from '@lectern/errors';
import type { Listening } from '@lectern/serving';
import { silentLogger } from '@lectern/serving';
import { send, withFolder } from '@lectern/testing';
import { createSubgraph, serveSubgraph } from './index';

const schema = `
  type Query { greeting(to: String! = "you"): String, known(name: String!): Person, both: Both }
  type Mutation { greet: String }
  type Person { name: String!, age: Int }
  type Both { one: Person!, other: Person }
`;
const resolvers = {
  Query: {
    greeting: (_: unknown, { to }: { to: string }) => `hello ${to}`,
    known(_: unknown, { name }: { name: string }) {
      if (name === 'nobody') throw errors.bookNotFound(name);
      return { name, age: name === 'old' ? 'very' : 30 };
    },
    both: async () => ({ one: null, other: { name: 'x' } }),
  },
  Mutation: { greet: () => 'done' },
};

let direct: Listening;
let plain: Listening;
beforeAll(async () => {
  const serve = (isDirect: boolean) =>
    withFolder((folder) => {
      const schemaFile = join(folder, 'schema.graphql');
      writeFileSync(schemaFile, schema);
      const subgraph = createSubgraph({
        name: 'greetings',
        schemaFile,
        resolvers,
        createContext: () => ({}),
        close: () => {},
      });
      return serveSubgraph(subgraph, { host: '127.0.0.1', port: 0, secrets: '', direct: isDirect, log: silentLogger });
    });
  [direct, plain] = await Promise.all([serve(true), serve(false)]);
});
afterAll(() => Promise.all([direct.close(0), plain.close(0)]));

const ask = async ({ port }: Listening, body: unknown) => {
  const { status, headers, text } = await send(`http://127.0.0.1:${port}/graphql`, {
    headers: ['Content-Type', 'application/json', 'Accept', 'application/json'],
    body: JSON.stringify(body),
  });
  const told = JSON.parse(text.replaceAll(/"requestId":"[^"]*"/g, '"requestId":""'), (key, value: unknown) =>
    key === 'locations' ? undefined : value,
  ) as unknown;
  return { status, type: headers['content-type'], isWhole: headers['x-lectern-answer'] === 'whole', told, text };
};

test.each<[string, unknown, boolean]>([
  ['data', { query: 'query ($to: String!) { greeting(to: $to) }', variables: { to: 'all' } }, true],
  [
    'one operation of two',
    { query: 'query A { greeting } query B { known(name: "x") { name age } }', operationName: 'B', variables: null },
    true,
  ],
  ['a mutation', { query: 'mutation { greet }' }, true],
  ['an error of the catalogue', { query: '{ greeting known(name: "nobody") { age } }' }, false],
  ['a fault', { query: '{ known(name: "old") { age } }' }, false],
  ['a null that may not be', { query: '{ both { one { name } other { name } } }' }, false],
  ['variables that do not fit', { query: 'query ($to: String!) { greeting(to: $to) }', variables: { to: 1 } }, false],
  ['no GraphQL', { query: '{ greeting' }, false],
  ['a field that is not there', { query: '{ farewell }' }, false],
  ['an operation that is not there', { query: 'query A { greeting }', operationName: 'B' }, false],
  ['extensions', { query: '{ greeting }', extensions: {} }, false],
  ['no query', { variables: {} }, false],
])('a subgraph answers the same with and without the pipeline of Apollo Server: %s', async (_, body, isWhole) => {
  const [directly, plainly] = [await ask(direct, body), await ask(plain, body)];
  expect([directly.status, directly.type, directly.told]).toEqual([plainly.status, plainly.type, plainly.told]);
  // Whoever hands the bytes on relies on this.
  expect(directly.isWhole).toBe(isWhole);
  expect(isWhole ? directly.text : null).toBe(isWhole ? JSON.stringify(directly.told) : null);
  expect(plainly.isWhole).toBe(false);
});
