import { findBy, neverRead, required, type SupergraphFixture, subgraph } from './fixture';

const items = [
  { id: '1', cost: 5, stock: 3, kind: { name: 'oil' } },
  { id: '2', cost: 7, stock: 0, kind: { name: 'wine' } },
];
const others = [{ id: '3', cost: 9 }];

/** Fields that moved from one subgraph to another, which the old subgraph still has in its schema. */
export const overrides: SupergraphFixture = {
  name: 'overrides',
  subgraphs: () => ({
    old: subgraph(
      `type Query { items: [Item!]! count: Int offers: [Offer!]! }
       interface Offer { id: ID! cost: Int }
       type Item implements Offer @key(fields: "id") { id: ID! cost: Int stock: Int kind: Kind }
       type Other implements Offer @key(fields: "id") { id: ID! cost: Int }
       type Kind { name: String @shareable }`,
      {
        Query: {
          items: () => items,
          count: neverRead,
          offers: () => [
            { __typename: 'Item', ...items[0] },
            { __typename: 'Other', ...others[0] },
          ],
        },
        Item: { __resolveReference: findBy(items, 'id'), cost: neverRead, kind: neverRead },
        Other: { __resolveReference: findBy(others, 'id') },
      },
    ),
    new: subgraph(
      `type Query { count: Int @override(from: "old") newest: Item }
       type Item @key(fields: "id") {
         id: ID! cost: Int @override(from: "old") stock: Int @external kind: Kind @override(from: "old")
         worth: Int @requires(fields: "stock")
       }
       type Kind { name: String @shareable size: Int }`,
      {
        Query: { count: () => 2, newest: () => items[1] },
        Item: {
          __resolveReference: findBy(
            items.map(({ stock: _stock, ...item }) => item),
            'id',
          ),
          kind: (item: { id: string }) => ({ ...items.find(({ id }) => id === item.id)?.kind, size: 1 }),
          worth: (item: Readonly<Record<string, unknown>>) => required<number>(item, 'stock') * 10,
        },
      },
    ),
  }),
  cases: [
    {
      name: 'overridden fields of entities and of the query type',
      query: '{ count items { stock cost } }',
      data: {
        count: 2,
        items: [
          { stock: 3, cost: 5 },
          { stock: 0, cost: 7 },
        ],
      },
    },
    {
      name: 'an overridden field of an object beside a requirement in the other direction',
      query: '{ items { worth kind { size name } } newest { stock worth cost } }',
      data: {
        items: [
          { worth: 30, kind: { size: 1, name: 'oil' } },
          { worth: 0, kind: { size: 1, name: 'wine' } },
        ],
        newest: { stock: 0, worth: 0, cost: 7 },
      },
    },
    {
      name: 'a field of an interface of which one type has moved',
      query: '{ offers { __typename cost } }',
      data: {
        offers: [
          { __typename: 'Item', cost: 5 },
          { __typename: 'Other', cost: 9 },
        ],
      },
    },
    {
      name: 'an alias of an overridden field with the name of the key',
      query: '{ items { id: cost cost: worth } }',
      data: {
        items: [
          { id: 5, cost: 30 },
          { id: 7, cost: 0 },
        ],
      },
    },
  ],
};
