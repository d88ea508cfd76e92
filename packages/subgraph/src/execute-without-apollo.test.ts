import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errors } from '@lectern/errors';
import type { Listening, WorkContext } from '@lectern/serving';
import { silentLogger } from '@lectern/serving';
import { send, withFolder } from '@lectern/testing';
import { createSubgraph, serveSubgraph } from './index';

const schema = `
  type Query { greeting(to: String! = "you"): String, known(name: String!): Person, both: Both, embed: String }
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
    embed: (_: unknown, __: unknown, context: { onEmbeddingCall(): void }) => context.onEmbeddingCall(),
    both: async () => ({ one: null, other: { name: 'x' } }),
  },
  Mutation: { greet: () => 'done' },
};

let direct: Listening;
let apollo: Listening;
beforeAll(async () => {
  const serve = (isDirect: boolean) =>
    withFolder((folder) => {
      const schemaFile = join(folder, 'schema.graphql');
      writeFileSync(schemaFile, schema);
      const subgraph = createSubgraph<WorkContext & { onEmbeddingCall(): void }>({
        name: 'greetings',
        schemaFile,
        resolvers,
        createContext(work) {
          let calls = 0;
          return { work, embeddingCalls: () => calls, onEmbeddingCall: () => void (calls += 1) };
        },
        close: () => {},
      });
      return serveSubgraph(subgraph, { host: '127.0.0.1', port: 0, secrets: '', direct: isDirect, log: silentLogger });
    });
  [direct, apollo] = await Promise.all([serve(true), serve(false)]);
});
afterAll(() => Promise.all([direct.close({ graceMs: 0 }), apollo.close({ graceMs: 0 })]));

const post = async ({ port }: Listening, body: unknown) => {
  const { status, headers, text } = await send(`http://127.0.0.1:${port}/graphql`, {
    headers: ['Content-Type', 'application/json', 'Accept', 'application/json'],
    body: JSON.stringify(body),
  });
  const parsed = JSON.parse(text.replaceAll(/"requestId":"[^"]*"/g, '"requestId":""'), (key, value: unknown) =>
    key === 'locations' ? undefined : value,
  ) as unknown;
  return {
    status,
    type: headers['content-type'],
    embeddingCalls: headers['x-lectern-embedding-calls'],
    isDataOnly: headers['x-lectern-response'] === 'data-only',
    parsed,
    text,
  };
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
  ['an internal error', { query: '{ known(name: "old") { age } }' }, false],
  ['null for a non-null field', { query: '{ both { one { name } other { name } } }' }, false],
  ['variables of the wrong type', { query: 'query ($to: String!) { greeting(to: $to) }', variables: { to: 1 } }, false],
  ['a syntax error', { query: '{ greeting' }, false],
  ['an unknown field', { query: '{ farewell }' }, false],
  ['an unknown operation name', { query: 'query A { greeting }', operationName: 'B' }, false],
  ['extensions', { query: '{ greeting }', extensions: {} }, false],
  ['a body without a query', { variables: {} }, false],
])('execution without Apollo Server gives the same response as Apollo Server: %s', async (_, body, isDataOnly) => {
  const [directly, withApollo] = [await post(direct, body), await post(apollo, body)];
  expect([directly.status, directly.type, directly.parsed]).toEqual([
    withApollo.status,
    withApollo.type,
    withApollo.parsed,
  ]);
  // The gateway sends such a body to the client unparsed.
  expect(directly.isDataOnly).toBe(isDataOnly);
  expect(isDataOnly ? directly.text : null).toBe(isDataOnly ? JSON.stringify(directly.parsed) : null);
  expect(withApollo.isDataOnly).toBe(false);
});

test.each<[string, string, string | undefined]>([
  ['two embedding calls', '{ a: embed b: embed }', '2'],
  ['an embedding call and an error', '{ embed known(name: "nobody") { age } }', '1'],
  ['no embedding calls', '{ greeting }', undefined],
])(
  'a response has the header x-lectern-embedding-calls only if the request made embedding calls: %s',
  async (_, query, calls) => {
    for (const listening of [direct, apollo]) expect((await post(listening, { query })).embeddingCalls).toBe(calls);
  },
);
