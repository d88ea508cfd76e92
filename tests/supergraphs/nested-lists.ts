import { findBy, required, rowsOf, type SupergraphFixture, subgraph } from './fixture';

const cells = ['a', 'b', 'c', 'd'].map((id, index) => ({ id, value: index, label: `cell ${id}` }));
const [a, b, c, d] = cells.map(({ id }) => ({ id }));
const walls = rowsOf('Wall', [{ id: 'w', thick: 2 }]);
const doors = rowsOf('Door', [{ id: 'e', open: true }]);

/** Entities in lists of lists, with null at each level, and lists of lists below entities. */
export const nestedLists: SupergraphFixture = {
  name: 'nested-lists',
  subgraphs: () => ({
    grid: subgraph(
      `type Query { grid: [[Cell]] cube: [[[Cell!]!]]! numbers: [[Int]] parts: [[Part!]] planes: [Plane!]! }
       type Plane { rows: [[Cell!]!]! planes: [Plane!] }
       union Part = Wall | Door
       type Cell @key(fields: "id") { id: ID! near: [[Cell!]] }
       type Wall @key(fields: "id") { id: ID! }
       type Door @key(fields: "id") { id: ID! open: Boolean }`,
      {
        Query: {
          grid: () => [[a, null, b], null, [], [c]],
          cube: () => [[[a, b], []], null, [[c], [d, a]]],
          numbers: () => [[1, null], null, []],
          parts: () => [[...walls, ...doors], null, [...walls]],
          planes: () => [
            { rows: [[a], [b, c]], planes: [{ rows: [[d]], planes: null }] },
            { rows: [], planes: [] },
          ],
        },
        Cell: {
          __resolveReference: findBy(cells, 'id'),
          near: ({ id }: { id: string }) => (id === 'a' ? [[b, c], null, []] : null),
        },
        Door: { __resolveReference: findBy(doors, 'id') },
      },
    ),
    values: subgraph(
      `type Cell @key(fields: "id") { id: ID! value: Int! pairs: [[Cell]] }
       type Wall @key(fields: "id") { id: ID! thick: Int }`,
      {
        Cell: {
          __resolveReference: findBy(cells, 'id'),
          pairs: (cell: unknown) => [[cell, null], [cells[3]]],
        },
        Wall: { __resolveReference: findBy(walls, 'id') },
      },
    ),
    labels: subgraph(
      `type Cell @key(fields: "id") { id: ID! near: [[Cell!]] @external label: String around: String @requires(fields: "near { id }") }`,
      {
        Cell: {
          __resolveReference: findBy(cells, 'id'),
          around: (cell: Readonly<Record<string, unknown>>) =>
            JSON.stringify(
              required<({ id: string }[] | null)[] | null>(cell, 'near')?.map(
                (row) => row && row.map(({ id }) => id),
              ) ?? null,
            ),
        },
      },
    ),
  }),
  cases: [
    {
      name: 'entities in lists of lists, with null at each level',
      query: '{ grid { value id } numbers }',
      data: {
        grid: [[{ value: 0, id: 'a' }, null, { value: 1, id: 'b' }], null, [], [{ value: 2, id: 'c' }]],
        numbers: [[1, null], null, []],
      },
    },
    {
      name: 'lists of lists of lists, in two subgraphs',
      query: '{ cube { id: value label } }',
      data: {
        cube: [
          [
            [
              { id: 0, label: 'cell a' },
              { id: 1, label: 'cell b' },
            ],
            [],
          ],
          null,
          [
            [{ id: 2, label: 'cell c' }],
            [
              { id: 3, label: 'cell d' },
              { id: 0, label: 'cell a' },
            ],
          ],
        ],
      },
    },
    {
      name: 'lists of lists below entities of lists of lists',
      query: '{ grid { pairs { label pairs { value } } near { value } } }',
      data: {
        grid: [
          [
            {
              pairs: [
                [{ label: 'cell a', pairs: [[{ value: 0 }, null], [{ value: 3 }]] }, null],
                [{ label: 'cell d', pairs: [[{ value: 3 }, null], [{ value: 3 }]] }],
              ],
              near: [[{ value: 1 }, { value: 2 }], null, []],
            },
            null,
            {
              pairs: [
                [{ label: 'cell b', pairs: [[{ value: 1 }, null], [{ value: 3 }]] }, null],
                [{ label: 'cell d', pairs: [[{ value: 3 }, null], [{ value: 3 }]] }],
              ],
              near: null,
            },
          ],
          null,
          [],
          [
            {
              pairs: [
                [{ label: 'cell c', pairs: [[{ value: 2 }, null], [{ value: 3 }]] }, null],
                [{ label: 'cell d', pairs: [[{ value: 3 }, null], [{ value: 3 }]] }],
              ],
              near: null,
            },
          ],
        ],
      },
    },
    {
      name: 'a required list of lists',
      query: '{ grid { around } }',
      data: {
        grid: [[{ around: '[["b","c"],null,[]]' }, null, { around: 'null' }], null, [], [{ around: 'null' }]],
      },
    },
    {
      name: 'a required list of lists, with an alias in it',
      query: '{ grid { around near { id: label } } }',
      data: {
        grid: [
          [
            { around: '[["b","c"],null,[]]', near: [[{ id: 'cell b' }, { id: 'cell c' }], null, []] },
            null,
            { around: 'null', near: null },
          ],
          null,
          [],
          [{ around: 'null', near: null }],
        ],
      },
    },
    {
      name: 'a union in lists of lists',
      query: '{ parts { __typename ... on Wall { thick } ... on Door { open } } }',
      data: {
        parts: [
          [
            { __typename: 'Wall', thick: 2 },
            { __typename: 'Door', open: true },
          ],
          null,
          [{ __typename: 'Wall', thick: 2 }],
        ],
      },
    },
    {
      name: 'lists of objects without keys around lists of lists',
      query: '{ planes { rows { value } planes { rows { label value } planes { rows { id } } } } }',
      data: {
        planes: [
          {
            rows: [[{ value: 0 }], [{ value: 1 }, { value: 2 }]],
            planes: [{ rows: [[{ label: 'cell d', value: 3 }]], planes: null }],
          },
          { rows: [], planes: [] },
        ],
      },
    },
  ],
};
