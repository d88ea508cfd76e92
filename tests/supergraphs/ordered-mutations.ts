import { type SupergraphFixture, subgraph } from './fixture';

/** Mutations of two subgraphs change one number, which a third subgraph reads. Each case begins with a reset. */
export const orderedMutations: SupergraphFixture = {
  name: 'ordered-mutations',
  subgraphs() {
    let total = 0;
    let draws = 0;
    const change = (next: number) => {
      total = next;
      return { id: 'n', now: total };
    };
    const fail = () => {
      throw new Error('no');
    };
    const number = 'type Number @key(fields: "id") { id: ID! now: Int! @shareable }';
    return {
      adding: subgraph(
        `type Query { start: Int }
         type Mutation { reset: Number add(by: Int! = 1): Number fail: Number addAll(all: [Change!]!): [Number!]! }
         input Change { by: Int = 2 times: Int! }
         ${number}`,
        {
          Query: { start: () => 0 },
          Mutation: {
            reset: () => change(0),
            add: (_: unknown, { by }: { by: number }) => change(total + by),
            fail,
            addAll: (_: unknown, { all }: { all: { by: number; times: number }[] }) =>
              all.map(({ by, times }) => change(total + by * times)),
          },
          Number: { __resolveReference: ({ id }: { id: string }) => ({ id, now: total }) },
        },
      ),
      multiplying: subgraph(`type Mutation { multiply(by: Int!): Number! fails: Number! } ${number}`, {
        Mutation: { multiply: (_: unknown, { by }: { by: number }) => change(total * by), fails: fail },
        Number: { __resolveReference: ({ id }: { id: string }) => ({ id, now: total }) },
      }),
      reading: subgraph(
        `type Query { total: Int draws: Int }
         type Mutation { draw: Draw }
         type Draw { count: Int number: Number }
         type Number @key(fields: "id") { id: ID! seen: Int }`,
        {
          Query: { total: () => total, draws: () => draws },
          Mutation: {
            draw() {
              draws += 1;
              return { count: 1, number: { id: 'n', seen: total } };
            },
          },
          Number: { __resolveReference: ({ id }: { id: string }) => ({ id, seen: total }) },
        },
      ),
    };
  },
  cases: [
    {
      name: 'fields of two subgraphs in turns',
      query:
        'mutation { reset { now } a: add(by: 3) { now } b: multiply(by: 4) { now } c: add { now } d: multiply(by: 2) { now } }',
      data: { reset: { now: 0 }, a: { now: 3 }, b: { now: 12 }, c: { now: 13 }, d: { now: 26 } },
    },
    {
      name: 'a third subgraph reads the state after each field and before the next',
      query: 'mutation { reset { id } a: add(by: 3) { seen } b: multiply(by: 4) { seen now } }',
      data: { reset: { id: 'n' }, a: { seen: 3 }, b: { seen: 12, now: 12 } },
    },
    {
      name: 'an alias with the name of the key, and fields in fragments with conditions',
      query:
        'mutation M($not: Boolean!, $by: Int! = 5) { reset { now } ...A add(by: 100) @include(if: $not) { now } b: multiply(by: $by) { id: seen } } fragment A on Mutation { a: add(by: 2) @skip(if: $not) { id: now seen } }',
      variables: { not: false },
      data: { reset: { now: 0 }, a: { id: 2, seen: 2 }, b: { id: 10 } },
    },
    {
      name: 'a nullable field that fails does not stop the next ones',
      query: 'mutation { reset { now } fail { now } a: add(by: 7) { now } b: multiply(by: 2) { seen } }',
      data: { reset: { now: 0 }, fail: null, a: { now: 7 }, b: { seen: 14 } },
      errors: ['fail'],
    },
    {
      name: 'a field that fails and must not be null',
      query: 'mutation { reset { now } fails { now } }',
      data: null,
      errors: ['fails'],
    },
    {
      name: 'input objects with defaults',
      query:
        'mutation ($all: [Change!]!) { reset { now } addAll(all: $all) { now } more: addAll(all: { times: 1, by: 1 }) { now } __typename }',
      variables: { all: [{ times: 2 }, { by: 1, times: 3 }] },
      data: { reset: { now: 0 }, addAll: [{ now: 4 }, { now: 7 }], more: [{ now: 8 }], __typename: 'Mutation' },
    },
    {
      name: 'a mutation of the subgraph that has the state',
      query: 'mutation { add(by: 0) { id } draw { count number { seen now } } }',
      data: { add: { id: 'n' }, draw: { count: 1, number: { seen: 8, now: 8 } } },
    },
    { name: 'a query sees one draw', query: '{ draws total }', data: { draws: 1, total: 8 } },
  ],
};
