import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { silentLogger } from '@lectern/serving';
import { withFolder } from '@lectern/testing';
import { createSubgraph, executeInProcess, type SubgraphResponse } from './index';

const link =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.11", import: ["@key", "@external", "@requires"])';
const schema = `${link}
type Query { greeting(language: Language): Greeting! }
type Mutation { greet: String }
enum Language { ENGLISH SPANISH }
input GreetingFilter { language: Language }
interface Named { name: String! }
type Greeting implements Named { text: String! name: String! }
type Verse @key(fields: "id") @key(fields: "place { book }") { id: ID! place: Place! label: String! note: String @requires(fields: "old") old: String! @external }
type Place { book: String! }`;

type Resolvers = Parameters<typeof createSubgraph>[0]['resolvers'];
const resolvers = {
  Query: { greeting: () => ({ text: 'hello', name: 'short' }) },
  Mutation: { greet: () => 'hello' },
  Verse: { label: () => 'a verse' },
} satisfies Resolvers;

const create = (changed: Resolvers, schemaText = schema) => {
  let subgraph: ReturnType<typeof createSubgraph> | undefined;
  return withFolder((folder) => {
    const schemaFile = join(folder, 'schema.graphql');
    writeFileSync(schemaFile, schemaText);
    subgraph = createSubgraph({
      name: 'greetings',
      schemaFile,
      resolvers: changed,
      createContext: (work) => ({ work }),
      close: () => {},
    });
  }).then(() => subgraph as ReturnType<typeof createSubgraph>);
};

test('createSubgraph accepts an entity type if it has __resolveReference, or resolvers for all its non-null fields', async () => {
  await expect(create(resolvers)).resolves.toMatchObject({ name: 'greetings' });
  await expect(
    create({ ...resolvers, Verse: { __resolveReference: (entity) => ({ ...entity, label: 'a verse' }) } }),
  ).resolves.toMatchObject({ name: 'greetings' });
});

test.each<[string, Resolvers, string]>([
  [
    'a resolver for a field that the schema lacks',
    { ...resolvers, Greeting: { txt: () => 'hello' } },
    'there is a resolver for Greeting.txt, which schema.graphql does not have',
  ],
  [
    'resolvers for a type that the schema lacks',
    { ...resolvers, Greting: { text: () => 'hello' } },
    'there are resolvers for the type Greting, which schema.graphql does not have',
  ],
  [
    'a resolver for an enum value that the schema lacks',
    { ...resolvers, Language: { GERMAN: 'deu' } },
    'there is a resolver for Language.GERMAN, which schema.graphql does not have',
  ],
  [
    'a resolver for the field of an interface',
    { ...resolvers, Named: { name: () => 'short' } },
    'Named.name must not have a resolver, because Named is not an object type',
  ],
  [
    'a resolver for the field of an input type',
    { ...resolvers, GreetingFilter: { language: () => null } },
    'GreetingFilter.language must not have a resolver, because GreetingFilter is not an object type',
  ],
  ['a query field without a resolver', { ...resolvers, Query: {} }, 'Query.greeting has no resolver'],
  ['a mutation field without a resolver', { ...resolvers, Mutation: {} }, 'Mutation.greet has no resolver'],
  [
    'a non-null field of an entity without a resolver and without __resolveReference',
    { ...resolvers, Verse: {} },
    'Verse.label is non-null and has no resolver, and Verse has no __resolveReference',
  ],
])('createSubgraph rejects %s, and names the type or the field', async (_, changed, problem) => {
  await expect(create(changed)).rejects.toThrow(`The greetings subgraph cannot start: ${problem}.`);
});

test("if a resolver's object lacks a non-null field, the response has an error at the field, and the log names it", async () => {
  const lines: unknown[] = [];
  const log = { ...silentLogger, error: (fields: unknown) => void lines.push(fields) };
  const subgraph = await create({ ...resolvers, Query: { greeting: () => ({ name: 'short' }) } });
  const response = (await executeInProcess(subgraph, log)({ query: '{ greeting { text } }' })) as SubgraphResponse;
  expect(response.errors).toMatchObject([{ path: ['greeting', 'text'] }]);
  expect(lines).toMatchObject([
    { err: { message: 'Cannot return null for non-nullable field Greeting.text.' }, path: ['greeting', 'text'] },
  ]);
});
