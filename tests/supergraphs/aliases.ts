import { findBy, required, rowsOf, type SupergraphFixture, subgraph } from './fixture';

const users = [
  { id: 'u1', login: 'ruth', name: 'Ruth', age: 20, friends: ['u2'] },
  { id: 'u2', login: 'boaz', name: 'Boaz', age: 50, friends: ['u1', 'u2'] },
];
const nameless = users.map(({ name: _name, ...user }) => user);
const posts = rowsOf('Post', [{ id: 'p1', login: 'post', likes: 3 }]);

/** Any field may have an alias that equals a key, a required field, another field, or a name of the planner's own. */
export const aliases: SupergraphFixture = {
  name: 'aliases',
  subgraphs: () => ({
    people: subgraph(
      `type Query { users: [User!]! user(id: ID!): User things: [Thing!]! }
       union Thing = User | Post
       type User @key(fields: "id") @key(fields: "login") { id: ID! login: ID! name: String! pages(of: Int = 1): [String!]! }
       type Post @key(fields: "id") { id: ID! login: String! }`,
      {
        Query: {
          users: () => users,
          user: (_: unknown, { id }: { id: string }) => users.find((user) => user.id === id),
          things: () => [...rowsOf('User', users), ...posts],
        },
        User: {
          __resolveReference: findBy(users, 'id', 'login'),
          pages: ({ id }: { id: string }, { of }: { of: number }) => Array.from({ length: of }, () => id),
        },
        Post: { __resolveReference: findBy(posts, 'id') },
      },
    ),
    ages: subgraph(
      `type User @key(fields: "login") { login: ID! age: Int name: String! @external friends: [User!]! title: String @requires(fields: "name") }
       type Post @key(fields: "id") { id: ID! likes: Int }`,
      {
        User: {
          __resolveReference: findBy(nameless, 'login'),
          friends: ({ friends }: { friends: string[] }) =>
            friends.flatMap((id) => nameless.filter((user) => user.id === id)),
          title: (user: Readonly<Record<string, unknown>>) => `Sir ${required<string>(user, 'name')}`,
        },
        Post: { __resolveReference: findBy(posts, 'id') },
      },
    ),
    friends: subgraph(
      'type User @key(fields: "id") { id: ID! age: Int @external decade: Int @requires(fields: "age") }',
      {
        User: {
          __resolveReference: findBy(
            users.map(({ id }) => ({ id })),
            'id',
          ),
          decade: (user: Readonly<Record<string, unknown>>) => Math.floor(required<number>(user, 'age') / 10),
        },
      },
    ),
  }),
  cases: [
    {
      name: 'no alias: a field with a requirement below an entity of the same type',
      query: '{ users { friends { title } } }',
      data: {
        users: [{ friends: [{ title: 'Sir Boaz' }] }, { friends: [{ title: 'Sir Ruth' }, { title: 'Sir Boaz' }] }],
      },
    },
    {
      name: 'both keys and both required fields change places',
      query: '{ users { id: login login: id name: age age: name title decade } }',
      data: {
        users: [
          { id: 'ruth', login: 'u1', name: 20, age: 'Ruth', title: 'Sir Ruth', decade: 2 },
          { id: 'boaz', login: 'u2', name: 50, age: 'Boaz', title: 'Sir Boaz', decade: 5 },
        ],
      },
    },
    {
      name: '__typename as an alias, and aliases of __typename',
      query:
        '{ users { __typename: title id: __typename login: __typename age } __typename: user(id: "u1") { decade } }',
      data: {
        users: [
          { __typename: 'Sir Ruth', id: 'User', login: 'User', age: 20 },
          { __typename: 'Sir Boaz', id: 'User', login: 'User', age: 50 },
        ],
        __typename: { decade: 2 },
      },
    },
    {
      name: 'one field several times, with its own name as an alias and with other arguments',
      query:
        'query ($of: Int = 2) { users { pages: pages pages0: pages(of: 0) pagesMany: pages(of: $of) id id: id age: age age } }',
      data: {
        users: [
          { pages: ['u1'], pages0: [], pagesMany: ['u1', 'u1'], id: 'u1', age: 20 },
          { pages: ['u2'], pages0: [], pagesMany: ['u2', 'u2'], id: 'u2', age: 50 },
        ],
      },
    },
    {
      name: 'aliases with names of the planner and of members of objects',
      query:
        '{ _entities: users { _0: age _internal_qp_alias_0: title _e0: decade __proto__: name constructor: id toString: login } _service: users { hasOwnProperty: decade } }',
      data: {
        _entities: [
          JSON.parse(
            '{"_0":20,"_internal_qp_alias_0":"Sir Ruth","_e0":2,"__proto__":"Ruth","constructor":"u1","toString":"ruth"}',
          ),
          JSON.parse(
            '{"_0":50,"_internal_qp_alias_0":"Sir Boaz","_e0":5,"__proto__":"Boaz","constructor":"u2","toString":"boaz"}',
          ),
        ],
        _service: [{ hasOwnProperty: 2 }, { hasOwnProperty: 5 }],
      },
    },
    {
      name: 'one alias with two meanings for the members of a union',
      query:
        '{ things { ... on User { id: name value: age kind: decade } ... on Post { id: login value: likes kind: likes } } }',
      data: {
        things: [
          { id: 'Ruth', value: 20, kind: 2 },
          { id: 'Boaz', value: 50, kind: 5 },
          { id: 'post', value: 3, kind: 3 },
        ],
      },
    },
    {
      name: 'an object with the name of a key, and keys in it',
      query: '{ users { login: friends { id: name name: decade login: title } id: friends { id } } }',
      data: {
        users: [
          { login: [{ id: 'Boaz', name: 5, login: 'Sir Boaz' }], id: [{ id: 'u2' }] },
          {
            login: [
              { id: 'Ruth', name: 2, login: 'Sir Ruth' },
              { id: 'Boaz', name: 5, login: 'Sir Boaz' },
            ],
            id: [{ id: 'u1' }, { id: 'u2' }],
          },
        ],
      },
    },
    {
      name: 'two aliases of one object with other selections',
      query:
        '{ one: user(id: "u1") { name: title } two: user(id: "u1") { title: name friends { friends { decade: age } } } user(id: "u9") { decade } }',
      data: {
        one: { name: 'Sir Ruth' },
        two: { title: 'Ruth', friends: [{ friends: [{ decade: 20 }, { decade: 50 }] }] },
        user: null,
      },
    },
  ],
};
