import { findBy, type SupergraphFixture, subgraph } from './fixture';

const items = [{ id: '1' }, { id: '2' }];
const show = (name: string) => (_: unknown, args: object) => `${name} ${JSON.stringify(args)}`;

/** Each field shows its arguments as the subgraph received them. */
export const variables: SupergraphFixture = {
  name: 'variables',
  subgraphs: () => ({
    a: subgraph(
      `type Query { items(ids: [ID!]): [Item!]! echo(text: String = "none", count: Int, flag: Boolean): String }
       type Item @key(fields: "id") { id: ID! }`,
      {
        Query: {
          items: (_: unknown, { ids }: { ids?: string[] | null }) =>
            ids ? items.filter(({ id }) => ids.includes(id)) : items,
          echo: show('echo'),
        },
        Item: { __resolveReference: findBy(items, 'id') },
      },
    ),
    b: subgraph(
      `enum Size { SMALL LARGE }
       input Filter { size: Size = SMALL tags: [String!] inner: Filter number: Float like: ID }
       type Item @key(fields: "id") {
         id: ID! find(filter: Filter, all: [Filter!]): String sized(size: Size! = LARGE): String
         plain(text: String, deep: [[Int]]): String
       }`,
      {
        Item: {
          __resolveReference: findBy(items, 'id'),
          find: show('find'),
          sized: show('sized'),
          plain: show('plain'),
        },
      },
    ),
  }),
  cases: [
    {
      name: 'names of the planner: representations and its copies',
      query:
        'query ($representations: [ID!], $representations_0: Size!, $__batch_reps_0: String) { items(ids: $representations) { sized(size: $representations_0) plain(text: $__batch_reps_0) } }',
      variables: { representations: ['2'], representations_0: 'SMALL', __batch_reps_0: 'x' },
      data: { items: [{ sized: 'sized {"size":"SMALL"}', plain: 'plain {"text":"x"}' }] },
    },
    {
      name: 'defaults of the operation and of the schema, and null in place of each',
      query:
        'query ($text: String = "mine", $null: String = "mine", $absent: String) { echo(text: $text) a: echo(text: $null) b: echo(text: $absent) c: echo(text: null) d: echo }',
      variables: { null: null },
      data: {
        echo: 'echo {"text":"mine"}',
        a: 'echo {"text":null}',
        b: 'echo {"text":"none"}',
        c: 'echo {"text":null}',
        d: 'echo {"text":"none"}',
      },
    },
    {
      name: 'a nullable variable with a default in a place that must not be null',
      query: 'query ($size: Size = SMALL) { items(ids: "1") { sized(size: $size) all: sized } }',
      data: { items: [{ sized: 'sized {"size":"SMALL"}', all: 'sized {"size":"LARGE"}' }] },
    },
    {
      name: 'input objects with variables inside, with defaults, and one value in place of a list',
      query:
        'query ($tag: String!, $inner: Filter, $number: Float = 1) { items(ids: ["1"]) { find(filter: { tags: [$tag, "b"], inner: $inner, number: $number }, all: { size: LARGE }) } }',
      variables: { tag: 'a', inner: { like: 7 } },
      data: {
        items: [
          {
            find: 'find {"filter":{"size":"SMALL","tags":["a","b"],"inner":{"size":"SMALL","like":"7"},"number":1},"all":[{"size":"LARGE"}]}',
          },
        ],
      },
    },
    {
      name: 'a whole input object as a variable, with an enum, null and nested lists',
      query:
        'query ($filter: Filter!, $all: [Filter!] = [{ size: LARGE }], $deep: [[Int]]) { items(ids: 1) { find(filter: $filter, all: $all) plain(deep: $deep) } }',
      variables: { filter: { size: null, tags: 'one' }, deep: [[1, null], null, 2] },
      data: {
        items: [
          {
            find: 'find {"filter":{"size":null,"tags":["one"]},"all":[{"size":"LARGE"}]}',
            plain: 'plain {"deep":[[1,null],null,[2]]}',
          },
        ],
      },
    },
    {
      name: 'one variable in two subgraphs and in a condition, in a fragment',
      query:
        'query ($flag: Boolean = true, $text: String) { echo(flag: $flag, text: $text) ...F } fragment F on Query { items(ids: ["2"]) { plain(text: $text) @include(if: $flag) sized @skip(if: $flag) } }',
      variables: { text: '"quoted" \\ \n text' },
      data: {
        echo: 'echo {"text":"\\"quoted\\" \\\\ \\n text","flag":true}',
        items: [{ plain: 'plain {"text":"\\"quoted\\" \\\\ \\n text"}' }],
      },
    },
    {
      name: 'block strings and escapes in literals',
      query:
        'query { items(ids: ["1"]) { plain(text: """\n  two\n    lines \\"""\n""") find(filter: { like: "a\\u0062\\n" }) } }',
      data: {
        items: [
          {
            plain: 'plain {"text":"two\\n  lines \\"\\"\\""}',
            find: 'find {"filter":{"size":"SMALL","like":"ab\\n"}}',
          },
        ],
      },
    },
    {
      name: 'a variable of the wrong type',
      query: 'query ($size: Size!) { items { sized(size: $size) } }',
      variables: { size: 'HUGE' },
    },
    { name: 'a variable that must have a value', query: 'query ($size: Size!) { items { sized(size: $size) } }' },
    {
      name: 'null in a list that has no null',
      query: 'query ($ids: [ID!], $no: Boolean = false) { items(ids: $ids) { id @include(if: $no) __typename } }',
      variables: { ids: [null] },
    },
  ],
};
