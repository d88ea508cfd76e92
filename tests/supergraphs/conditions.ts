import { findBy, required, rowsOf, type SupergraphFixture, subgraph } from './fixture';

const books = rowsOf('Book', [{ id: 'b1', title: 'Ruth', pages: 90, cost: 4 }]);
const films = rowsOf('Film', [{ id: 'f1', title: 'Exodus', minutes: 200, cost: 9 }]);

/** `@skip` and `@include` on fields, fragments and inline fragments, with and without variables, beside requirements. */
export const conditions: SupergraphFixture = {
  name: 'conditions',
  subgraphs: () => ({
    a: subgraph(
      `type Query { works: [Work!]! book: Book }
       interface Work { id: ID! title: String }
       type Book implements Work @key(fields: "id") { id: ID! title: String pages: Int }
       type Film implements Work @key(fields: "id") { id: ID! title: String minutes: Int }`,
      {
        Query: { works: () => [...books, ...films], book: () => books[0] },
        Book: { __resolveReference: findBy(books, 'id') },
        Film: { __resolveReference: findBy(films, 'id') },
      },
    ),
    b: subgraph(
      `type Query { cheapest: Book }
       type Book @key(fields: "id") { id: ID! pages: Int @external cost: Int perPage: Int @requires(fields: "pages") next: Book }
       type Film @key(fields: "id") { id: ID! cost: Int }`,
      {
        Query: { cheapest: () => ({ id: 'b1', cost: 4 }) },
        Book: {
          __resolveReference: findBy([{ id: 'b1', cost: 4 }], 'id'),
          perPage: (book: Readonly<Record<string, unknown>>) => required<number>(book, 'pages') / 10,
          next: () => ({ id: 'b1', cost: 4 }),
        },
        Film: { __resolveReference: findBy(films, 'id') },
      },
    ),
  }),
  cases: [
    {
      name: 'no condition: a field with a requirement below an entity of the same type, beside another',
      query: '{ book { next { perPage next { perPage } } perPage } cheapest { next { perPage } } }',
      data: {
        book: { next: { perPage: 9, next: { perPage: 9 } }, perPage: 9 },
        cheapest: { next: { perPage: 9 } },
      },
    },
    {
      name: 'fields of two subgraphs, each with the opposite condition',
      query:
        'query ($yes: Boolean!, $no: Boolean!) { book { title @include(if: $yes) pages @skip(if: $yes) perPage @skip(if: $no) cost @include(if: $no) } }',
      variables: { yes: true, no: false },
      data: { book: { title: 'Ruth', perPage: 9 } },
    },
    {
      name: 'the same operation with other values of its variables',
      query:
        'query ($yes: Boolean!, $no: Boolean!) { book { title @include(if: $yes) pages @skip(if: $yes) perPage @skip(if: $no) cost @include(if: $no) } }',
      variables: { yes: false, no: true },
      data: { book: { pages: 90, cost: 4 } },
    },
    {
      name: 'all fields are skipped',
      query: 'query ($no: Boolean = false) { book @include(if: $no) { title } works @skip(if: true) { id } }',
      data: {},
    },
    {
      name: 'all fields of an object are skipped',
      query: 'query ($no: Boolean = false) { book { title @include(if: $no) } works { ... @include(if: $no) { id } } }',
      data: { book: {}, works: [{}, {}] },
    },
    {
      name: 'both directives on one field',
      query:
        'query ($yes: Boolean!) { book { title @include(if: $yes) @skip(if: $yes) cost @skip(if: false) @include(if: $yes) pages @skip(if: true) @include(if: true) } }',
      variables: { yes: true },
      data: { book: { cost: 4 } },
    },
    {
      name: 'conditions on fragments on a type, on its interface and on no type',
      query:
        'query ($yes: Boolean!, $no: Boolean!) { works { ... on Book @include(if: $yes) { cost } ... on Film @include(if: $no) { minutes cost } ... on Work @skip(if: $no) { title } ... @include(if: $yes) { __typename } ...F @skip(if: $yes) } book { ... on Book @skip(if: $no) { perPage } } } fragment F on Work { id }',
      variables: { yes: true, no: false },
      data: {
        works: [
          { cost: 4, title: 'Ruth', __typename: 'Book' },
          { title: 'Exodus', __typename: 'Film' },
        ],
        book: { perPage: 9 },
      },
    },
    {
      name: 'one field twice, once with a condition that removes it',
      query:
        'query ($no: Boolean!) { book { cost @include(if: $no) cost ...P @include(if: $no) ...P } works { title @skip(if: true) ... on Work { title } } } fragment P on Book { perPage next { cost @include(if: $no) id } }',
      variables: { no: false },
      data: { book: { cost: 4, perPage: 9, next: { id: 'b1' } }, works: [{ title: 'Ruth' }, { title: 'Exodus' }] },
    },
    {
      name: 'a condition around a hop to another subgraph and back',
      query:
        'query ($go: Boolean = true, $back: Boolean = false) { cheapest @include(if: $go) { cost next @include(if: $go) { title @include(if: $back) perPage @skip(if: $back) next @skip(if: $go) { title } } } }',
      data: { cheapest: { cost: 4, next: { perPage: 9 } } },
    },
    {
      name: 'a condition on a field with the name of a required field',
      query:
        'query ($no: Boolean!) { book { pages: title @skip(if: $no) pages @include(if: $no) perPage id: cost @skip(if: $no) } }',
      variables: { no: false },
      // Two fields with one response name must be equal, whatever their conditions are.
    },
    {
      name: 'a required field that a condition removes',
      query: 'query ($no: Boolean!) { book { pages @include(if: $no) perPage id @skip(if: true) } }',
      variables: { no: false },
      data: { book: { perPage: 9 } },
    },
  ],
};
