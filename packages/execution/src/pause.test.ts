import { setImmediate as nextTurn } from 'node:timers/promises';
import { buildSchema, execute, GraphQLError, parse } from 'graphql';
import { compileOperation } from './operation';
import type { Pace } from './state';

const schema = buildSchema(`
  type Query { shelves(count: Int!): [Shelf!], strict(count: Int!): [Shelf!] }
  type Shelf { books: [Book], number: Int!, late: Int, strictLate: Int! }
  type Book { title: String!, pages: Int }
`);

const shelf = (number: number) => ({
  number,
  books: Array.from({ length: 5 }, (_, index) => ({
    title: number % 7 === 3 && index === 2 ? null : `book ${number}.${index}`,
    pages: index === 1 ? 'many' : index,
  })),
  late: async () => number,
  strictLate: async () => (number === 40 ? null : number),
});
const rootValue = {
  shelves: ({ count }: { count: number }) => Array.from({ length: count }, (_, number) => shelf(number)),
  strict: ({ count }: { count: number }) => Array.from({ length: count }, (_, number) => shelf(number)),
};
for (const [name, field] of Object.entries(schema.getQueryType()?.getFields() ?? {}))
  field.resolve = (_, args) => rootValue[name as 'shelves' | 'strict'](args as { count: number });

/**
 * Creates a `Pace` that pauses an execution at every second call of `shouldPause`, and counts the
 * pauses. `shouldPause` throws an error after `stopAt` values.
 */
function createPausingPace(stopAt = Infinity) {
  let pauses = 0;
  let paused = false;
  const pace: Pace = {
    measure: (work) => work(),
    run: (work) => work(),
    shouldPause(values) {
      if (values > stopAt) throw new GraphQLError(`stopped after ${stopAt} values`);
      paused = !paused;
      return paused;
    },
    async resume(work) {
      pauses += 1;
      await nextTurn();
      return work();
    },
  };
  return { pace, pauses: () => pauses };
}

const options = { grow: () => {}, errorLimit: { max: 10_000, error: () => new GraphQLError('too many errors') } };

function executePaused(query: string, { pace }: { pace: Pace }) {
  const compiled = compileOperation(schema, parse(query), undefined, { ...options, paceOf: () => pace });
  return compiled({}, () => ({}));
}

const byPath = (errors: readonly GraphQLError[] = []) =>
  errors.map(({ message, path }) => `${path?.join('.') ?? ''}: ${message}`).sort();

test.each([
  ['objects in lists in a list', '{ shelves(count: 100) { number books { title pages } } }'],
  ['promises in a list', '{ shelves(count: 300) { number late books { pages } } }'],
  ['two lists', '{ a: shelves(count: 200) { number } b: shelves(count: 200) { books { pages } } }'],
  [
    'a null that resolves late for a non-null field',
    '{ shelves(count: 300) { number strictLate } strict(count: 90) { books { title } } }',
  ],
])(
  'a compiled operation that pauses to let other requests run has the same data and errors as graphql-js: %s',
  async (_, query) => {
    const expected = await execute({ schema, document: parse(query) });
    const pausing = createPausingPace();
    const { data, errors } = await executePaused(query, pausing);
    expect(JSON.stringify(data)).toBe(JSON.stringify(expected.data));
    expect(byPath(errors)).toEqual(byPath(expected.errors));
    expect(pausing.pauses()).toBeGreaterThan(1);
  },
);

test('while a nested list of a compiled operation pauses, the next item of the outer list is not started', async () => {
  const waiting: (() => void)[] = [];
  const pace: Pace = {
    measure: (work) => work(),
    run: (work) => work(),
    shouldPause: () => true,
    resume: (work) => new Promise((resolve) => waiting.push(() => resolve(work()))),
  };
  void executePaused('{ shelves(count: 1000) { books { title } } }', { pace });
  // One list of books and the list of shelves wait. The execution of the next shelf has not begun.
  await nextTurn();
  expect(waiting).toHaveLength(2);
});

test('if shouldPause of a compiled operation throws, the list in progress is null, and the response has one error', async () => {
  const { data, errors } = await executePaused(
    '{ shelves(count: 1000) { number late } strict(count: 1) { number } }',
    createPausingPace(600),
  );
  expect(data).toEqual({ shelves: null, strict: [{ number: 0 }] });
  expect(byPath(errors)).toEqual(['shelves: stopped after 600 values']);
});
