import { findBy, type SupergraphFixture, subgraph } from './fixture';

const town = { id: 't1', name: 'Gath', size: 3, river: 'Sorek' };

/** Fields of the query type that several subgraphs resolve, each with other parts of an object that has no key. */
export const sharedRoots: SupergraphFixture = {
  name: 'shared-roots',
  subgraphs: () => ({
    a: subgraph(
      `type Query { config: Config @shareable town: Town @shareable towns: [Town!]! @shareable all: [Level!] @shareable pair(of: Int): Pair @shareable }
       type Level { title: String }
       type Config { title: String nested: Nested @shareable }
       type Nested @shareable { left: Int both: String }
       type Pair { one: Int }
       type Town @key(fields: "id") { id: ID! name: String }`,
      {
        Query: {
          config: () => ({ title: 'main', nested: { left: 1, both: 'x' } }),
          town: () => town,
          towns: () => [town],
          all: () => [{ title: 'first' }, { title: 'second' }],
          pair: (_: unknown, { of }: { of: number }) => ({ one: of }),
        },
        Town: { __resolveReference: findBy([town], 'id') },
      },
    ),
    b: subgraph(
      `type Query { config: Config @shareable town: Town @shareable towns: [Town!]! @shareable all: [Level!] @shareable pair(of: Int): Pair @shareable }
       type Level { level: Int }
       type Config { level: Int nested: Nested @shareable }
       type Nested { right: Int both: String @shareable }
       type Pair { two: Int }
       type Town @key(fields: "id") { id: ID! size: Int }`,
      {
        Query: {
          config: () => ({ level: 2, nested: { right: 3, both: 'x' } }),
          town: () => town,
          towns: () => [town],
          all: () => [{ level: 1 }, { level: 2 }],
          pair: (_: unknown, { of }: { of: number }) => ({ two: of * 2 }),
        },
        Town: { __resolveReference: findBy([town], 'id') },
      },
    ),
    c: subgraph(
      `type Query { config: Config @shareable capital: Town }
       type Config { when: String }
       type Town @key(fields: "id") { id: ID! river: String }`,
      {
        Query: { config: () => ({ when: 'now' }), capital: () => town },
        Town: { __resolveReference: findBy([town], 'id') },
      },
    ),
  }),
  cases: [
    {
      name: 'an object without a key whose parts come from three subgraphs',
      query: '{ config { when level title nested { right left both } } }',
      data: { config: { when: 'now', level: 2, title: 'main', nested: { right: 3, left: 1, both: 'x' } } },
    },
    {
      name: 'two aliases of a shared field, with other arguments',
      query: 'query ($of: Int = 5) { one: pair(of: 1) { two one } two: pair(of: $of) { one two: one both: two } }',
      data: { one: { two: 2, one: 1 }, two: { one: 5, two: 5, both: 10 } },
    },
    {
      name: 'an entity of a shared field',
      query: '{ town { size river name } towns { river name id } capital { name } }',
      data: {
        town: { size: 3, river: 'Sorek', name: 'Gath' },
        towns: [{ river: 'Sorek', name: 'Gath', id: 't1' }],
        capital: { name: 'Gath' },
      },
    },
    {
      name: 'a list without keys whose parts come from two subgraphs',
      query: '{ all { level title } }',
      data: {
        all: [
          { level: 1, title: 'first' },
          { level: 2, title: 'second' },
        ],
      },
    },
    {
      name: 'only __typename of a shared field',
      query:
        '{ config { __typename nested { __typename } } other: config { __typename level nested { n: __typename left } } }',
      data: {
        config: { __typename: 'Config', nested: { __typename: 'Nested' } },
        other: { __typename: 'Config', level: 2, nested: { n: 'Nested', left: 1 } },
      },
    },
    {
      name: 'parts with conditions',
      query:
        'query ($yes: Boolean!) { config { title @skip(if: $yes) ... @include(if: $yes) { level } nested @skip(if: $yes) { left } ...W } } fragment W on Config { when @include(if: $yes) }',
      variables: { yes: true },
      data: { config: { level: 2, when: 'now' } },
    },
  ],
};
