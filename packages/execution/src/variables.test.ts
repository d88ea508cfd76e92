import { buildSchema, getOperationAST, parse } from 'graphql';
import { compileVariables } from './variables';

const schema = buildSchema(
  'type Query { sum(a: Int, b: Int, c: Int): Int, tree(like: Tree): Int } input Tree { height: Int = 3 }',
);

function coercing(query: string, mostErrors: number) {
  const operation = getOperationAST(parse(query), null);
  if (!operation) throw new Error('the test asks for nothing');
  return compileVariables(schema, operation, mostErrors);
}

test('errors are told up to as many as are asked for, and then that there are more', () => {
  const given = { a: 'x', b: 'y', c: 'z' };
  const query = 'query ($a: Int, $b: Int, $c: Int) { sum(a: $a, b: $b, c: $c) }';
  expect(coercing(query, 3)(given).errors).toHaveLength(3);
  expect(coercing(query, 2)(given).errors?.map(({ message }) => message)).toEqual([
    expect.stringContaining('$a'),
    expect.stringContaining('$b'),
    expect.stringContaining('Too many errors'),
  ]);
});

test('no two calls share a default that is an object', () => {
  const coerce = coercing('query ($like: Tree = {}) { tree(like: $like) }', 1);
  const [first, second] = [coerce({}).coerced, coerce({}).coerced];
  expect([first, second]).toEqual([{ like: { height: 3 } }, { like: { height: 3 } }]);
  expect(first?.['like']).not.toBe(second?.['like']);
});

test('what was not declared is left out', () => {
  expect(coercing('query ($a: Int) { sum(a: $a) }', 1)({ a: 1, b: 2 }).coerced).toEqual({ a: 1 });
});
