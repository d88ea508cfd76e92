import { findBy, required, type SupergraphFixture, subgraph } from './fixture';

const items = [
  { id: '1', status: 'NEW', level: 'LOW' },
  { id: '2', status: 'SECRET', level: 'HIGH' },
  { id: '3', status: 'OLD', level: 'TOP' },
];

/** Enums have values in subgraphs that the API schema does not have. Another subgraph may still require such a value. */
export const narrowEnums: SupergraphFixture = {
  name: 'narrow-enums',
  subgraphs: () => ({
    a: subgraph(
      `type Query { items: [Item!]! secret: Status grid: [[Status]] strict: [Status!] box: Box find(status: Status): [Item!]! }
       enum Status { NEW OLD SECRET @inaccessible }
       enum Order { UP DOWN }
       type Item @key(fields: "id") { id: ID! status: Status sorted(order: Order = UP): String }
       type Box { also: Int must: Status! }`,
      {
        Query: {
          items: () => items,
          secret: () => 'SECRET',
          grid: () => [['NEW', 'SECRET'], ['OLD'], null],
          strict: () => ['NEW', 'SECRET'],
          box: () => ({ also: 1, must: 'SECRET' }),
          find: (_: unknown, { status }: { status?: string }) => items.filter((item) => item.status === status),
        },
        Item: {
          __resolveReference: findBy(items, 'id'),
          sorted: (_: unknown, { order }: { order: string }) => `by ${order}`,
        },
      },
    ),
    b: subgraph(
      `enum Level { LOW HIGH TOP @inaccessible }
       enum Status { NEW OLD SECRET }
       enum Order { UP DOWN SIDEWAYS }
       type Query { levels(order: Order = UP): [Level] orderName(order: Order): String }
       type Item @key(fields: "id") { id: ID! level: Level status: Status @external note: String @requires(fields: "status") }`,
      {
        Query: {
          levels: () => ['LOW', 'TOP'],
          orderName: (_: unknown, { order }: { order?: string }) => `by ${order}`,
        },
        Item: {
          __resolveReference: findBy(items, 'id'),
          note: (item: object) => `was ${required<string>({ ...item }, 'status')}`,
        },
      },
    ),
  }),
  cases: [
    {
      name: 'a value outside the API schema is null with an error',
      query: '{ items { id status } }',
      data: {
        items: [
          { id: '1', status: 'NEW' },
          { id: '2', status: null },
          { id: '3', status: 'OLD' },
        ],
      },
      errors: ['items.1.status'],
    },
    {
      name: 'a value of an entity of another subgraph that is outside the API schema',
      query: '{ items { level id: level } }',
      data: {
        items: [
          { level: 'LOW', id: 'LOW' },
          { level: 'HIGH', id: 'HIGH' },
          { level: null, id: null },
        ],
      },
      errors: ['items.2.id', 'items.2.level'],
    },
    {
      name: 'values outside the API schema in lists',
      query: '{ secret grid strict }',
      data: { secret: null, grid: [['NEW', null], ['OLD'], null], strict: null },
      errors: ['grid.0.1', 'secret', 'strict.1'],
    },
    {
      name: 'a value outside the API schema in a field that must not be null',
      query: '{ box { also must } levels }',
      data: { box: null, levels: ['LOW', null] },
      errors: ['box.must', 'levels.1'],
    },
    {
      name: 'the same in an operation of one subgraph, with an alias',
      query: '{ none: box { value: must } }',
      data: { none: null },
      errors: ['none.value'],
    },
    {
      name: 'a required value outside the API schema reaches the subgraph that requires it',
      query: '{ items { status note } }',
      data: {
        items: [
          { status: 'NEW', note: 'was NEW' },
          { status: null, note: 'was SECRET' },
          { status: 'OLD', note: 'was OLD' },
        ],
      },
      errors: ['items.1.status'],
    },
    {
      name: 'a required value outside the API schema that the client does not select',
      query: '{ items { status: note } }',
      data: { items: [{ status: 'was NEW' }, { status: 'was SECRET' }, { status: 'was OLD' }] },
    },
    { name: 'an argument with a value outside the API schema', query: '{ find(status: SECRET) { id } }' },
    {
      name: 'a variable with a value outside the API schema',
      query: 'query ($status: Status) { find(status: $status) { id } }',
      variables: { status: 'SECRET' },
    },
    { name: 'an argument with a value that one subgraph lacks', query: '{ orderName(order: SIDEWAYS) }' },
    {
      name: 'arguments with values that both subgraphs have',
      query:
        'query ($order: Order = DOWN, $status: Status!) { orderName(order: $order) find(status: $status) { sorted(order: $order) status } levels(order: $order) }',
      variables: { status: 'OLD' },
      data: { orderName: 'by DOWN', find: [{ sorted: 'by DOWN', status: 'OLD' }], levels: ['LOW', null] },
      errors: ['levels.1'],
    },
  ],
};
