import { buildSchema, getOperationAST, parse } from 'graphql';
import { compileVariables } from './values';

const schema = buildSchema(
  'type Query { sum(a: Int, b: Int, c: Int): Int, tree(like: Tree): Int } input Tree { height: Int = 3 }',
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
