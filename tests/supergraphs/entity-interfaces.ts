import { findBy, required, rowsOf, type SupergraphFixture, subgraph } from './fixture';

const admins = rowsOf('Admin', [{ email: 'a@x', no: 1, since: 1990, name: 'Abner', rank: 'chief' }]);
const guests = rowsOf('Guest', [{ email: 'g@x', no: 2, since: 2000, name: 'Gad', room: 12 }]);
const accounts = [...admins, ...guests];

/**
 * An interface with two keys. A subgraph knows the interface by the second key only, and another subgraph knows only
 * one of its types.
 */
export const entityInterfaces: SupergraphFixture = {
  name: 'entity-interfaces',
  subgraphs: () => ({
    accounts: subgraph(
      `type Query { accounts: [Account!]! account(email: ID!): Account }
       interface Account @key(fields: "email") @key(fields: "no") { email: ID! no: Int! since: Int }
       type Admin implements Account @key(fields: "email") @key(fields: "no") { email: ID! no: Int! since: Int }
       type Guest implements Account @key(fields: "email") @key(fields: "no") { email: ID! no: Int! since: Int room: Int }`,
      {
        Query: {
          accounts: () => accounts,
          account: (_: unknown, { email }: { email: string }) => accounts.find((row) => row['email'] === email),
        },
        Account: { __resolveReference: findBy(accounts, 'email', 'no') },
        Admin: { __resolveReference: findBy(admins, 'email', 'no') },
        Guest: { __resolveReference: findBy(guests, 'email', 'no') },
      },
    ),
    posts: subgraph(
      `type Query { posts: [Post!]! }
       type Post { text: String author: Account! readers: [Account] }
       type Account @key(fields: "no") @interfaceObject {
         no: Int! since: Int @external posts: [Post!]! badge: String @requires(fields: "since")
       }`,
      {
        Query: {
          posts: () => [
            { text: 'hail', author: { no: 2 }, readers: [{ no: 1 }, null, { no: 2 }] },
            { text: 'peace', author: { no: 1 }, readers: null },
          ],
        },
        Account: {
          __resolveReference: findBy([{ no: 1 }, { no: 2 }], 'no'),
          posts: ({ no }: { no: number }) => (no === 1 ? [{ text: 'peace', author: { no: 1 }, readers: [] }] : []),
          badge: (sent: Readonly<Record<string, unknown>>) => `since ${required<number>(sent, 'since')}`,
        },
      },
    ),
    ranks: subgraph(`type Admin @key(fields: "email") { email: ID! rank: String }`, {
      Admin: { __resolveReference: findBy(admins, 'email') },
    }),
  }),
  cases: [
    {
      name: 'a field with a requirement, from the interface to the other key',
      query: '{ accounts { badge } }',
      data: { accounts: [{ badge: 'since 1990' }, { badge: 'since 2000' }] },
    },
    {
      name: 'a field with a requirement, from the other key',
      query: '{ posts { author { badge } } }',
      data: { posts: [{ author: { badge: 'since 2000' } }, { author: { badge: 'since 1990' } }] },
    },
    {
      name: 'from the interface to a subgraph that knows another key',
      query: '{ accounts { email posts { text } badge } }',
      data: {
        accounts: [
          { email: 'a@x', posts: [{ text: 'peace' }], badge: 'since 1990' },
          { email: 'g@x', posts: [], badge: 'since 2000' },
        ],
      },
    },
    {
      name: 'from the other key to a field of one type in a third subgraph',
      query: '{ posts { author { __typename ... on Admin { rank } ... on Guest { room } } } }',
      data: {
        posts: [{ author: { __typename: 'Guest', room: 12 } }, { author: { __typename: 'Admin', rank: 'chief' } }],
      },
    },
    {
      name: 'lists with null of an interface, with aliases of both keys',
      query: '{ posts { readers { no: email email: no badge } author { since } } }',
      data: {
        posts: [
          {
            readers: [{ no: 'a@x', email: 1, badge: 'since 1990' }, null, { no: 'g@x', email: 2, badge: 'since 2000' }],
            author: { since: 2000 },
          },
          { readers: null, author: { since: 1990 } },
        ],
      },
    },
    {
      name: 'a round trip through both subgraphs',
      query: '{ account(email: "a@x") { posts { author { posts { text } ... on Admin { since rank } } } } }',
      data: { account: { posts: [{ author: { posts: [{ text: 'peace' }], since: 1990, rank: 'chief' } }] } },
    },
    {
      name: 'an account that does not exist',
      query: '{ account(email: "none") { __typename badge } other: account(email: "g@x") { badge } }',
      data: { account: null, other: { badge: 'since 2000' } },
    },
  ],
};
