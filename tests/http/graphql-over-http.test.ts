import { graphqlHeaders, send, useStarted } from '@lectern/testing';
import { serverAudits } from 'graphql-http';
import { startEmbeddedLectern } from '../support/embedded-lectern';

const lectern = useStarted(startEmbeddedLectern);

const verseQuery = JSON.stringify({ query: '{ verse(book: "JHN", chapter: 11, verse: 35) { text } }' });
const validHeaders = () => graphqlHeaders(lectern.token);
const post = (headers: readonly string[], body: string | Buffer = verseQuery) => send(lectern.url, { headers, body });
const errorCode = (text: string) =>
  (JSON.parse(text) as { errors: { extensions: { code: string } }[] }).errors[0]?.extensions.code;

describe('a valid request', () => {
  test('POST /graphql returns one verse in two translations in one response', async () => {
    expect(
      await lectern.client(
        '{ web: verse(book: "John", chapter: 11, verse: 35) { text } kjv: verse(book: "John", chapter: 11, verse: 35, translation: "eng-kjv") { text } }',
      ),
    ).toEqual({ data: { web: { text: 'Jesus wept.' }, kjv: { text: 'Jesus wept.' } } });
  });

  test('the field Mutation.testField, which is not part of the supported API, returns "Hello World"', async () => {
    const response = await post(validHeaders(), JSON.stringify({ query: 'mutation { testField }' }));
    expect(response.json()).toEqual({ data: { testField: 'Hello World' } });
  });
});

describe('media types and status of GraphQL responses', () => {
  const graphqlJson = ['Accept', 'application/graphql-response+json'];
  const cases: [string, string, object][] = [
    ['a syntax error', 'GRAPHQL_PARSE_FAILED', { query: '{' }],
    ['an empty document', 'GRAPHQL_PARSE_FAILED', { query: '' }],
    ['an unknown field', 'GRAPHQL_VALIDATION_FAILED', { query: '{ nope }' }],
    [
      'a variable of the wrong type',
      'BAD_USER_INPUT',
      { query: 'query ($v: Int!) { verse(book: "JHN", chapter: 3, verse: $v) { text } }', variables: { v: 'sixteen' } },
    ],
    [
      'a missing variable',
      'BAD_USER_INPUT',
      { query: 'query ($v: Int!) { verse(book: "JHN", chapter: 3, verse: $v) { text } }' },
    ],
    [
      'several operations without operationName',
      'OPERATION_RESOLUTION_FAILURE',
      { query: 'query A { books { name } } query B { books { name } }' },
    ],
    [
      'an unknown operation name',
      'OPERATION_RESOLUTION_FAILURE',
      { query: 'query A { books { name } }', operationName: 'B' },
    ],
    ['a document of fragments alone', 'GRAPHQL_VALIDATION_FAILED', { query: 'fragment F on Book { name }' }],
    ['a subscription', 'OPERATION_RESOLUTION_FAILURE', { query: 'subscription { books { name } }' }],
  ];

  test.each(cases)(
    'POST /graphql responds to %s with %s, with status 200 as application/json and 400 as application/graphql-response+json',
    async (_, expected, body) => {
      const plain = await post(validHeaders(), JSON.stringify(body));
      const modern = await post([...validHeaders(), ...graphqlJson], JSON.stringify(body));
      expect([plain.status, modern.status, errorCode(plain.text)]).toEqual([200, 400, expected]);
      expect(modern.text).toBe(plain.text);
      expect(plain.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(modern.headers['content-type']).toBe('application/graphql-response+json; charset=utf-8');
      expect(plain.json()).not.toHaveProperty('data');
    },
  );

  test('errors for an invalid and a missing variable have the locations of the variable definitions in the query', async () => {
    const query = `query ($c: Int!,
      $v: Int!) { verse(book: "JHN", chapter: $c, verse: $v) { text } }`;
    const { errors } = await lectern.client(query, { variables: { c: 1.5 } });
    expect(errors).toMatchObject([{ locations: [{ line: 1, column: 8 }] }, { locations: [{ line: 2, column: 7 }] }]);
  });

  test('if one field fails, POST /graphql responds 200 in each media type, with the data of the other field and the error', async () => {
    for (const type of ['application/json', 'application/graphql-response+json']) {
      const response = await post(
        [...validHeaders(), 'Accept', type],
        JSON.stringify({ query: '{ a: verse(book: "JHN", chapter: 3, verse: 999) { text } books { position } }' }),
      );
      expect([response.status, response.headers['content-type']]).toEqual([200, `${type}; charset=utf-8`]);
      expect(response.json()).toMatchObject({
        data: { a: null, books: { length: 66, 65: { position: 66 } } },
        errors: [{ message: "Verse 'JHN 3:999' not found", path: ['a'], extensions: { code: 'NOT_FOUND' } }],
      });
    }
  });

  test.each([
    ['no header Accept', null, 'application/json'],
    ['Accept: */*', '*/*', 'application/json'],
    ['a lower preference for JSON', 'application/json;q=0.5, application/graphql-response+json', graphqlJson[1]],
    ['a higher preference for JSON', 'application/graphql-response+json;q=0.1, application/json', 'application/json'],
    ['a media type with a charset', 'application/graphql-response+json; charset=utf-8', graphqlJson[1]],
    ['Accept: text/html, application/*;q=0.2', 'text/html, application/*;q=0.2', 'application/json'],
  ])('POST /graphql responds 200 in the media type that the request accepts: %s', async (_, accept, type) => {
    const { status, headers } = await post([...validHeaders(), ...(accept === null ? [] : ['Accept', accept])]);
    expect([status, headers['content-type']]).toEqual([200, `${type}; charset=utf-8`]);
  });

  test('POST /graphql returns no query plan to a request with the header Apollo-Query-Plan-Experimental', async () => {
    const response = await post(
      [...validHeaders(), 'Apollo-Query-Plan-Experimental', 'true'],
      JSON.stringify({
        query: '{ search(query: "wept", limit: 1) { inTranslation(identifier: "eng-kjv") { text } } }',
      }),
    );
    expect(Object.keys(response.json() as object)).toEqual(['data']);
  });
});

test('POST /graphql passes the audits of graphql-http, except for three notices that /graphql does not support GET', async () => {
  const fetchFn: typeof fetch = (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('Authorization', `Bearer ${lectern.token}`);
    return fetch(input, { ...init, headers });
  };
  const results = await Promise.all(serverAudits({ url: lectern.url, fetchFn }).map((audit) => audit.fn()));
  expect(results.length).toBeGreaterThan(50);
  expect(
    results
      .filter(({ status }) => status === 'error' || status === 'warn')
      .map(({ name, ...rest }) => ({ name, ...rest })),
  ).toEqual([]);
  const notices = results.filter(({ status }) => status === 'notice').map(({ name }) => name);
  expect(notices).toHaveLength(3);
  expect(notices.every((name) => name.includes('GET'))).toBe(true);
});

describe('what POST /graphql does not support', () => {
  const books = '{ books { name } }';

  test.each(['NULL', 'HALT', 5, {}])(
    'POST /graphql responds 400 to onError: %j, and names PROPAGATE',
    async (onError) => {
      const response = await post(validHeaders(), JSON.stringify({ query: books, onError }));
      expect([response.status, errorCode(response.text)]).toEqual([400, 'BAD_REQUEST']);
      expect(response.text).toContain('PROPAGATE');
    },
  );

  test('POST /graphql executes a request with onError: "PROPAGATE" or null, because nulls propagate', async () => {
    for (const onError of ['PROPAGATE', null])
      expect((await post(validHeaders(), JSON.stringify({ query: books, onError }))).json()).toHaveProperty('data');
  });

  test('POST /graphql rejects @defer and @stream as unknown directives', async () => {
    for (const query of ['{ ... @defer { books { name } } }', '{ books @stream { name } }'])
      expect(errorCode((await post(validHeaders(), JSON.stringify({ query }))).text)).toBe('GRAPHQL_VALIDATION_FAILED');
  });
});

test('JSON responses of /graphql, /ready and unknown paths have X-Content-Type-Options: nosniff', async () => {
  const responses = [
    await post(validHeaders()),
    await post([]),
    await post(validHeaders(), '{'),
    await send(`${lectern.origin}/ready`, { method: 'GET' }),
    await send(`${lectern.origin}/nothing`, { method: 'GET' }),
  ];
  expect(responses.map(({ status }) => status)).toEqual([200, 401, 400, 200, 404]);
  for (const { headers } of responses) expect(headers['x-content-type-options']).toBe('nosniff');
});
