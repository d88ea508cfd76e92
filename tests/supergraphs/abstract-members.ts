import { findBy, rowsOf, type SupergraphFixture, subgraph } from './fixture';

const books = rowsOf('Book', [{ id: 'b1', title: 'Ruth', pages: 90, cost: 12 }]);
const films = rowsOf('Film', [{ id: 'f1', minutes: 100, rating: 4 }]);
const songs = rowsOf('Song', [{ id: 's1', artist: 'Asaph' }]);

/**
 * A union has other members in each subgraph. Film implements Node in one subgraph only, Book in the other only, and
 * one subgraph does not know Sold.
 */
export const abstractMembers: SupergraphFixture = {
  name: 'abstract-members',
  subgraphs: () => ({
    a: subgraph(
      `type Query { feed: [Item!]! featured: Node boxes: [Box!]! }
       union Item = Book | Film
       interface Node { id: ID! }
       type Box { item: Item others: [Item!] }
       type Book implements Node @key(fields: "id") { id: ID! title: String! }
       type Film @key(fields: "id") { id: ID! minutes: Int! }`,
      {
        Query: {
          feed: () => [...books, ...films],
          featured: () => books[0],
          boxes: () => [
            { item: films[0], others: [books[0]] },
            { item: null, others: [] },
          ],
        },
        Book: { __resolveReference: findBy(books, 'id') },
        Film: { __resolveReference: findBy(films, 'id') },
      },
    ),
    b: subgraph(
      `type Query { others: [Item!]! nodes: [Node!]! }
       union Item = Book | Song
       interface Node { id: ID! }
       interface Sold { cost: Int }
       type Book implements Sold @key(fields: "id") { id: ID! pages: Int cost: Int }
       type Film implements Node @key(fields: "id") { id: ID! rating: Int }
       type Song implements Node @key(fields: "id") { id: ID! artist: String }`,
      {
        Query: { others: () => [...songs, ...books], nodes: () => [...songs, ...films] },
        Book: { __resolveReference: findBy(books, 'id') },
        Film: { __resolveReference: findBy(films, 'id') },
        Song: { __resolveReference: findBy(songs, 'id') },
      },
    ),
  }),
  cases: [
    {
      name: 'fragments on all members of a union, of which the subgraph knows two',
      query:
        '{ feed { __typename ... on Song { artist } ... on Book { title pages } ... on Film { minutes rating } } }',
      data: {
        feed: [
          { __typename: 'Book', title: 'Ruth', pages: 90 },
          { __typename: 'Film', minutes: 100, rating: 4 },
        ],
      },
    },
    {
      name: 'a fragment on an interface that a member implements in another subgraph only',
      query: '{ feed { ... on Node { id } } others { ... on Node { id } } }',
      data: { feed: [{ id: 'b1' }, { id: 'f1' }], others: [{ id: 's1' }, { id: 'b1' }] },
    },
    {
      name: 'the same fragment, in an operation of one subgraph',
      query: '{ feed { ... on Node { id } } }',
      data: { feed: [{ id: 'b1' }, { id: 'f1' }] },
    },
    {
      name: 'the same fragment, in an operation of the other subgraph, with an alias',
      query: '{ others { __typename ... on Node { key: id } } }',
      data: {
        others: [
          { __typename: 'Song', key: 's1' },
          { __typename: 'Book', key: 'b1' },
        ],
      },
    },
    {
      name: 'only an alias of __typename in an interface and in a union',
      query: '{ __typename featured { t: __typename } others { t: __typename } }',
      data: { __typename: 'Query', featured: { t: 'Book' }, others: [{ t: 'Song' }, { t: 'Book' }] },
    },
    {
      name: 'a fragment on an interface that the subgraph does not know',
      query: '{ feed { ... on Sold { cost } } others { __typename ... on Sold { cost } } }',
      data: {
        feed: [{ cost: 12 }, {}],
        others: [{ __typename: 'Song' }, { __typename: 'Book', cost: 12 }],
      },
    },
    {
      name: 'a named fragment on a type that the subgraph does not know',
      query: '{ feed { ...S } boxes { item { ...S __typename } } } fragment S on Song { artist }',
      data: { feed: [{}, {}], boxes: [{ item: { __typename: 'Film' } }, { item: null }] },
    },
    {
      name: 'an interface with fragments on types that do not implement it in the subgraph',
      query: '{ nodes { id ... on Book { title } ... on Film { minutes } } featured { id ... on Film { rating } } }',
      data: { nodes: [{ id: 's1' }, { id: 'f1', minutes: 100 }], featured: { id: 'b1' } },
    },
    {
      name: 'an interface in a union in an interface',
      query: '{ nodes { ... on Item { ... on Node { ... on Film { minutes } ... on Song { artist } } } } }',
      data: { nodes: [{ artist: 'Asaph' }, { minutes: 100 }] },
    },
    {
      name: 'members in lists below a type without a key',
      query:
        'query ($yes: Boolean!) { boxes { others { ... on Sold @include(if: $yes) { cost } ... on Book { name: title } } item { ... on Node { id } ... on Film { rating } } } }',
      variables: { yes: true },
      data: {
        boxes: [
          { others: [{ cost: 12, name: 'Ruth' }], item: { id: 'f1', rating: 4 } },
          { others: [], item: null },
        ],
      },
    },
  ],
};
