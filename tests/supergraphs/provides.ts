import { findBy, neverRead, rowsOf, type SupergraphFixture, subgraph } from './fixture';

const origins = { o: { city: 'Ophir', country: 'East' }, t: { city: 'Tyre', country: 'West' } };
const products = [
  { id: 'p1', name: 'Gold', stock: 3, maker: origins.o },
  { id: 'p2', name: 'Purple', stock: 0, maker: origins.t },
];
const books = rowsOf('Book', [
  { id: 'b1', title: 'Ruth', pages: 90, blurb: 'gleaning', by: { name: 'Samuel' } },
  { id: 'b2', title: 'Esther', pages: 80, blurb: 'a feast', by: null },
]);
const songs = rowsOf('Song', [{ id: 's1', title: 'Ascent', seconds: 60, blurb: 'steps', by: { name: 'David' } }]);

/** Rows as a field without `@provides` returns them: only with their keys. */
const keysOnly = (rows: readonly object[]) =>
  rows.map((row) => {
    const { __typename, id } = row as { __typename?: string; id: string };
    return {
      ...(__typename && { __typename }),
      id,
      title: neverRead,
      name: neverRead,
      maker: neverRead,
      by: neverRead,
    };
  });

/** One subgraph can resolve a field only at the paths where it provides it. At other paths its resolver throws. */
export const provides: SupergraphFixture = {
  name: 'provides',
  subgraphs: () => ({
    reviews: subgraph(
      `type Query {
         reviews: [Review!]! bare: [Product!]!
         shelf: [Media!]! @provides(fields: "by { name } ... on Book { title } ... on Song { title }")
         bareShelf: [Media!]!
         mixed: [Work!]! @provides(fields: "... on Book { title } ... on Song { title }")
         bareMixed: [Work!]!
         half: [Media!]! @provides(fields: "... on Book { title }")
       }
       type Review @key(fields: "id") { id: ID! stars: Int product: Product @provides(fields: "name maker { city }") bare: Product }
       type Product @key(fields: "id") { id: ID! name: String @external maker: Maker @external }
       type Maker { city: String @external }
       union Work = Book | Song
       interface Media { id: ID! title: String by: Person }
       type Person @shareable { name: String }
       type Book implements Media @key(fields: "id") { id: ID! title: String @external by: Person @external sequel: Book @provides(fields: "title") bareSequel: Book }
       type Song implements Media @key(fields: "id") { id: ID! title: String @external by: Person @external }`,
      {
        Query: {
          reviews: () => [
            { id: 'r1', stars: 5, product: products[0], bare: keysOnly(products)[1] },
            { id: 'r2', stars: 1, product: null, bare: keysOnly(products)[0] },
          ],
          bare: () => keysOnly(products),
          shelf: () => [...books, ...songs],
          bareShelf: () => keysOnly([...songs, ...books]),
          mixed: () => [...songs, ...books],
          bareMixed: () => keysOnly([...books, ...songs]),
          half: () => [...books, ...keysOnly(songs)],
        },
        Review: { __resolveReference: ({ id }: { id: string }) => ({ id, stars: 5 }) },
        Product: { __resolveReference: ({ id }: { id: string }) => keysOnly([{ id }])[0] },
        Book: {
          __resolveReference: ({ id }: { id: string }) => keysOnly([{ __typename: 'Book', id }])[0],
          sequel: ({ id }: { id: string }) => (id === 'b1' ? books[1] : null),
          bareSequel: ({ id }: { id: string }) => (id === 'b1' ? keysOnly(books)[1] : null),
        },
        Song: { __resolveReference: ({ id }: { id: string }) => keysOnly([{ __typename: 'Song', id }])[0] },
      },
    ),
    catalog: subgraph(
      `type Query { top: Product }
       type Product @key(fields: "id") { id: ID! name: String @shareable maker: Maker @shareable stock: Int }
       type Maker @shareable { city: String country: String }
       interface Media { id: ID! title: String by: Person }
       type Person @shareable { name: String }
       type Book implements Media @key(fields: "id") { id: ID! title: String @shareable by: Person @shareable pages: Int }
       type Song implements Media @key(fields: "id") { id: ID! title: String @shareable by: Person @shareable seconds: Int }`,
      {
        Query: { top: () => products[0] },
        Product: { __resolveReference: findBy(products, 'id') },
        Book: { __resolveReference: findBy(books, 'id') },
        Song: { __resolveReference: findBy(songs, 'id') },
      },
    ),
    blurbs: subgraph(
      `type Book @key(fields: "id") { id: ID! blurb: String }
       type Song @key(fields: "id") { id: ID! blurb: String }`,
      {
        Book: { __resolveReference: findBy(books, 'id') },
        Song: { __resolveReference: findBy(songs, 'id') },
      },
    ),
  }),
  cases: [
    {
      name: 'an object: the same fields with and without @provides',
      query: '{ reviews { stars product { name maker { city } } bare { name maker { city } } } }',
      data: {
        reviews: [
          {
            stars: 5,
            product: { name: 'Gold', maker: { city: 'Ophir' } },
            bare: { name: 'Purple', maker: { city: 'Tyre' } },
          },
          { stars: 1, product: null, bare: { name: 'Gold', maker: { city: 'Ophir' } } },
        ],
      },
    },
    {
      name: 'an object: provided fields beside fields that are not provided',
      query: '{ reviews { product { id: name maker { town: city country } stock } } bare { stock maker { city } } }',
      data: {
        reviews: [{ product: { id: 'Gold', maker: { town: 'Ophir', country: 'East' }, stock: 3 } }, { product: null }],
        bare: [
          { stock: 3, maker: { city: 'Ophir' } },
          { stock: 0, maker: { city: 'Tyre' } },
        ],
      },
    },
    {
      name: 'an interface: its field with and without @provides',
      query: '{ shelf { __typename title } bareShelf { title } }',
      data: {
        shelf: [
          { __typename: 'Book', title: 'Ruth' },
          { __typename: 'Book', title: 'Esther' },
          { __typename: 'Song', title: 'Ascent' },
        ],
        bareShelf: [{ title: 'Ascent' }, { title: 'Ruth' }, { title: 'Esther' }],
      },
    },
    {
      name: 'an interface: a provided object, with and without @provides, with aliases',
      query: '{ shelf { id: title by { title: name } } bareShelf { by { name } ... on Song { by { __typename } } } }',
      data: {
        shelf: [
          { id: 'Ruth', by: { title: 'Samuel' } },
          { id: 'Esther', by: null },
          { id: 'Ascent', by: { title: 'David' } },
        ],
        bareShelf: [{ by: { name: 'David', __typename: 'Person' } }, { by: { name: 'Samuel' } }, { by: null }],
      },
    },
    {
      name: 'an interface: provided fields in fragments on its types, with fields of two other subgraphs',
      query:
        '{ shelf { ... on Book { title pages blurb } ... on Song { title seconds } } bareShelf { ... on Book { title blurb } } }',
      data: {
        shelf: [
          { title: 'Ruth', pages: 90, blurb: 'gleaning' },
          { title: 'Esther', pages: 80, blurb: 'a feast' },
          { title: 'Ascent', seconds: 60 },
        ],
        bareShelf: [{}, { title: 'Ruth', blurb: 'gleaning' }, { title: 'Esther', blurb: 'a feast' }],
      },
    },
    {
      name: 'an interface of which @provides gives one type',
      query: '{ half { id title } }',
      data: {
        half: [
          { id: 'b1', title: 'Ruth' },
          { id: 'b2', title: 'Esther' },
          { id: 's1', title: 'Ascent' },
        ],
      },
    },
    {
      name: 'a union with and without @provides',
      query:
        '{ mixed { ... on Book { name: title } ... on Song { name: title blurb } } bareMixed { __typename ... on Book { title } ... on Song { id: title } } }',
      data: {
        mixed: [{ name: 'Ascent', blurb: 'steps' }, { name: 'Ruth' }, { name: 'Esther' }],
        bareMixed: [
          { __typename: 'Book', title: 'Ruth' },
          { __typename: 'Book', title: 'Esther' },
          { __typename: 'Song', id: 'Ascent' },
        ],
      },
    },
    {
      name: 'a type that provides a field of itself, at two levels',
      query:
        '{ shelf { ... on Book { sequel { title sequel { title } bareSequel { title } } bareSequel { title } } } }',
      data: {
        shelf: [
          {
            sequel: { title: 'Esther', sequel: null, bareSequel: null },
            bareSequel: { title: 'Esther' },
          },
          { sequel: null, bareSequel: null },
          {},
        ],
      },
    },
    {
      name: 'a type that provides a field of itself, below a field without @provides',
      query: '{ bareShelf { ... on Book { sequel { title pages bareSequel { title } } } } }',
      data: { bareShelf: [{}, { sequel: { title: 'Esther', pages: 80, bareSequel: null } }, { sequel: null }] },
    },
  ],
};
