import { findBy, required, type SupergraphFixture, subgraph } from './fixture';

const items = [
  { id: '1', ref: { code: 'x', zone: 'n' }, serial: 11, a: 'a1', b: 'b1', c: 'c1', d: 'd1' },
  { id: '2', ref: { code: 'x', zone: 's' }, serial: 12, a: 'a2', b: 'b2', c: 'c2', d: 'd2' },
  { id: '3', ref: null, serial: 13, a: 'a3', b: 'b3', c: 'c3', d: 'd3' },
];
const rows = [
  { id: 'r1', letter: 'K' },
  { id: 'r2', letter: 'L' },
];
const seats = [
  { row: rows[0], number: 1, cost: 9, view: 'far' },
  { row: rows[1], number: 1, cost: 5, view: 'near' },
];

/** Keys with several fields, keys in objects, a key that contains an entity, and fields that only three hops reach. */
export const mashedKeys: SupergraphFixture = {
  name: 'mashed-keys',
  subgraphs: () => ({
    a: subgraph(
      `type Query { items: [Item!]! seats: [Seat] }
       type Item @key(fields: "id") { id: ID! a: String }
       type Row @key(fields: "id") { id: ID! }
       type Seat @key(fields: "row { id } number") { row: Row! number: Int! }`,
      {
        Query: { items: () => items, seats: () => [seats[0], null, seats[1]] },
        Item: { __resolveReference: findBy(items, 'id') },
        Row: { __resolveReference: findBy(rows, 'id') },
        Seat: { __resolveReference: findBy(seats, 'row number') },
      },
    ),
    b: subgraph(
      `type Item @key(fields: "id") @key(fields: "ref { code zone }") { id: ID! ref: Ref b: String }
       type Ref { code: String zone: String }
       type Row @key(fields: "id") { id: ID! letter: String }`,
      {
        Item: { __resolveReference: findBy(items, 'id', 'ref') },
        Row: { __resolveReference: findBy(rows, 'id') },
      },
    ),
    c: subgraph(
      `type Item @key(fields: "ref { code zone }") @key(fields: "serial") { ref: Ref serial: Int c: String }
       type Ref { code: String zone: String }
       type Row @key(fields: "id") { id: ID! letter: String @external }
       type Seat @key(fields: "row { id } number") { row: Row! number: Int! cost: Int label: String @requires(fields: "row { letter }") }`,
      {
        Item: { __resolveReference: findBy(items, 'ref', 'serial') },
        Row: {
          __resolveReference: findBy(
            rows.map(({ id }) => ({ id })),
            'id',
          ),
        },
        Seat: {
          __resolveReference: findBy(seats, 'row number'),
          label: (seat: { number: number } & Readonly<Record<string, unknown>>) =>
            `${required<string>(required<Record<string, unknown>>(seat, 'row'), 'letter')}${seat.number}`,
        },
      },
    ),
    d: subgraph(
      `type Item @key(fields: "serial") { serial: Int d: String }
       type Row @key(fields: "id") { id: ID! }
       type Seat @key(fields: "number row { id }") { row: Row! number: Int! view: String }`,
      {
        Item: { __resolveReference: findBy(items, 'serial') },
        Row: { __resolveReference: findBy(rows, 'id') },
        Seat: { __resolveReference: findBy(seats, 'number row') },
      },
    ),
  }),
  cases: [
    {
      name: 'a field three hops away, for entities of which one lacks a key on the way',
      query: '{ items { a d } }',
      data: {
        items: [
          { a: 'a1', d: 'd1' },
          { a: 'a2', d: 'd2' },
          { a: 'a3', d: null },
        ],
      },
    },
    {
      name: 'all fields, in the order opposite to the hops',
      query: '{ items { d c b a id } }',
      data: {
        items: [
          { d: 'd1', c: 'c1', b: 'b1', a: 'a1', id: '1' },
          { d: 'd2', c: 'c2', b: 'b2', a: 'a2', id: '2' },
          { d: null, c: null, b: 'b3', a: 'a3', id: '3' },
        ],
      },
    },
    {
      name: 'aliases with the names of all keys',
      query: '{ items { id: d ref: c serial: b } }',
      data: {
        items: [
          { id: 'd1', ref: 'c1', serial: 'b1' },
          { id: 'd2', ref: 'c2', serial: 'b2' },
          { id: null, ref: null, serial: 'b3' },
        ],
      },
    },
    {
      name: 'aliases with the names of fields in a key',
      query: '{ items { ref { zone: code code: zone } c } }',
      data: {
        items: [
          { ref: { zone: 'x', code: 'n' }, c: 'c1' },
          { ref: { zone: 'x', code: 's' }, c: 'c2' },
          { ref: null, c: null },
        ],
      },
    },
    {
      name: 'a key that contains an entity, in a list with null',
      query: '{ seats { cost view row { letter } } }',
      data: {
        seats: [{ cost: 9, view: 'far', row: { letter: 'K' } }, null, { cost: 5, view: 'near', row: { letter: 'L' } }],
      },
    },
    {
      name: 'a required field of the entity in a key',
      query: '{ seats { label row { id: letter } number: view } }',
      data: {
        seats: [
          { label: 'K1', row: { id: 'K' }, number: 'far' },
          null,
          { label: 'L1', row: { id: 'L' }, number: 'near' },
        ],
      },
    },
  ],
};
