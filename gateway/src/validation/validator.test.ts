import { buildSchema, parse, validate } from 'graphql';
import type { CompiledOperation, ExecutableOperation } from '../execution/operation';
import { createOperationValidator } from './validator';

const schema = buildSchema('type Query { name: String }');
const compiled: CompiledOperation = { plan() {}, execute: () => ({ data: {} }) };

function createValidator(maxCacheBytes: number) {
  const { prepare } = createOperationValidator({
    schema,
    declaredCosts: { fieldCosts: new Map(), sizedFields: new Set() },
    limits: { tokens: 100, depth: 5, complexity: 10 },
    onLookup: () => {},
    maxCacheBytes,
  });
  return (query: string, operationName: string | null = null): ExecutableOperation => {
    const request = prepare({ query, variables: null, operationName });
    if (request.kind === 'rejected') throw new Error(JSON.stringify(request.errors));
    return request.operation;
  };
}

/** Prepares the operation for execution, as the executor does. */
function storePlan(operation: ExecutableOperation, bytes: number): void {
  operation.compiled = compiled;
  operation.grow(bytes);
}

test('query plans count towards the size of the operation cache, so planning new operations evicts an earlier operation', () => {
  const prepare = createValidator(100_000);
  const first = prepare('{ name }');
  storePlan(first, 40_000);
  expect(prepare('{ name }')).toBe(first);
  storePlan(prepare('{ a: name }'), 40_000);
  storePlan(prepare('{ b: name }'), 40_000);
  const again = prepare('{ name }');
  expect(again).not.toBe(first);
  expect(again).toMatchObject({ compiled: null, hash: first.hash });
});

test('invalid documents with long texts do not evict a valid operation from the operation cache', () => {
  const prepare = createValidator(500_000);
  const operation = prepare('{ name }');
  for (let index = 0; index < 10; index += 1)
    expect(() => prepare(`{ unknown${index} }${' '.repeat(20_000)}`)).toThrow('Cannot query field');
  expect(prepare('{ name }')).toBe(operation);
});

test('the operation cache counts the errors of a rejected document, and stores no rejection larger than the cache', () => {
  const lookups: string[] = [];
  const { prepare } = createOperationValidator({
    schema,
    declaredCosts: { fieldCosts: new Map(), sizedFields: new Set() },
    limits: { tokens: 5_000, depth: 5, complexity: 10 },
    onLookup: (result) => lookups.push(result),
    maxCacheBytes: 400_000,
  });
  const fragments = Array.from(
    { length: 199 },
    (_, index) => `fragment F${index} on Query { ...F${index + 1} ${index > 97 ? '...F0' : ''} }`,
  );
  const query = `{ ...F0 } ${fragments.join(' ')} fragment F199 on Query { name }`;
  for (let count = 0; count < 2; count += 1)
    expect(prepare({ query, variables: null, operationName: null }).kind).toBe('rejected');
  expect(lookups).toEqual(['miss', 'miss']);
});

test('validation errors and errors in variables have the same locations as in graphql-js, with every kind of line ending', () => {
  const { prepare } = createOperationValidator({
    schema,
    declaredCosts: { fieldCosts: new Map(), sizedFields: new Set() },
    limits: { tokens: 100, depth: 5, complexity: 10 },
    onLookup: () => {},
  });
  const errorsOf = (query: string) => {
    const prepared = prepare({ query, variables: { a: 'x' }, operationName: null });
    return prepared.kind === 'rejected' ? prepared.errors.map(({ locations }) => locations) : [];
  };
  const invalid = '{ x\r\n y\n\n z\r w\n\r\n  name { v } }';
  expect(errorsOf(invalid)).toEqual(validate(schema, parse(invalid)).map(({ locations }) => locations));
  expect(errorsOf('query (\r\n\n  $a: Boolean!\r) { name @include(if: $a) }')).toEqual([[{ line: 3, column: 3 }]]);
});

test('the operation validator validates each operation of a document once, and gives each operation its own hash', () => {
  const prepare = createValidator(100_000);
  const query = 'query A { name } query B { b: name }';
  expect(prepare(query, 'A')).toBe(prepare(query, 'A'));
  expect(prepare(query, 'B')).toBe(prepare(query, 'B'));
  expect(prepare(query, 'A')).not.toBe(prepare(query, 'B'));
  expect(prepare(query, 'A').hash).not.toBe(prepare(query, 'B').hash);
});

test('the operation validator returns the same operation with and without operationName if the document has only one operation', () => {
  const prepare = createValidator(100_000);
  expect(prepare('query A { name }', 'A')).toBe(prepare('query A { name }'));
});
