import { buildSchema, getOperationAST, getVariableValues, parse } from 'graphql';
import { compileVariables } from './values';

const schema = buildSchema(
  'scalar Any type Query { sum(a: Int, b: Int, c: Int): Int, tree(like: Tree): Int, all(ids: [ID!], any: [Any!]): Int } input Tree { height: Int = 3 }',
);

function compile(query: string, maxErrors: number) {
  const operation = getOperationAST(parse(query), null);
  if (!operation) throw new Error('the query has no operation');
  return compileVariables(schema, operation, maxErrors);
}

test('compileVariables reports at most maxErrors errors, and then the error "Too many errors"', () => {
  const sent = { a: 'x', b: 'y', c: 'z' };
  const query = 'query ($a: Int, $b: Int, $c: Int) { sum(a: $a, b: $b, c: $c) }';
  expect(compile(query, 3)(sent).errors).toHaveLength(3);
  expect(compile(query, 2)(sent).errors?.map(({ message }) => message)).toEqual([
    expect.stringContaining('$a'),
    expect.stringContaining('$b'),
    expect.stringContaining('Too many errors'),
  ]);
});

test('compileVariables gives each request a new copy of the default object of a variable', () => {
  const coerce = compile('query ($like: Tree = {}) { tree(like: $like) }', 1);
  const [first, second] = [coerce({}).coerced, coerce({}).coerced];
  expect([first, second]).toEqual([{ like: { height: 3 } }, { like: { height: 3 } }]);
  expect(first?.['like']).not.toBe(second?.['like']);
});

test('compileVariables ignores the values of variables that the operation does not declare', () => {
  expect(compile('query ($a: Int) { sum(a: $a) }', 1)({ a: 1, b: 2 }).coerced).toEqual({ a: 1 });
});

test.each<[string, Record<string, unknown>]>([
  ['strings', { ids: ['a', 'b'] }],
  ['numbers, which become strings', { ids: [1, 'b'] }],
  ['one value, which becomes a list', { ids: 'a' }],
  ['null in place of the list', { ids: null }],
  ['null in a list of non-null items', { ids: ['a', null] }],
  ['an object for an ID', { ids: [{}] }],
  ['objects of a scalar that accepts any value', { any: [{ a: [null] }, 1] }],
  ['null in a list of a scalar that accepts any value', { any: [null] }],
  ['undefined in a list of a scalar that accepts any value', { any: [undefined] }],
])('compileVariables coerces a variable of a list type like graphql-js: %s', (_, sent) => {
  const query = 'query ($ids: [ID!], $any: [Any!]) { all(ids: $ids, any: $any) }';
  const definitions = getOperationAST(parse(query), null)?.variableDefinitions ?? [];
  const { coerced, errors } = getVariableValues(schema, definitions, sent);
  const compiled = compile(query, 50)(sent);
  expect(compiled.coerced).toEqual(coerced && { ...coerced });
  expect(compiled.errors?.map(String)).toEqual(errors?.map(String));
});
