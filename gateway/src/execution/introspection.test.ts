import { Supergraph } from '@apollo/federation-internals';
import { useStarted } from '@lectern/testing';
import { getIntrospectionQuery, graphqlSync, type IntrospectionOptions } from 'graphql';
import { openTestGraph, supergraphSdl } from '../../test-support/graph';

/** The committed supergraph, changed: a scalar has `@specifiedBy`, and arguments are deprecated. */
const supergraph = supergraphSdl
  .replace('scalar ISO8601Date\n', 'scalar ISO8601Date @specifiedBy(url: "https://example.org/iso-8601")\n')
  .replaceAll('order: SearchOrder = RELEVANCE', '$& @deprecated(reason: "an old argument")');
const schema = Supergraph.build(supergraph).apiSchema().toGraphQLJSSchema();

const graph = useStarted(() =>
  openTestGraph({
    supergraphSdl: supergraph,
    fetch(_, { query }) {
      if (query.includes('books')) throw new Error('unavailable');
      const languages = [{ code: 'eng' }];
      return { data: { ...(query.includes('__typename') && { __typename: 'Query' }), languages, last: languages } };
    },
  }),
);

type Values = Record<string, unknown>;

const executeByGraphqlJs = (source: string, variableValues: Values = {}) =>
  JSON.stringify(graphqlSync({ schema, source, variableValues, rootValue: { languages: [{ code: 'eng' }] } }));

/**
 * The values of each option of `getIntrospectionQuery`. The type check fails if graphql-js adds an
 * option.
 */
const optionValues: { [Option in keyof Required<IntrospectionOptions>]: readonly IntrospectionOptions[Option][] } = {
  descriptions: [true, false],
  specifiedByUrl: [true, false],
  directiveIsRepeatable: [true, false],
  schemaDescription: [true, false],
  inputValueDeprecation: [true, false],
  experimentalDirectiveDeprecation: [true, false],
  oneOf: [true, false],
  typeDepth: [9],
};
const combinations = Object.entries(optionValues).reduce<IntrospectionOptions[]>(
  (known, [option, values]) => known.flatMap((options) => values.map((value) => ({ ...options, [option]: value }))),
  [{}],
);

test('the gateway answers every introspection query of getIntrospectionQuery as graphql-js does', async () => {
  expect(combinations).toHaveLength(2 ** 7);
  for (const options of [...combinations, { typeDepth: 0 }, { typeDepth: 3 }]) {
    const query = getIntrospectionQuery(options);
    expect(String((await graph.respond(query)).body)).toBe(executeByGraphqlJs(query));
  }
});

test('introspection through the gateway shows the specifiedByURL of a scalar and the deprecation of an argument', async () => {
  const { body } = await graph.respond(getIntrospectionQuery({ specifiedByUrl: true, inputValueDeprecation: true }));
  expect(String(body)).toContain('"specifiedByURL":"https://example.org/iso-8601"');
  expect(String(body)).toContain('"isDeprecated":true,"deprecationReason":"an old argument"');
});

test.each<[string, string, Values?]>([
  ['isOneOf', '{ __schema { types { name isOneOf } } }'],
  ['the deprecation of directives', '{ __schema { directives(includeDeprecated: true) { name isDeprecated } } }'],
  [
    'a variable as the name of a type',
    'query ($name: String = "Verse") { __type(name: $name) { name } }',
    { name: 'Book' },
  ],
  [
    'the default of a variable as the name of a type',
    'query ($name: String = "Verse") { __type(name: $name) { name isOneOf } }',
  ],
  ['the name of an unknown type', '{ __type(name: "Nothing") { name } }'],
  ['aliases', '{ a: __type(name: "Book") { k: kind } __proto__: __schema { __typename } t: __typename }'],
  ['fragments', '{ ...Q } fragment Q on Query { __schema { ...S } } fragment S on __Schema { types { isOneOf } }'],
  [
    'one introspection field in two fragments',
    '{ ...A ...B } fragment A on Query { __schema { ...N } } fragment B on Query { ... { __schema { types { kind } } } } fragment N on __Schema { types { name } }',
  ],
  [
    'an introspection field after a field of a subgraph',
    '{ __typename languages { code } __schema { types { isOneOf } } }',
  ],
  [
    'an introspection field between two fields of a subgraph',
    '{ languages { code } __schema { types { isOneOf } } ... on Query { last: languages { code } } }',
  ],
  [
    'an introspection field and a field of a subgraph in one fragment',
    '{ ...Q } fragment Q on Query { __type(name: "Book") { isOneOf } languages { code } }',
  ],
  [
    'a skipped introspection field',
    'query ($s: Boolean!) { languages { code } ...Q @skip(if: $s) } fragment Q on Query { __schema { types { isOneOf } } }',
    { s: true },
  ],
  [
    'a skipped field of a subgraph',
    'query ($s: Boolean!) { languages @skip(if: $s) { code } __schema { types { isOneOf } } }',
    { s: true },
  ],
  ['only one field, which is skipped', '{ __schema @skip(if: true) { types { isOneOf } } }'],
])('the gateway gives the same response as graphql-js to introspection with %s', async (_, query, variables) => {
  const expected = executeByGraphqlJs(query, variables);
  expect(expected).not.toContain('"errors"');
  // The first request finds the execution strategy of the operation, and the second request uses
  // it.
  for (let time = 0; time < 2; time += 1) expect(String((await graph.respond(query, variables)).body)).toBe(expected);
});

test('introspection fields have their values although the subgraph of another field in the operation is unavailable', async () => {
  const { body } = await graph.respond('{ books { name } __type(name: "Book") { name } }');
  expect(JSON.parse(String(body))).toEqual({
    data: { books: null, __type: { name: 'Book' } },
    errors: [expect.objectContaining({ path: ['books'], extensions: { code: 'SUBGRAPH_UNAVAILABLE' } })],
  });
});

test('an operation runs although another one of its document selects introspection fields newer than @apollo/gateway', async () => {
  const query =
    'query A { __typename languages { code } } query B { __schema { types { ...T } } } fragment T on __Type { isOneOf }';
  for (let time = 0; time < 2; time += 1)
    expect(JSON.parse(String((await graph.respond(query, null, 'A')).body))).toMatchObject({
      data: { languages: [{ code: 'eng' }] },
    });
});
