import { GraphQLScalarType } from 'graphql';
import { findBy, required, type SupergraphFixture, subgraph } from './fixture';

const meta = { a: [1, { b: null }], __typename: 'Fake', id: 'inside', empty: {} };
const places = [
  { id: '1', at: [31.5, 35.2], meta, extra: null, big: '12345678901234567890' },
  { id: '2', at: [0, -1.5], meta: 'text', extra: [meta], big: '7' },
];
const anything = (name: string) => new GraphQLScalarType({ name });

/** Scalars whose values are objects and lists, as keys' neighbours, as required fields and as arguments. */
export const customScalars: SupergraphFixture = {
  name: 'custom-scalars',
  subgraphs: () => ({
    places: subgraph(
      `scalar Point scalar JSON scalar Big
       type Query { places: [Place!]! find(at: Point, meta: JSON): JSON any: JSON list: [JSON!] }
       type Place @key(fields: "id") { id: ID! at: Point meta: JSON big: Big }`,
      {
        Point: anything('Point'),
        JSON: anything('JSON'),
        Big: anything('Big'),
        Query: {
          places: () => places,
          find: (_: unknown, args: unknown) => args,
          any: () => ({ places: [{ id: 'x' }], n: 1.5, t: true }),
          list: () => [0, '', false, [], {}],
        },
        Place: { __resolveReference: findBy(places, 'id') },
      },
    ),
    more: subgraph(
      `scalar JSON scalar Point
       type Place @key(fields: "id") {
         id: ID! at: Point @external meta: JSON @external extra: JSON echo: JSON @requires(fields: "meta at") show(as: JSON): JSON
       }`,
      {
        JSON: anything('JSON'),
        Point: anything('Point'),
        Place: {
          __resolveReference: findBy(
            places.map(({ id, extra }) => ({ id, extra })),
            'id',
          ),
          echo: (place: Readonly<Record<string, unknown>>) => [required(place, 'meta'), required(place, 'at')],
          show: (_: unknown, args: unknown) => args,
        },
      },
    ),
  }),
  cases: [
    {
      name: 'values that look like objects of the schema stay as they are',
      query: '{ places { at meta extra } any list }',
      data: {
        places: [
          { at: [31.5, 35.2], meta, extra: null },
          { at: [0, -1.5], meta: 'text', extra: [meta] },
        ],
        any: { places: [{ id: 'x' }], n: 1.5, t: true },
        list: [0, '', false, [], {}],
      },
    },
    {
      name: 'objects as required fields, with aliases in exchange',
      query: '{ places { meta: at at: meta echo } }',
      data: {
        places: [
          { meta: [31.5, 35.2], at: meta, echo: [meta, [31.5, 35.2]] },
          { meta: [0, -1.5], at: 'text', echo: ['text', [0, -1.5]] },
        ],
      },
    },
    {
      name: 'objects as arguments: literals with variables inside, and variables',
      query:
        'query ($at: Point, $meta: JSON = { d: [1] }) { find(at: $at, meta: { x: [1, "2", true, null], y: { z: 1.5 } }) places { show(as: $meta) } again: find(meta: $meta) }',
      variables: { at: [1, { two: null }] },
      data: {
        find: { at: [1, { two: null }], meta: { x: [1, '2', true, null], y: { z: 1.5 } } },
        places: [{ show: { as: { d: [1] } } }, { show: { as: { d: [1] } } }],
        again: { meta: { d: [1] } },
      },
    },
    {
      name: 'a text of digits that no number holds',
      query: '{ places { big id: big } }',
      data: {
        places: [
          { big: '12345678901234567890', id: '12345678901234567890' },
          { big: '7', id: '7' },
        ],
      },
    },
    { name: 'a selection in a scalar', query: '{ any { places } }' },
  ],
};
