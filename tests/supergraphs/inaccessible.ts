import { findBy, required, type SupergraphFixture, subgraph } from './fixture';

const products = [
  { sku: 'x', name: 'Lamp', cost: 5 },
  { sku: 'y', name: 'Oil', cost: 7 },
];

/** The key and a required field of Product are not in the API schema, so clients may take their names as aliases. */
export const inaccessible: SupergraphFixture = {
  name: 'inaccessible',
  subgraphs: () => ({
    a: subgraph(
      `type Query { products: [Product!]! media: [Media] owned: Owned ownedList: [Owned!] shelf(size: Int = 2 @inaccessible, kind: Kind): [String!]! }
       type Product @key(fields: "sku") { sku: ID! @inaccessible name: String cost: Int @inaccessible }
       union Media = Clip | Draft
       type Clip { id: ID! }
       type Draft @inaccessible { id: ID! }
       interface Owned { owner: String }
       type Private implements Owned @inaccessible { owner: String }
       type Public implements Owned { owner: String }
       input Kind { shape: String size: Int = 3 @inaccessible }`,
      {
        Query: {
          products: () => products,
          media: () => [
            { __typename: 'Clip', id: 'c1' },
            { __typename: 'Draft', id: 'd1' },
          ],
          owned: () => ({ __typename: 'Private', owner: 'me' }),
          ownedList: () => [
            { __typename: 'Public', owner: 'all' },
            { __typename: 'Private', owner: 'me' },
          ],
          shelf: (_: unknown, { size, kind }: { size: number; kind?: { shape?: string; size: number } }) => [
            `size ${size}`,
            `kind ${kind?.shape} ${kind?.size}`,
          ],
        },
        Product: { __resolveReference: findBy(products, 'sku') },
      },
    ),
    b: subgraph(
      `type Product @key(fields: "sku") { sku: ID! cost: Int @external label: String @requires(fields: "cost") }`,
      {
        Product: {
          __resolveReference: findBy(products, 'sku'),
          label: (product: object) => `costs ${required<number>({ ...product }, 'cost')}`,
        },
      },
    ),
  }),
  cases: [
    {
      name: 'a field that requires an inaccessible field, over an inaccessible key',
      query: '{ products { name label } }',
      data: {
        products: [
          { name: 'Lamp', label: 'costs 5' },
          { name: 'Oil', label: 'costs 7' },
        ],
      },
    },
    {
      name: 'aliases with the names of the inaccessible key and of the inaccessible required field',
      query: '{ products { sku: name cost: label label } }',
      data: {
        products: [
          { sku: 'Lamp', cost: 'costs 5', label: 'costs 5' },
          { sku: 'Oil', cost: 'costs 7', label: 'costs 7' },
        ],
      },
    },
    {
      name: 'an object of an inaccessible member of a union',
      query: '{ media { __typename ... on Clip { id } } }',
      data: { media: [{ __typename: 'Clip', id: 'c1' }, null] },
      errors: ['media.1'],
    },
    {
      name: 'objects of an inaccessible type that implements an interface',
      query: '{ owned { __typename owner } ownedList { __typename owner } }',
      data: { owned: null, ownedList: null },
      errors: ['owned', 'ownedList.1'],
    },
    { name: 'an inaccessible field', query: '{ products { sku } }' },
    { name: 'an inaccessible type in a fragment', query: '{ media { ... on Draft { id } } }' },
    { name: 'an inaccessible argument', query: '{ shelf(size: 1) }' },
    {
      name: 'an inaccessible field of an input object in a variable',
      query: 'query ($kind: Kind) { shelf(kind: $kind) }',
      variables: { kind: { size: 1 } },
    },
    {
      name: 'defaults of an inaccessible argument and of an inaccessible field of an input object',
      query: 'query ($kind: Kind = { shape: "long" }) { shelf(kind: $kind) again: shelf(kind: { shape: "round" }) }',
      data: { shelf: ['size 2', 'kind long 3'], again: ['size 2', 'kind round 3'] },
    },
    {
      name: 'introspection does not show what is inaccessible',
      query:
        '{ draft: __type(name: "Draft") { name } product: __type(name: "Product") { fields { name } } media: __type(name: "Media") { possibleTypes { name } } products { name } }',
      data: {
        draft: null,
        product: { fields: [{ name: 'name' }, { name: 'label' }] },
        media: { possibleTypes: [{ name: 'Clip' }] },
        products: [{ name: 'Lamp' }, { name: 'Oil' }],
      },
    },
  ],
};
