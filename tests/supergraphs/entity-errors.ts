import { findBy, required, rowsOf, type SupergraphFixture, subgraph } from './fixture';

const boats = rowsOf('Boat', [
  { id: 'b1', sail: 'white', length: 3 },
  { id: 'b2', sail: 'red', length: 4 },
]);
const carts = rowsOf('Cart', [{ id: 'c1', wheels: 2 }]);
const failOn =
  (...ids: string[]) =>
  (row: Readonly<Record<string, unknown>>): unknown => {
    if (ids.includes(row['id'] as string)) throw new Error(`${row['id']} is broken`);
    return row['id'];
  };

/** Subgraphs respond with data and errors: in a field of one entity, in a whole entity, and in a whole request. */
export const entityErrors: SupergraphFixture = {
  name: 'entity-errors',
  subgraphs: () => ({
    fleet: subgraph(
      `type Query { boats: [Boat!]! crafts: [Craft] twice: [[Boat]] broken: Boat brokenList: [Boat!] }
       union Craft = Boat | Cart
       type Boat @key(fields: "id") { id: ID! sail: String torn: String same: Boat }
       type Cart @key(fields: "id") { id: ID! }`,
      {
        Query: {
          boats: () => boats,
          crafts: () => [...boats, ...carts, null],
          twice: () => [[boats[0], boats[1]], [boats[0]]],
          broken: () => null,
          brokenList: () => {
            throw new Error('no list');
          },
        },
        Boat: { torn: failOn('b1'), same: (boat: unknown) => boat, __resolveReference: findBy(boats, 'id') },
        Cart: { __resolveReference: findBy(carts, 'id') },
      },
    ),
    docks: subgraph(
      `type Boat @key(fields: "id") { id: ID! dock: String gate: String! parts: [Part] sail: String @external color: String @requires(fields: "sail") torn: String @external patch: String @requires(fields: "torn") }
       type Part { name: String }
       type Cart @key(fields: "id") { id: ID! dock: String }`,
      {
        Boat: {
          __resolveReference: findBy(
            boats.map(({ __typename, id }) => ({ __typename, id })),
            'id',
          ),
          dock: failOn('b1'),
          gate: failOn('b2'),
          parts: ({ id }: { id: string }) => [{ name: () => failOn('b2')({ id }) }, null, { name: 'keel' }],
          color: (boat: Readonly<Record<string, unknown>>) => `${required<string>(boat, 'sail')} cloth`,
          patch: (boat: Readonly<Record<string, unknown>>) => `patch on ${required<string | null>(boat, 'torn')}`,
        },
        Cart: { __resolveReference: findBy(carts, 'id'), dock: ({ id }: { id: string }) => `dock ${id}` },
      },
    ),
    crews: subgraph('type Boat @key(fields: "id") { id: ID! crew: Int strict: Int! }', {
      Boat: {
        async __resolveReference({ id }: { id: string }) {
          if (id === 'b2') throw new Error('no crew');
          return { id, crew: 5, strict: 6 };
        },
      },
    }),
  }),
  cases: [
    {
      name: 'a field of one of two entities',
      query: '{ boats { id dock } }',
      data: {
        boats: [
          { id: 'b1', dock: null },
          { id: 'b2', dock: 'b2' },
        ],
      },
      errors: ['boats.0.dock'],
    },
    {
      name: 'a field of an entity that is in several places, with an alias',
      query: '{ twice { at: dock color } boats { dock } }',
      data: {
        twice: [
          [
            { at: null, color: 'white cloth' },
            { at: 'b2', color: 'red cloth' },
          ],
          [{ at: null, color: 'white cloth' }],
        ],
        boats: [{ dock: null }, { dock: 'b2' }],
      },
      errors: ['boats.0.dock', 'twice.0.0.at', 'twice.1.0.at'],
    },
    {
      name: 'a whole entity, beside another subgraph that has it',
      query: '{ crafts { ... on Boat { crew id: dock } ... on Cart { dock } } }',
      data: { crafts: [{ crew: 5, id: null }, { crew: null, id: 'b2' }, { dock: 'dock c1' }, null] },
      errors: ['crafts.0.id', 'crafts.1.crew'],
    },
    {
      name: 'a field that must not be null, in a list whose items may be null',
      query: '{ twice { id gate strict } }',
      data: { twice: [[{ id: 'b1', gate: 'b1', strict: 6 }, null], [{ id: 'b1', gate: 'b1', strict: 6 }]] },
      errors: ['twice.0.1'],
    },
    {
      name: 'a list below an entity',
      query: '{ boats { parts { name } } }',
      data: {
        boats: [
          { parts: [{ name: 'b1' }, null, { name: 'keel' }] },
          { parts: [{ name: null }, null, { name: 'keel' }] },
        ],
      },
      errors: ['boats.1.parts.0.name'],
    },
    {
      name: 'a required field that failed is sent as null',
      query: '{ boats { patch } }',
      data: { boats: [{ patch: 'patch on null' }, { patch: 'patch on b2' }] },
      errors: ['boats.0'],
    },
    {
      name: 'fields of the query type, one null and one failed',
      query: '{ broken { id crew } brokenList { crew } boats { sail } }',
      data: { broken: null, brokenList: null, boats: [{ sail: 'white' }, { sail: 'red' }] },
      errors: ['brokenList'],
    },
  ],
};
