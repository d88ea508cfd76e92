import { findBy, type SupergraphFixture, subgraph } from './fixture';

const items = [{ id: '1', name: 'one', cost: 5 }];

/** Introspection and `__typename` of the root types beside data. */
export const introspected: SupergraphFixture = {
  name: 'introspected',
  subgraphs: () => ({
    a: subgraph(
      `type Query { item: Item items(first: Int = 10 , old: Boolean @deprecated(reason: "no")): [Item!]! old: Int @deprecated(reason: "gone") }
       type Mutation { touch: Item }
       "A thing."
       type Item @key(fields: "id") { id: ID! "Its name." name: String }`,
      {
        Query: { item: () => items[0], items: () => items, old: () => 1 },
        Mutation: { touch: () => items[0] },
        Item: { __resolveReference: findBy(items, 'id') },
      },
    ),
    b: subgraph('type Item @key(fields: "id") { id: ID! cost: Int }', {
      Item: { __resolveReference: findBy(items, 'id') },
    }),
  }),
  cases: [
    {
      name: 'only __typename of the query type',
      query: '{ __typename t: __typename ... on Query { u: __typename } }',
      data: { __typename: 'Query', t: 'Query', u: 'Query' },
    },
    {
      name: '__typename of the query type between fields of two subgraphs',
      query: '{ item { cost } __typename items { __typename name cost } q: __typename }',
      data: {
        item: { cost: 5 },
        __typename: 'Query',
        items: [{ __typename: 'Item', name: 'one', cost: 5 }],
        q: 'Query',
      },
    },
    {
      name: 'introspection before, between and after data, in fragments',
      query:
        '{ __schema { queryType { name } mutationType { n: name } } item { name } ...T items { cost } s: __schema { subscriptionType { name } } } fragment T on Query { __type(name: "Item") { description fields { name description } } }',
      data: {
        __schema: { queryType: { name: 'Query' }, mutationType: { n: 'Mutation' } },
        item: { name: 'one' },
        __type: {
          description: 'A thing.',
          fields: [
            { name: 'id', description: null },
            { name: 'name', description: 'Its name.' },
            { name: 'cost', description: null },
          ],
        },
        items: [{ cost: 5 }],
        s: { subscriptionType: null },
      },
    },
    {
      name: 'introspection with variables and conditions',
      query:
        'query ($name: String!, $old: Boolean = true, $no: Boolean = false) { __type(name: $name) { fields(includeDeprecated: $old) { name isDeprecated deprecationReason args @include(if: $no) { name } } } __schema @include(if: $no) { types { name } } item @skip(if: $no) { id } }',
      variables: { name: 'Query' },
      data: {
        __type: {
          fields: [
            { name: 'item', isDeprecated: false, deprecationReason: null },
            { name: 'items', isDeprecated: false, deprecationReason: null },
            { name: 'old', isDeprecated: true, deprecationReason: 'gone' },
          ],
        },
        item: { id: '1' },
      },
    },
    {
      name: 'no types and fields of the federation, and no join directives',
      query:
        '{ any: __type(name: "_Any") { name } join: __type(name: "join__Graph") { name } link: __type(name: "link__Import") { name } __type(name: "Query") { fields { name } } old }',
      data: { any: null, join: null, link: null, __type: { fields: [{ name: 'item' }, { name: 'items' }] }, old: 1 },
    },
    {
      name: '__typename of the mutation type',
      query: 'mutation { __typename touch { cost __typename } m: __typename }',
      data: { __typename: 'Mutation', touch: { cost: 5, __typename: 'Item' }, m: 'Mutation' },
    },
    { name: 'a field of the federation', query: '{ _service { sdl } }' },
    {
      name: 'entities of the federation',
      query: '{ _entities(representations: [{ __typename: "Item", id: "1" }]) { __typename } }',
    },
  ],
};
