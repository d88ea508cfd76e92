import { findBy, required, rowsOf, type SupergraphFixture, subgraph } from './fixture';

const products = [
  {
    id: 'p1',
    weight: 4,
    size: { high: 2, wide: 3 },
    parts: [
      { name: 'base', grams: 10 },
      { name: 'arm', grams: 5 },
    ],
    costs: { USD: 8, EUR: 7, GBP: 6 },
    cover: { __typename: 'Photo', id: 'c1', pixels: 100 },
  },
  {
    id: 'p2',
    weight: null,
    size: null,
    parts: [],
    costs: { USD: 80, EUR: 70, GBP: 60 },
    cover: { __typename: 'Film', id: 'c2', minutes: 3 },
  },
];
const comments = ['one', 'two', 'three'];
const tools = rowsOf('Tool', [{ id: 't1', maker: 'Tubal', grade: 2 }]);
const gifts = rowsOf('Gift', [{ id: 'g1', maker: 'Hiram', ribbon: 'red' }]);

type Sent = Readonly<Record<string, unknown>>;
interface Part {
  grams: number;
}

/** Required fields with arguments, nested, in chains, on interfaces and on fields of an interface. */
export const requires: SupergraphFixture = {
  name: 'requires',
  subgraphs: () => ({
    products: subgraph(
      `type Query { products: [Product!]! wares: [Ware!]! }
       enum Currency { USD EUR GBP }
       type Product @key(fields: "id") {
         id: ID! weight: Int size: Size parts: [Part!]! cost(currency: Currency = USD): Int
         comments(limit: Int): [String!]! cover: Cover
       }
       type Size { high: Int wide: Int }
       type Part { name: String grams: Int }
       interface Cover { id: ID! }
       type Photo implements Cover { id: ID! pixels: Int }
       type Film implements Cover { id: ID! minutes: Int }
       interface Ware { id: ID! maker: String }
       type Tool implements Ware @key(fields: "id") { id: ID! maker: String grade: Int }
       type Gift implements Ware @key(fields: "id") { id: ID! maker: String ribbon: String }`,
      {
        Query: { products: () => products, wares: () => [...tools, ...gifts] },
        Product: {
          __resolveReference: findBy(products, 'id'),
          cost: ({ costs }: { costs: Record<string, number> }, { currency }: { currency: string }) => costs[currency],
          comments: (_: unknown, { limit }: { limit?: number | null }) => comments.slice(0, limit ?? undefined),
        },
        Tool: { __resolveReference: findBy(tools, 'id') },
        Gift: { __resolveReference: findBy(gifts, 'id') },
      },
    ),
    shipping: subgraph(
      `enum Currency { USD EUR GBP }
       type Product @key(fields: "id") {
         id: ID! weight: Int @external size: Size @external parts: [Part!]! @external
         cost(currency: Currency = USD): Int @external comments(limit: Int): [String!]! @external cover: Cover @external
         ship: Int @requires(fields: "weight size { high }")
         euros: String @requires(fields: "cost(currency: EUR)")
         dollars: String @requires(fields: "cost(currency: USD)")
         talk: Int @requires(fields: "comments(limit: 3)")
         partsWeight: Int @requires(fields: "parts { grams }")
         caption: String @requires(fields: "cover { id ... on Photo { pixels } ... on Film { minutes } }")
       }
       type Size { high: Int @external }
       type Part { grams: Int @external }
       interface Cover { id: ID! }
       type Photo implements Cover { id: ID! @external pixels: Int @external }
       type Film implements Cover { id: ID! @external minutes: Int @external }
       interface Ware { id: ID! maker: String note: String }
       type Tool implements Ware @key(fields: "id") { id: ID! maker: String @external grade: Int @external note: String @requires(fields: "maker grade") }
       type Gift implements Ware @key(fields: "id") { id: ID! maker: String @external ribbon: String @external note: String @requires(fields: "maker ribbon") }`,
      {
        Product: {
          __resolveReference: findBy(
            products.map(({ id }) => ({ id })),
            'id',
          ),
          ship(sent: Sent) {
            const weight = required<number | null>(sent, 'weight');
            const size = required<{ high: number } | null>(sent, 'size');
            return weight === null ? null : weight * (size ? required<number>(size, 'high') : 1);
          },
          euros: (sent: Sent) => `${required<number>(sent, 'cost')} EUR`,
          dollars: (sent: Sent) => `${required<number>(sent, 'cost')} USD`,
          talk: (sent: Sent) => required<string[]>(sent, 'comments').length,
          partsWeight: (sent: Sent) =>
            required<Part[]>(sent, 'parts').reduce((sum, part) => sum + required<number>({ ...part }, 'grams'), 0),
          caption(sent: Sent) {
            const { id, pixels, minutes } = required<Record<string, unknown>>(sent, 'cover');
            return `${id} ${pixels === undefined ? `film ${minutes}` : `photo ${pixels}`}`;
          },
        },
        Tool: {
          __resolveReference: findBy(rowsOf('Tool', [{ id: 't1' }]), 'id'),
          note: (sent: Sent) => `${required<string>(sent, 'maker')} ${required<number>(sent, 'grade')}`,
        },
        Gift: {
          __resolveReference: findBy(rowsOf('Gift', [{ id: 'g1' }]), 'id'),
          note: (sent: Sent) => `${required<string>(sent, 'maker')} ${required<string>(sent, 'ribbon')}`,
        },
      },
    ),
    orders: subgraph(
      `type Product @key(fields: "id") {
         id: ID! ship: Int @external weight: Int @external
         total: Int @requires(fields: "ship weight")
       }
       type Tool @key(fields: "id") { id: ID! note: String @external loud: String @requires(fields: "note") }`,
      {
        Product: {
          __resolveReference: findBy(
            products.map(({ id }) => ({ id })),
            'id',
          ),
          total: (sent: Sent) =>
            (required<number | null>(sent, 'ship') ?? -1) + (required<number | null>(sent, 'weight') ?? 0),
        },
        Tool: {
          __resolveReference: findBy([{ id: 't1' }], 'id'),
          loud: (sent: Sent) => required<string>(sent, 'note').toUpperCase(),
        },
      },
    ),
  }),
  cases: [
    {
      name: 'a chain of two requirements of which the client selects only the end',
      query: '{ products { total } }',
      data: { products: [{ total: 12 }, { total: -1 }] },
    },
    {
      name: 'a chain with aliases that equal all required fields',
      query: '{ products { weight: total ship: partsWeight size: ship id: weight } }',
      data: {
        products: [
          { weight: 12, ship: 15, size: 8, id: 4 },
          { weight: -1, ship: 0, size: null, id: null },
        ],
      },
    },
    {
      name: 'an alias that equals a field in a required list',
      query: '{ products { parts { grams: name name: grams } partsWeight } }',
      data: {
        products: [
          {
            parts: [
              { grams: 'base', name: 10 },
              { grams: 'arm', name: 5 },
            ],
            partsWeight: 15,
          },
          { parts: [], partsWeight: 0 },
        ],
      },
    },
    {
      name: 'a required argument beside another argument of the client',
      query: '{ products { cost(currency: GBP) euros } }',
      data: {
        products: [
          { cost: 6, euros: '7 EUR' },
          { cost: 60, euros: '70 EUR' },
        ],
      },
    },
    {
      name: 'a required argument beside the default argument of the client',
      query: '{ products { comments(limit: 1) talk all: comments } }',
      data: {
        products: [
          { comments: ['one'], talk: 3, all: ['one', 'two', 'three'] },
          { comments: ['one'], talk: 3, all: ['one', 'two', 'three'] },
        ],
      },
    },
    {
      name: 'two requirements of one field with different arguments',
      query: '{ products { euros dollars } }',
      data: {
        products: [
          { euros: '7 EUR', dollars: '8 USD' },
          { euros: '70 EUR', dollars: '80 USD' },
        ],
      },
    },
    {
      name: 'required fields of the types of an interface',
      query: '{ products { caption } }',
      data: { products: [{ caption: 'c1 photo 100' }, { caption: 'c2 film 3' }] },
    },
    {
      name: 'required fields of the types of an interface, with aliases in fragments',
      query: '{ products { cover { pixels: id ... on Photo { id: pixels } ... on Film { minutes: id } } caption } }',
      data: {
        products: [
          { cover: { pixels: 'c1', id: 100 }, caption: 'c1 photo 100' },
          { cover: { pixels: 'c2', minutes: 'c2' }, caption: 'c2 film 3' },
        ],
      },
    },
    {
      name: 'a field of an interface whose types have different requirements',
      query: '{ wares { note ... on Tool { loud } ... on Gift { maker: ribbon } } }',
      data: {
        wares: [
          { note: 'Tubal 2', loud: 'TUBAL 2' },
          { note: 'Hiram red', maker: 'red' },
        ],
      },
    },
  ],
};
