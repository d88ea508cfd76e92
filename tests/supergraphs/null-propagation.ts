import { findBy, type SupergraphFixture, subgraph } from './fixture';

const items = [
  { id: 'i1', name: 'Ark', tags: ['gold'], inner: { must: 1, may: 2 }, code: 'A', matrix: [['x']] },
  { id: 'i2', name: null, tags: null, inner: { must: null, may: 3 }, code: 'B', matrix: [['y'], [null]] },
];
const item = (id: string | null) => (id === null ? null : { id });
const orders = ['i1', 'i2', 'gone', 'i1'].map((id, index) => ({ id: `o${index}`, item: item(id), maybe: item(id) }));

/** A null of another subgraph where the schema allows none. Item i2 has such nulls, and the item `gone` does not exist. */
export const nullPropagation: SupergraphFixture = {
  name: 'null-propagation',
  subgraphs: () => ({
    orders: subgraph(
      `type Query {
         order(at: Int!): Order must(at: Int!): Order! orders: [Order!]! maybeOrders: [Order] strictOrders: [Order!]
         items: [Item!] maybeItems: [Item] grid: [[Item!]] bag: Bag
       }
       type Order @key(fields: "id") { id: ID! item: Item! maybe: Item }
       type Bag { items: [Item!]! label: String bag: Bag }
       type Item @key(fields: "id") { id: ID! }`,
      {
        Query: {
          order: (_: unknown, { at }: { at: number }) => orders[at],
          must: (_: unknown, { at }: { at: number }) => orders[at],
          orders: () => orders.slice(0, 2),
          maybeOrders: () => [...orders, null],
          strictOrders: () => orders.slice(0, 2),
          items: () => [item('i1'), item('i2')],
          maybeItems: () => [item('i1'), item('i2'), item('gone'), null],
          grid: () => [[item('i1')], [item('i1'), item('i2')], []],
          bag: () => ({ label: 'outer', items: [], bag: { label: 'inner', items: [item('gone'), item('i1')] } }),
        },
      },
    ),
    items: subgraph(
      `type Item @key(fields: "id") { id: ID! name: String! tags: [String!] inner: Inner code: String matrix: [[String!]!] }
       type Inner { must: Int! may: Int }`,
      { Item: { __resolveReference: findBy(items, 'id') } },
    ),
    codes: subgraph(
      `type Item @key(fields: "id") { id: ID! code: String @external shown: String! @requires(fields: "code") }`,
      {
        Item: {
          __resolveReference: findBy([{ id: 'i1' }, { id: 'i2' }], 'id'),
          shown: ({ code }: { code?: string }) => (code === 'A' ? 'shown' : null),
        },
      },
    ),
  }),
  cases: [
    {
      name: 'up to the next object of a list that may be null',
      query: '{ maybeOrders { id item { name } } }',
      data: {
        maybeOrders: [{ id: 'o0', item: { name: 'Ark' } }, null, null, { id: 'o3', item: { name: 'Ark' } }, null],
      },
      errors: ['maybeOrders.1.item.name', 'maybeOrders.2.item.name'],
    },
    {
      name: 'up to the whole response',
      query: '{ orders { item { name } } }',
      data: null,
      errors: ['orders.1.item.name'],
    },
    {
      name: 'up to a list whose items must not be null, beside fields that stay',
      query: '{ strictOrders { item { name } } again: items { name } maybeItems { name } }',
      data: { strictOrders: null, again: null, maybeItems: [{ name: 'Ark' }, null, null, null] },
      errors: ['again.1.name', 'maybeItems.1.name', 'maybeItems.2.name', 'strictOrders.1.item.name'],
    },
    {
      name: 'up to a field that may be null, with the same entity at two fields',
      query: '{ order(at: 1) { maybe { name } id } other: order(at: 0) { maybe { name } item { name } } }',
      data: { order: { maybe: null, id: 'o1' }, other: { maybe: { name: 'Ark' }, item: { name: 'Ark' } } },
      errors: ['order.maybe.name'],
    },
    {
      name: 'in an object of an entity',
      query: '{ maybeItems { id inner { may must } } }',
      data: {
        maybeItems: [
          { id: 'i1', inner: { may: 2, must: 1 } },
          { id: 'i2', inner: null },
          { id: 'gone', inner: null },
          null,
        ],
      },
      errors: ['maybeItems.1.inner.must'],
    },
    {
      name: 'nulls that the schema allows',
      query: '{ maybeItems { tags code } must(at: 2) { maybe { code } item { id tags } } }',
      data: {
        maybeItems: [{ tags: ['gold'], code: 'A' }, { tags: null, code: 'B' }, { tags: null, code: null }, null],
        must: { maybe: { code: null }, item: { id: 'gone', tags: null } },
      },
    },
    {
      name: 'in nested lists',
      query: '{ grid { name } bag { label items { name } bag { label items { name } } } maybeItems { matrix } }',
      data: {
        grid: [[{ name: 'Ark' }], null, []],
        bag: { label: 'outer', items: [], bag: null },
        maybeItems: [{ matrix: [['x']] }, { matrix: null }, { matrix: null }, null],
      },
      errors: ['bag.bag.items.0.name', 'grid.1.1.name', 'maybeItems.1.matrix.1.0'],
    },
    {
      name: 'a null in a field that requires a field of another subgraph',
      query: '{ maybeItems { code: shown id: code } }',
      data: { maybeItems: [{ code: 'shown', id: 'A' }, null, null, null] },
      errors: ['maybeItems.1.code', 'maybeItems.2.code'],
    },
    {
      name: 'a skipped field propagates no null',
      query: 'query ($no: Boolean = false) { orders { id item { id name @include(if: $no) code } } }',
      data: {
        orders: [
          { id: 'o0', item: { id: 'i1', code: 'A' } },
          { id: 'o1', item: { id: 'i2', code: 'B' } },
        ],
      },
    },
  ],
};
