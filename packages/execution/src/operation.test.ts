import {
  buildSchema,
  type ExecutionResult,
  execute,
  GraphQLError,
  type GraphQLObjectType,
  type GraphQLUnionType,
  parse,
  validate,
} from 'graphql';
import { bytesPerField, createOperationCache } from './cache';
import { compileOperation, type ExecuteOperation, isLargeResult } from './operation';

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

/** The number of calls of the resolver of `failing`. */
let failures = 0;

/**
 * The resolvers, which return values of each kind: plain values, promises, values of a wrong type,
 * nulls and errors.
 */
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

/** The limit on errors. Only the test of this limit has responses with more errors. */
const errorLimit = { max: 100, error: () => new GraphQLError('too many errors') };
const options = { grow: () => {}, errorLimit };

/** Converts a response to JSON, because `toEqual` would ignore the order of the fields. */
const toJson = (value: unknown): string => JSON.stringify(value, null, 1);

/**
 * Returns a result as JSON, with its errors in the order of their paths. The specification defines
 * no order: graphql-js reports the error of a list item when its promise rejects, a compiled
 * operation when the items before it are complete.
 */
function inOrderOfPaths(result: ExecutionResult): unknown {
  const { errors, ...response } = result;
  const placeOf = ({ path = [] }: GraphQLError): string => JSON.stringify(path);
  const sorted = errors?.toSorted((one, other) => placeOf(one).localeCompare(placeOf(other)));
  return toJson(sorted ? { errors: sorted, ...response } : response);
}

async function executeBoth(query: string, variables: Record<string, unknown>, operationName?: string) {
  const document = parse(query);
  expect(validate(schema, document)).toEqual([]);
  const compiled = compileOperation(schema, document, operationName, options);
  const expected = inOrderOfPaths(
    await execute({
      schema,
      document,
      variableValues: variables,
      operationName: operationName ?? null,
      contextValue: {},
    }),
  );
  const respond = async () => {
    // The numbers of values and characters are not part of a response, and graphql-js does not
    // report them.
    const { values: _, characters: __, ...response } = await compiled(variables, () => ({}));
    return inOrderOfPaths(response);
  };
  // The first request compiles the selection, and the second uses the compiled selection.
  return { expected, actual: [await respond(), await respond()] };
}

test.each<[string, string, Record<string, unknown>?, string?]>([
  ['synchronous values', '{ tree { __typename name height id kind t: __typename } }'],
  ['promises of values', '{ trees(count: 4) { id late name } tree { late } }'],
  ['a string for an Int field', '{ trees(count: 4) { id height } }'],
  ['NaN for a Float field', '{ size tree { name } }'],
  ['errors and rejections in a list', '{ mixed { id name } }'],
  ['a null for a non-null field of the query type', '{ tree { id } strict }'],
  ['a null for a non-null field of an object', '{ tree { id strict } other: tree { id failing } }'],
  ['a null that resolves late for a non-null field', '{ a: tree { id lateStrict failing } b: tree { failing late } }'],
  ['a null for a non-null field two levels below', '{ tree { parent { parent { id } } } }'],
  [
    'errors on several levels',
    '{ tree { failing children { id name failing children(first: 2) { name failing late } } } a: tree { failing } }',
  ],
  ['lists in lists', '{ tree { leaves } }'],
  ['a union', '{ things { ... on Tree { id name } ... on Stone { weight name } __typename } }'],
  [
    'fragments that select one field twice',
    'query { ...A tree { id ...B } } fragment A on Query { tree { name } } fragment B on Tree { ... on Named { name } height }',
  ],
  [
    'defaults of arguments and variables',
    'query ($name: String = "them") { a: hello b: hello(name: $name) c: hello(name: null) d: hello(given: {}) e: hello(given: {b: ["x"]}) }',
  ],
  [
    'variables of each type',
    'query ($n: Int!, $s: String, $k: Kind, $l: [String!], $g: Given) { trees(count: $n) { id } hello(name: $s, names: $l, given: $g) tree(kind: $k) { kind } }',
    { n: 2, s: 'x', k: 'ASH', l: 'one', g: { a: 1 } },
  ],
  [
    'variables left out',
    'query ($n: Int = 1, $s: String, $l: String!) { trees(count: $n) { id } hello(name: $s, names: [$l]) }',
    { l: 'y' },
  ],
  [
    'variables of enum, list and input types left out',
    'query ($n: Int!, $k: Kind, $l: [String!], $g: Given) { trees(count: $n) { id } hello(names: $l, given: $g) tree(kind: $k) { kind } }',
    { n: 1 },
  ],
  [
    'nulls for variables of enum, list and input types',
    'query ($k: Kind, $l: [String!], $g: Given) { hello(names: $l, given: $g) tree(kind: $k) { kind } }',
    { k: null, l: null, g: null },
  ],
  [
    'defaults of variables of enum, list and input types',
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
  ['a required variable that is left out', 'query ($n: Int!) { trees(count: $n) { id } }'],
  [
    'a variable in @skip and @include that is true',
    'query ($c: Boolean!) { tree { id @include(if: $c) name @skip(if: $c) ... @include(if: $c) { height } } }',
    { c: true },
  ],
  [
    'a variable in @skip and @include that is false',
    'query ($c: Boolean!) { tree { id @include(if: $c) name @skip(if: $c) ... @include(if: $c) { height } } }',
    { c: false },
  ],
  [
    'a variable in @include that is null',
    'query ($c: Boolean = true) { tree { id @include(if: $c) name } }',
    { c: null },
  ],
  ['an object without selected fields', '{ tree { id @include(if: false) } }'],
  [
    'aliases that are names of Object.prototype',
    '{ __proto__: tree { constructor: id __proto__: name toString: height then: id } hasOwnProperty: hello }',
  ],
  [
    'introspection',
    '{ __schema { queryType { fields { name args { name defaultValue } } } } __type(name: "Tree") { name interfaces { name } } }',
  ],
  ['one operation of two', 'query A { hello } query B { tree { id } }', {}, 'B'],
  ['two operations without an operation name', 'query A { hello } query B { tree { id } }'],
  ['an operation name that the document lacks', 'query A { hello }', {}, 'C'],
  ['a mutation', 'mutation { grow }'],
])(
  'a compiled operation has the same result as graphql-js: %s',
  async (_, query, variables = {}, operationName = undefined) => {
    const { expected, actual } = await executeBoth(query, variables, operationName);
    expect(actual).toEqual([expected, expected]);
  },
);

test('a compiled operation returns null and an error for a list item whose type is not a member of the union', async () => {
  const things = (schema.getType('Query') as GraphQLObjectType).getFields()['things'];
  if (things) things.resolve = () => [{ __typename: 'Stone', weight: 1 }, { __typename: 'Water' }];
  const { data, errors } = await compileOperation(
    schema,
    parse('{ things { ... on Stone { weight } } }'),
    undefined,
    options,
  )({}, () => ({}));
  expect(data).toEqual({ things: [{ weight: 1 }, null] });
  expect(errors?.map(({ path }) => path)).toEqual([['things', 1]]);
});

test.each([
  [200_001, true],
  [1_000, false],
])(
  'for a response with one string of %i characters, isLargeResult, which finds responses to write in steps, returns %s',
  async (length, isLarge) => {
    const operation = compileOperation(schema, parse('query ($n: String) { hello(name: $n) }'), undefined, options);
    expect(isLargeResult(await operation({ n: 'x'.repeat(length) }, () => ({})))).toBe(isLarge);
  },
);

/** Executes operations from an operation cache, as a subgraph does. */
function createCachedExecution(maxBytes: number) {
  const cache = createOperationCache<ExecuteOperation>({ maxBytes });
  const execute = (query: string, variables: Record<string, unknown>) => {
    const operation =
      cache.get(query) ??
      cache.add(query, (grow) => compileOperation(schema, parse(query), undefined, { grow, errorLimit }));
    return operation(variables, () => ({}));
  };
  return { execute, bytes: cache.bytes };
}

test('the operation cache stays within its size if clients send every combination of @skip and @include', async () => {
  const maxBytes = 1_000 * bytesPerField;
  const cache = createCachedExecution(maxBytes);
  const documents = Array.from(
    { length: 60 },
    (_, index) => `query ($a: Boolean!, $b: Boolean!) { ...A t${index}: tree { id @skip(if: $a) } }
    fragment A on Query { a: tree { ...B } b: tree { ...B } } fragment B on Tree { a: parent { ...C } b: parent { ...C } } fragment C on Tree { id name @include(if: $b) }`,
  );
  const executeAll = async () => {
    const results: string[] = [];
    for (const document of documents)
      for (const a of [true, false])
        for (const b of [true, false]) results.push(toJson(await cache.execute(document, { a, b })));
    expect(cache.bytes()).toBeGreaterThan(maxBytes / 2);
    expect(cache.bytes()).toBeLessThanOrEqual(maxBytes);
    return results;
  };
  const first = await executeAll();
  expect(first[0]).toContain('"t0": {}');
  expect(await executeAll()).toEqual(first);
});

test('an operation with a long document takes more bytes of the operation cache, even if few fields are compiled', async () => {
  const bytesOf = async (query: string) => {
    const cache = createCachedExecution(100_000_000);
    await cache.execute(query, {});
    return cache.bytes();
  };
  const small = await bytesOf('{ tree { id } }');
  expect(small).toBeLessThan(10 * bytesPerField);
  expect(await bytesOf(`{ tree { ${'x'.repeat(90_000)}: id } }`)).toBeGreaterThan(small + 50 * bytesPerField);
  expect(await bytesOf(`{ tree { ${'id '.repeat(500)} } }`)).toBeGreaterThan(small + 50 * bytesPerField);
});

test('a compiled operation with more errors than the limit stops, and returns null data and one error', async () => {
  const trees = (count: number) =>
    compileOperation(
      schema,
      parse(`{ trees(count: ${count}) { a: failing b: failing name } }`),
      undefined,
      options,
    )({}, () => ({}));
  expect((await trees(50)).errors).toHaveLength(100);
  const before = failures;
  const { data, errors = [] } = await trees(5_000);
  expect({ data, messages: errors.map(({ message }) => message) }).toEqual({
    data: null,
    messages: ['too many errors'],
  });
  expect(failures - before).toBe(101);
});

test('a compiled operation leaves no unhandled rejection if a list item is rejected after the list has failed', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  const trees = (schema.getType('Query') as GraphQLObjectType).getFields()['trees'];
  const before = trees?.resolve;
  if (trees) trees.resolve = () => [{ id: 'a' }, null];
  const { errors } = await compileOperation(
    schema,
    parse('{ trees(count: 2) { lateStrict } }'),
    undefined,
    options,
  )({}, () => ({}));
  expect(errors?.map(({ path }) => path)).toEqual([['trees', 1]]);
  await new Promise((resolve) => setTimeout(resolve, 20));
  if (trees && before) trees.resolve = before;
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});
