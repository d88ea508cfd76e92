import type { GraphQLObjectType, GraphQLUnionType } from 'graphql';
import { buildSchema, execute, GraphQLError, parse, validate } from 'graphql';
import { compileOperation } from './compile-operation';
import { createCompiledKept } from './compiled-kept';
import type { Selection } from './selection';

const schema = buildSchema(`
  type Query { tree(depth: Int = 1, kind: Kind): Tree, trees(count: Int!): [Tree!]!, mixed: [Tree], things: [Thing], hello(name: String = "you", names: [String!], given: Given): String, strict: String!, size: Float }
  type Mutation { grow: String }
  enum Kind { OAK ASH }
  input Given { a: Int! = 3, b: [String] }
  interface Named { name: String }
  type Tree implements Named { name: String, height: Int, deadline: Boolean, id: ID!, kind: Kind, parent: Tree!, children(first: Int): [Tree!], leaves: [[Int!]], late: String, failing: String, strict: String!, lateStrict: String!, method(by: Int): Int }
  type Stone { weight: Float!, name: String }
  union Thing = Tree | Stone
`);

type Resolver = (source: Record<string, unknown>, args: Record<string, unknown>) => unknown;

/** How often `failing` was asked for. */
let failures = 0;

/** Answers of every kind: at once, later, wrong in type, absent, failing. */
const resolvers: Record<string, Resolver> = {
  'Query.tree': (_, { depth, kind }) => ({ name: `tree ${String(depth)}`, height: depth, kind, id: 'root', depth }),
  'Query.trees': async (_, { count }) =>
    Array.from({ length: Number(count) }, (__, index) => ({
      name: `tree ${index}`,
      id: index,
      height: index === 2 ? 'tall' : index,
    })),
  'Query.mixed': () => [
    { id: 'a' },
    Promise.resolve({ id: 'b' }),
    null,
    new Error('in a list'),
    Promise.reject(new Error('late in a list')),
    { id: null },
  ],
  'Query.things': async () => [
    { __typename: 'Tree', id: '1', name: 'a tree' },
    Promise.resolve({ __typename: 'Stone', weight: 2.5 }),
    { __typename: 'Stone', weight: null },
  ],
  'Query.hello': (_, args) => JSON.stringify(args),
  'Query.strict': () => null,
  'Query.size': () => Number.NaN,
  'Tree.parent': (tree) =>
    tree['depth'] === 0 ? Promise.resolve(null) : { ...tree, depth: 0, id: `${String(tree['id'])}'` },
  'Tree.children': async (tree, { first }) =>
    [1, 2, 3].slice(0, Number(first ?? 3)).map((index) => ({
      id: `${String(tree['id'])}.${index}`,
      name: index === 2 ? Promise.reject(new Error('a late name')) : `child ${index}`,
    })),
  'Tree.leaves': () => [[1, 2], null, [3, null]],
  'Tree.late': async (tree) => `late ${String(tree['id'])}`,
  'Tree.failing': (tree) => {
    failures += 1;
    throw new GraphQLError(`failing ${String(tree['id'])}`, { extensions: { code: 'NOT_FOUND' } });
  },
  'Tree.strict': () => undefined,
  'Tree.lateStrict': async () => null,
  'Tree.method': () => 7,
  'Stone.name': () => 5,
};
for (const [place, resolve] of Object.entries(resolvers)) {
  const [type = '', field = ''] = place.split('.');
  const definition = (schema.getType(type) as GraphQLObjectType).getFields()[field];
  if (definition) definition.resolve = resolve;
}
(schema.getType('Thing') as GraphQLUnionType).resolveType = ({ __typename }: { __typename: string }) => __typename;

/** More than these tests come to, but for the one about it. */
const errorLimit = { most: 100, error: () => new GraphQLError('too much fails') };

/** As it is sent: the order of fields and of errors counts. */
const told = (value: unknown): string => JSON.stringify(value, null, 1);

async function both(query: string, variables: Record<string, unknown>, operationName?: string) {
  const document = parse(query);
  expect(validate(schema, document)).toEqual([]);
  const compiled = compileOperation(schema, document, operationName, { kept: createCompiledKept(), errorLimit });
  const expected = told(
    await execute({
      schema,
      document,
      variableValues: variables,
      operationName: operationName ?? null,
      contextValue: {},
    }),
  );
  // The second time it is all compiled.
  return { expected, got: [told(await compiled(variables, () => ({}))), told(await compiled(variables, () => ({})))] };
}

test.each<[string, string, Record<string, unknown>?, string?]>([
  ['values at once', '{ tree { __typename name height id kind t: __typename } }'],
  ['values that come later', '{ trees(count: 4) { id late name } tree { late } }'],
  ['a value that its type cannot hold', '{ trees(count: 4) { id height } }'],
  ['no number', '{ size tree { name } }'],
  ['what fails in a list, at once and late', '{ mixed { id name } }'],
  ['a null that may not be, at the root', '{ tree { id } strict }'],
  ['a null that may not be, in an object', '{ tree { id strict } other: tree { id failing } }'],
  ['a null that may not be and comes late', '{ a: tree { id lateStrict failing } b: tree { failing late } }'],
  ['a null that may not be two levels below', '{ tree { parent { parent { id } } } }'],
  [
    'errors on many levels',
    '{ tree { failing children { id name failing children(first: 2) { name failing late } } } a: tree { failing } }',
  ],
  ['lists in lists', '{ tree { leaves } }'],
  ['a union', '{ things { ... on Tree { id name } ... on Stone { weight name } __typename } }'],
  [
    'fragments that meet',
    'query { ...A tree { id ...B } } fragment A on Query { tree { name } } fragment B on Tree { ... on Named { name } height }',
  ],
  [
    'defaults',
    'query ($name: String = "them") { a: hello b: hello(name: $name) c: hello(name: null) d: hello(given: {}) e: hello(given: {b: ["x"]}) }',
  ],
  [
    'variables as given',
    'query ($n: Int!, $s: String, $k: Kind, $l: [String!], $g: Given) { trees(count: $n) { id } hello(name: $s, names: $l, given: $g) tree(kind: $k) { kind } }',
    { n: 2, s: 'x', k: 'ASH', l: 'one', g: { a: 1 } },
  ],
  [
    'variables left out',
    'query ($n: Int = 1, $s: String, $l: String!) { trees(count: $n) { id } hello(name: $s, names: [$l]) }',
    { l: 'y' },
  ],
  [
    'variables of other types left out',
    'query ($n: Int!, $k: Kind, $l: [String!], $g: Given) { trees(count: $n) { id } hello(names: $l, given: $g) tree(kind: $k) { kind } }',
    { n: 1 },
  ],
  [
    'nulls for variables of other types',
    'query ($k: Kind, $l: [String!], $g: Given) { hello(names: $l, given: $g) tree(kind: $k) { kind } }',
    { k: null, l: null, g: null },
  ],
  [
    'defaults of other types',
    'query ($k: Kind = OAK, $l: [String!] = "x", $g: Given = {b: "y"}) { hello(names: $l, given: $g) tree(kind: $k) { kind } }',
  ],
  [
    'a null for a variable',
    'query ($s: String, $n: Int = 1) { hello(name: $s) trees(count: $n) { id } }',
    { s: null, n: null },
  ],
  [
    'variables of the wrong types',
    'query ($n: Int!, $s: String) { trees(count: $n) { id } hello(name: $s) }',
    { n: 1.5, s: 5 },
  ],
  ['a number beyond 32 bits', 'query ($n: Int!) { trees(count: $n) { id } }', { n: 2 ** 31 }],
  ['a variable that is not given', 'query ($n: Int!) { trees(count: $n) { id } }'],
  [
    'a condition met',
    'query ($c: Boolean!) { tree { id @include(if: $c) name @skip(if: $c) ... @include(if: $c) { height } } }',
    { c: true },
  ],
  [
    'a condition not met',
    'query ($c: Boolean!) { tree { id @include(if: $c) name @skip(if: $c) ... @include(if: $c) { height } } }',
    { c: false },
  ],
  ['a condition that is null', 'query ($c: Boolean = true) { tree { id @include(if: $c) name } }', { c: null }],
  ['nothing left of an object', '{ tree { id @include(if: false) } }'],
  [
    'names out of a prototype',
    '{ __proto__: tree { constructor: id __proto__: name toString: height then: id } hasOwnProperty: hello }',
  ],
  [
    'the schema',
    '{ __schema { queryType { fields { name args { name defaultValue } } } } __type(name: "Tree") { name interfaces { name } } }',
  ],
  ['one operation of two', 'query A { hello } query B { tree { id } }', {}, 'B'],
  ['none of two', 'query A { hello } query B { tree { id } }'],
  ['an operation that is not there', 'query A { hello }', {}, 'C'],
  ['a mutation', 'mutation { grow }'],
])('what is compiled answers as graphql-js does: %s', async (_, query, variables = {}, operationName = undefined) => {
  const { expected, got } = await both(query, variables, operationName);
  expect(got).toEqual([expected, expected]);
});

test("a value whose type is none of the union's is an error at its place", async () => {
  const things = (schema.getType('Query') as GraphQLObjectType).getFields()['things'];
  if (things) things.resolve = () => [{ __typename: 'Stone', weight: 1 }, { __typename: 'Water' }];
  const { data, errors } = await compileOperation(schema, parse('{ things { ... on Stone { weight } } }'), undefined, {
    kept: createCompiledKept(),
    errorLimit,
  })({}, () => ({}));
  expect(data).toEqual({ things: [{ weight: 1 }, null] });
  expect(errors?.map(({ path }) => path)).toEqual([['things', 1]]);
});

test('what is kept is bounded by fields, unfolded and for each value of the conditions, and what was forgotten is compiled again', async () => {
  const kept = createCompiledKept<Selection>({ most: 200 });
  const document = (name: string) =>
    parse(`query ($a: Boolean!, $b: Boolean!) { ...A ${name}: tree { id @skip(if: $a) } }
    fragment A on Query { a: tree { ...B } b: tree { ...B } } fragment B on Tree { a: parent { ...C } b: parent { ...C } } fragment C on Tree { id name @include(if: $b) }`);
  const operations = Array.from({ length: 30 }, (_, index) =>
    compileOperation(schema, document(`t${index}`), undefined, { kept, errorLimit }),
  );
  const answers = async () => {
    const told: string[] = [];
    for (const operation of operations)
      for (const a of [true, false])
        for (const b of [true, false]) told.push(JSON.stringify(await operation({ a, b }, () => ({}))));
    expect(kept.fields()).toBeGreaterThan(100);
    expect(kept.fields()).toBeLessThanOrEqual(200);
    return told;
  };
  const first = await answers();
  expect(first[0]).toContain('"t0":{}');
  expect(await answers()).toEqual(first);
});

test('what an operation holds on to counts as well: its document, however few of its fields are left', async () => {
  const held = async (query: string) => {
    const kept = createCompiledKept<Selection>();
    await compileOperation(schema, parse(query), undefined, { kept, errorLimit })({}, () => ({}));
    return kept.fields();
  };
  const little = await held('{ tree { id } }');
  expect(little).toBeLessThan(10);
  expect(await held(`{ tree { ${'x'.repeat(90_000)}: id } }`)).toBeGreaterThan(little + 50);
  expect(await held(`{ tree { ${'id '.repeat(500)} } }`)).toBeGreaterThan(little + 50);
});

test('with more errors than may be, the answer is one error and nothing of the rest is found out', async () => {
  const trees = (count: number) =>
    compileOperation(schema, parse(`{ trees(count: ${count}) { a: failing b: failing name } }`), undefined, {
      kept: createCompiledKept(),
      errorLimit,
    })({}, () => ({}));
  expect((await trees(50)).errors).toHaveLength(100);
  const before = failures;
  const { data, errors = [] } = await trees(5_000);
  expect({ data, messages: errors.map(({ message }) => message) }).toEqual({
    data: null,
    messages: ['too much fails'],
  });
  expect(failures - before).toBe(101);
});

test('what fails late in a list that has failed already ends no process', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  const trees = (schema.getType('Query') as GraphQLObjectType).getFields()['trees'];
  const before = trees?.resolve;
  if (trees) trees.resolve = () => [{ id: 'a' }, null];
  const { errors } = await compileOperation(schema, parse('{ trees(count: 2) { lateStrict } }'), undefined, {
    kept: createCompiledKept(),
    errorLimit,
  })({}, () => ({}));
  expect(errors?.map(({ path }) => path)).toEqual([['trees', 1]]);
  await new Promise((resolve) => setTimeout(resolve, 20));
  if (trees && before) trees.resolve = before;
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});
