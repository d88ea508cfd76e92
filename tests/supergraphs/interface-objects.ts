import { findBy, required, rowsOf, type SupergraphFixture, subgraph } from './fixture';

const media = [
  ...rowsOf('Book', [
    { id: 'b1', title: 'Ruth', pages: 90 },
    { id: 'b2', title: 'Esther', pages: 80 },
  ]),
  ...rowsOf('Song', [{ id: 's1', title: 'Ascent', seconds: 60 }]),
];
const ratings = [
  { id: 'b1', stars: 5 },
  { id: 'b2', stars: 3 },
  { id: 's1', stars: 4 },
];
const ofType = (name: string) => media.filter(({ __typename }) => __typename === name);

/** Two subgraphs add fields to an interface as `@interfaceObject`; one of them requires a field of the interface. */
export const interfaceObjects: SupergraphFixture = {
  name: 'interface-objects',
  subgraphs: () => ({
    media: subgraph(
      `type Query { media: [Media!]! book: Book work: Work }
       union Work = Book | Song
       interface Media @key(fields: "id") { id: ID! title: String }
       type Book implements Media @key(fields: "id") { id: ID! title: String pages: Int }
       type Song implements Media @key(fields: "id") { id: ID! title: String seconds: Int }`,
      {
        Query: { media: () => media, book: () => media[0], work: () => media[2] },
        Media: { __resolveReference: findBy(media, 'id') },
        Book: { __resolveReference: findBy(ofType('Book'), 'id') },
        Song: { __resolveReference: findBy(ofType('Song'), 'id') },
      },
    ),
    ratings: subgraph(
      `type Query { best: [Media!]! grid: [[Media!]!]! }
       type Media @key(fields: "id") @interfaceObject { id: ID! stars: Int! better: Media }`,
      {
        Query: {
          best: () => [ratings[0], ratings[2]],
          grid: () => [[ratings[1]], [], [ratings[2], ratings[0]]],
        },
        Media: {
          __resolveReference: findBy(ratings, 'id'),
          better: ({ id }: { id: string }) => (id === 'b1' ? null : ratings[0]),
        },
      },
    ),
    shouts: subgraph(
      `type Media @key(fields: "id") @interfaceObject {
         id: ID! title: String @external shout: String @requires(fields: "title")
       }`,
      {
        Media: {
          __resolveReference: findBy(
            ratings.map(({ id }) => ({ id })),
            'id',
          ),
          shout: (sent: Readonly<Record<string, unknown>>) => required<string>(sent, 'title').toUpperCase(),
        },
      },
    ),
  }),
  cases: [
    {
      name: 'fields of the interface from all subgraphs',
      query: '{ media { id stars shout } }',
      data: {
        media: [
          { id: 'b1', stars: 5, shout: 'RUTH' },
          { id: 'b2', stars: 3, shout: 'ESTHER' },
          { id: 's1', stars: 4, shout: 'ASCENT' },
        ],
      },
    },
    {
      name: 'only fields of the subgraph that does not know the types',
      query: '{ best { id stars } }',
      data: {
        best: [
          { id: 'b1', stars: 5 },
          { id: 's1', stars: 4 },
        ],
      },
    },
    {
      name: 'the concrete types of objects that come from a subgraph without them',
      query: '{ best { __typename stars ... on Book { pages } } grid { __typename id } }',
      data: {
        best: [
          { __typename: 'Book', stars: 5, pages: 90 },
          { __typename: 'Song', stars: 4 },
        ],
        grid: [
          [{ __typename: 'Book', id: 'b2' }],
          [],
          [
            { __typename: 'Song', id: 's1' },
            { __typename: 'Book', id: 'b1' },
          ],
        ],
      },
    },
    {
      name: 'fields of the interface on a concrete type, with aliases of the key and of the required field',
      query: '{ book { id: title title: stars shout } work { ... on Song { id: shout } ... on Media { stars } } }',
      data: { book: { id: 'Ruth', title: 5, shout: 'RUTH' }, work: { id: 'ASCENT', stars: 4 } },
    },
    {
      name: 'aliases of the interface field in fragments on two types',
      query: '{ media { ... on Book { s: stars } ... on Song { s: stars shout } } }',
      data: { media: [{ s: 5 }, { s: 3 }, { s: 4, shout: 'ASCENT' }] },
    },
    {
      name: 'an interface object in an interface object',
      query: '{ best { better { title ... on Book { better { id } } } } grid { better { stars __typename } } }',
      data: {
        best: [{ better: null }, { better: { title: 'Ruth', better: null } }],
        grid: [
          [{ better: { stars: 5, __typename: 'Book' } }],
          [],
          [{ better: { stars: 5, __typename: 'Book' } }, { better: null }],
        ],
      },
    },
    {
      name: 'the concrete types of objects below a list of lists',
      query: '{ grid { better { stars __typename } shout } }',
      data: {
        grid: [
          [{ better: { stars: 5, __typename: 'Book' }, shout: 'ESTHER' }],
          [],
          [
            { better: { stars: 5, __typename: 'Book' }, shout: 'ASCENT' },
            { better: null, shout: 'RUTH' },
          ],
        ],
      },
    },
    {
      name: 'a condition in a fragment on a type of an interface object',
      query:
        'query ($pages: Boolean!, $stars: Boolean = false) { best { title ... on Book @include(if: $pages) { pages } ... on Song { stars @include(if: $stars) seconds } } }',
      variables: { pages: false },
      data: { best: [{ title: 'Ruth' }, { title: 'Ascent', seconds: 60 }] },
    },
  ],
};
