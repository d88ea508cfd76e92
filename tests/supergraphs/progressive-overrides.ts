import { findBy, neverRead, type SupergraphFixture, subgraph } from './fixture';

const items = [{ id: '1' }, { id: '2' }];
const from =
  (name: string) =>
  ({ id }: { id: string }) =>
    `${name} ${id}`;

/**
 * Fields that move by a label. No part of the fields with 0 percent has moved, all of those with 100 percent, and
 * nobody has turned on the label `soon`.
 */
export const progressiveOverrides: SupergraphFixture = {
  name: 'progressive-overrides',
  subgraphs: () => ({
    old: subgraph(
      'type Query { items: [Item!]! latest: Int } type Item @key(fields: "id") { id: ID! none: String all: String some: String }',
      {
        Query: { items: () => items, latest: () => 1 },
        Item: { __resolveReference: findBy(items, 'id'), none: from('old'), all: neverRead, some: from('old') },
      },
    ),
    new: subgraph(
      `type Query { fresh: [Item!]! latest: Int @override(from: "old", label: "percent(0)") }
       type Item @key(fields: "id") {
         id: ID!
         none: String @override(from: "old", label: "percent(0)")
         all: String @override(from: "old", label: "percent(100)")
         some: String @override(from: "old", label: "soon")
       }`,
      {
        Query: { fresh: () => items, latest: neverRead },
        Item: { __resolveReference: findBy(items, 'id'), none: neverRead, all: from('new'), some: neverRead },
      },
    ),
  }),
  cases: [
    {
      name: 'no part has moved',
      query: '{ items { none } fresh { none } latest }',
      data: { items: [{ none: 'old 1' }, { none: 'old 2' }], fresh: [{ none: 'old 1' }, { none: 'old 2' }], latest: 1 },
    },
    {
      name: 'all has moved',
      query: '{ items { id: all } fresh { all } }',
      data: { items: [{ id: 'new 1' }, { id: 'new 2' }], fresh: [{ all: 'new 1' }, { all: 'new 2' }] },
    },
    {
      name: 'a label that is not turned on',
      query: '{ fresh { some all none } }',
      data: {
        fresh: [
          { some: 'old 1', all: 'new 1', none: 'old 1' },
          { some: 'old 2', all: 'new 2', none: 'old 2' },
        ],
      },
    },
  ],
};
