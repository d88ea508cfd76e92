import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { errors } from '@lectern/errors';
import { createHintList, type Hint, type Listening, silentLogger, type WorkContext } from '@lectern/serving';
import { createMetrics } from '@lectern/telemetry';
import { metricValue, send, withFolder } from '@lectern/testing';
import { createSubgraph, serveSubgraph } from './index';

const schema = `
  type Query { greeting(to: String! = "you"): String, known(name: String!): Person, both: Both, embed: String, advise: String, dice: Int, guests: [Guest!]! }
  type Mutation { greet: String }
  type Person { name: String!, age: Int }
  type Both { one: Person!, other: Person }
  type Guest { seat: Int! }
`;
const resolvers = {
  Query: {
    greeting: (_: unknown, { to }: { to: string }) => `hello ${to}`,
    known(_: unknown, { name }: { name: string }) {
      if (name === 'nobody') throw errors.bookNotFound(name);
      return { name, age: name === 'old' ? 'very' : 30 };
    },
    embed: (_: unknown, __: unknown, context: { onEmbeddingCall(): void }) => context.onEmbeddingCall(),
    advise: (_: unknown, __: unknown, { addHint }: { addHint(hint: Hint): void }) =>
      addHint({ coordinate: 'Query.advise', message: 'Añade "eng-web".' }),
    dice(_: unknown, __: unknown, context: { setUncacheable(): void }) {
      context.setUncacheable();
      return 4;
    },
    both: async () => ({ one: null, other: { name: 'x' } }),
    guests: () => [{ isLate: true }, { isLate: false }],
  },
  Guest: {
    seat({ isLate }: { isLate: boolean }) {
      if (isLate) return wait(5).then(() => Promise.reject(errors.bookNotFound('late')));
      throw errors.bookNotFound('early');
    },
  },
  Mutation: { greet: () => 'done' },
};

const metrics = createMetrics({ service: 'greetings' });
const compiledRequests = async () =>
  metricValue(await metrics.text(), 'lectern_subgraph_requests_total', 'execution="compiled"');

let compiledServer: Listening;
let apollo: Listening;
beforeAll(async () => {
  const serve = (compiled: boolean) =>
    withFolder((folder) => {
      const schemaFile = join(folder, 'schema.graphql');
      writeFileSync(schemaFile, schema);
      const subgraph = createSubgraph<
        WorkContext & { onEmbeddingCall(): void; addHint(hint: Hint): void; setUncacheable(): void }
      >({
        name: 'greetings',
        schemaFile,
        resolvers,
        createContext(work) {
          let calls = 0;
          let uncacheable = false;
          const { all: hints, add: addHint } = createHintList();
          return {
            work,
            embeddingCalls: () => calls,
            onEmbeddingCall: () => void (calls += 1),
            hints,
            addHint,
            isUncacheable: () => uncacheable,
            setUncacheable: () => void (uncacheable = true),
          };
        },
        close: () => {},
      });
      return serveSubgraph(subgraph, {
        host: '127.0.0.1',
        port: 0,
        secrets: '',
        compiled,
        ...(compiled && { metrics }),
        log: silentLogger,
      });
    });
  [compiledServer, apollo] = await Promise.all([serve(true), serve(false)]);
});
afterAll(() => Promise.all([compiledServer.close({ graceMs: 0 }), apollo.close({ graceMs: 0 })]));

const json = ['Content-Type', 'application/json'];
const post = async (
  { port }: Listening,
  body: unknown,
  sentHeaders: readonly string[] = [...json, 'Accept', 'application/json'],
) => {
  const { status, headers, text } = await send(`http://127.0.0.1:${port}/graphql`, {
    headers: sentHeaders,
    body: Buffer.isBuffer(body) ? body : JSON.stringify(body),
  });
  const parsed = JSON.parse(text.replaceAll(/"requestId":"[^"]*"/g, '"requestId":""'), (key, value: unknown) =>
    key === 'locations' ? undefined : value,
  ) as unknown;
  return {
    status,
    type: headers['content-type'],
    cpuMs: headers['x-lectern-cpu-ms'],
    embeddingCalls: headers['x-lectern-embedding-calls'],
    hints: headers['x-lectern-hints'],
    isDataOnly: headers['x-lectern-response'] === 'data-only',
    cacheControl: headers['cache-control'],
    parsed,
    text,
  };
};

test.each<[string, unknown, boolean]>([
  ['data', { query: 'query ($to: String!) { greeting(to: $to) }', variables: { to: 'all' } }, true],
  [
    'one operation of two',
    { query: 'query A { greeting } query B { known(name: "x") { name age } }', operationName: 'B', variables: null },
    true,
  ],
  ['a mutation', { query: 'mutation { greet }' }, true],
  ['an error with a code that clients may see', { query: '{ greeting known(name: "nobody") { age } }' }, false],
  ['an internal error', { query: '{ known(name: "old") { age } }' }, false],
  ['null for a non-null field', { query: '{ both { one { name } other { name } } }' }, false],
  ['variables of the wrong type', { query: 'query ($to: String!) { greeting(to: $to) }', variables: { to: 1 } }, false],
  ['a syntax error', { query: '{ greeting' }, false],
  ['an unknown field', { query: '{ farewell }' }, false],
  ['an unknown operation name', { query: 'query A { greeting }', operationName: 'B' }, false],
  ['an empty operation name', { query: 'query A { greeting }', operationName: '' }, false],
  [
    'null for operationName, variables and extensions',
    { query: '{ greeting }', operationName: null, variables: null, extensions: null },
    true,
  ],
  ['extensions', { query: '{ greeting }', extensions: { tracing: { version: 1 } } }, true],
  ['members that a GraphQL request does not have', { query: '{ greeting }', id: 'x', toString: 1 }, true],
  ['extensions as a string', { query: '{ greeting }', extensions: '{}' }, false],
  ['extensions as a list', { query: '{ greeting }', extensions: [] }, false],
  [
    'the hash of a persisted query',
    { query: '{ greeting }', extensions: { persistedQuery: { version: 1, sha256Hash: 'x' } } },
    false,
  ],
  ['variables as a string', { query: '{ greeting }', variables: '{}' }, false],
  ['an empty query', { query: '' }, false],
  ['a body without a query', { variables: {} }, false],
  ['a list of requests', [{ query: '{ greeting }' }], false],
])('a subgraph that compiles operations responds exactly as Apollo Server does: %s', async (_, body, isDataOnly) => {
  const [withoutApollo, withApollo] = [await post(compiledServer, body), await post(apollo, body)];
  expect([withoutApollo.status, withoutApollo.type, withoutApollo.parsed]).toEqual([
    withApollo.status,
    withApollo.type,
    withApollo.parsed,
  ]);
  // If a body is marked as data-only, the gateway sends the body to the client without parsing
  // it.
  expect(withoutApollo.isDataOnly).toBe(isDataOnly);
  expect(isDataOnly ? withoutApollo.text : null).toBe(isDataOnly ? JSON.stringify(withoutApollo.parsed) : null);
  expect(withApollo.isDataOnly).toBe(false);
});

test.each<[string, string, string | undefined]>([
  ['two embedding calls', '{ a: embed b: embed }', '2'],
  ['an embedding call and an error', '{ embed known(name: "nobody") { age } }', '1'],
  ['no embedding calls', '{ greeting }', undefined],
])(
  'the response header x-lectern-embedding-calls counts the calls of the embedding model for a request: %s',
  async (_, query, calls) => {
    for (const listening of [compiledServer, apollo])
      expect((await post(listening, { query })).embeddingCalls).toBe(calls);
  },
);

test('a subgraph leaves no unhandled rejection if a list item rejects after a later item has thrown', async () => {
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => void unhandled.push(reason);
  process.on('unhandledRejection', note);
  for (const listening of [compiledServer, apollo])
    expect((await post(listening, { query: '{ guests { seat } }' })).parsed).toMatchObject({
      errors: [{ extensions: { code: 'NOT_FOUND' } }],
    });
  await wait(20);
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

test('the response header x-lectern-hints contains each hint for client developers only once', async () => {
  for (const listening of [compiledServer, apollo]) {
    const { hints } = await post(listening, { query: '{ a: advise b: advise greeting }' });
    expect(JSON.parse(decodeURIComponent(String(hints)))).toEqual([
      { coordinate: 'Query.advise', message: 'Añade "eng-web".' },
    ]);
    expect((await post(listening, { query: '{ greeting }' })).hints).toBeUndefined();
  }
});

test.each<[string, string | null, boolean]>([
  ['no Accept', null, true],
  ['an empty Accept', '', true],
  ['any type', '*/*', true],
  ['any application type', 'application/*', true],
  ['upper case', 'APPLICATION/JSON', true],
  ['JSON with the charset utf-8', 'application/json; charset=utf-8', true],
  ['JSON with the charset utf-16', 'application/json; charset=utf-16', false],
  ['application/graphql-response+json', 'application/graphql-response+json', true],
  ['both types of JSON', 'application/json, application/graphql-response+json', true],
  ['application/graphql-response+json preferred', 'application/json;q=0.5, application/graphql-response+json', true],
  ['a wildcard that excludes one type', 'application/json;q=0, */*;q=0.1', true],
  ['types that the subgraph does not have', 'text/html, multipart/mixed', false],
  ['q=0 for JSON', 'application/json;q=0', false],
  ['q=0 for any type', '*/*;q=0', false],
  ['an invalid header', ';;,/,q=0', false],
  ['a header of 8 kB that allows JSON', `${'text/x-a;q=0.5, '.repeat(500)}application/json`, true],
  ['a header of 8 kB that excludes JSON', 'text/x-a;q=0.5, '.repeat(500), false],
  ['a header of 8 kB without a comma', 'x'.repeat(8_000), false],
])(
  'a subgraph that compiles operations negotiates the media type as Apollo Server does: %s',
  async (_, accept, isCompiled) => {
    const headers = [...json, ...(accept === null ? [] : ['Accept', accept])];
    for (const query of ['{ greeting }', '{ both { one { name } } }', '{ farewell }']) {
      const before = await compiledRequests();
      const [withoutApollo, withApollo] = [
        await post(compiledServer, { query }, headers),
        await post(apollo, { query }, headers),
      ];
      expect([withoutApollo.status, withoutApollo.type, withoutApollo.parsed]).toEqual([
        withApollo.status,
        withApollo.type,
        withApollo.parsed,
      ]);
      expect((await compiledRequests()) - before).toBe(isCompiled && query !== '{ farewell }' ? 1 : 0);
    }
  },
);

const greetingBody = Buffer.from('{"query":"{ greeting }"}');
const tooLong = Buffer.from(JSON.stringify({ query: '{ greeting }', padding: 'x'.repeat(11_000_000) }));

test.each<[string, string[], Buffer, number]>([
  ['reads JSON with the charset utf-8', ['Content-Type', 'application/json; charset=utf-8'], greetingBody, 200],
  [
    'reads JSON with a media type in upper case',
    ['Content-Type', 'Application/JSON;Charset="UTF-8"'],
    greetingBody,
    200,
  ],
  ['reads JSON compressed with gzip', [...json, 'Content-Encoding', 'gzip'], gzipSync(greetingBody), 200],
  ['reads JSON compressed with GZIP in upper case', [...json, 'Content-Encoding', 'GZIP'], gzipSync(greetingBody), 200],
  ['reads JSON compressed with deflate', [...json, 'Content-Encoding', 'deflate'], deflateSync(greetingBody), 200],
  ['reads JSON compressed with brotli', [...json, 'Content-Encoding', 'br'], brotliCompressSync(greetingBody), 200],
  ['reads JSON with the content coding identity', [...json, 'Content-Encoding', 'identity'], greetingBody, 200],
  ['rejects a body without a content type with 415', [], greetingBody, 415],
  ['rejects a body of the type text/plain with 415', ['Content-Type', 'text/plain'], greetingBody, 415],
  ['rejects JSON in UTF-16 with 415', ['Content-Type', 'application/json; charset=utf-16'], greetingBody, 415],
  ['rejects an unknown content coding with 415', [...json, 'Content-Encoding', 'zstd'], greetingBody, 415],
  [
    'rejects a body with two content codings with 415',
    [...json, 'Content-Encoding', 'gzip, gzip'],
    gzipSync(gzipSync(greetingBody)),
    415,
  ],
  [
    'rejects a body declared as gzip that is plain text with 400',
    [...json, 'Content-Encoding', 'gzip'],
    greetingBody,
    400,
  ],
  [
    'rejects half of a gzip body with 400',
    [...json, 'Content-Encoding', 'gzip'],
    gzipSync(greetingBody).subarray(0, 20),
    400,
  ],
  [
    'rejects a gzip body that is 11 MB long when decompressed with 413',
    [...json, 'Content-Encoding', 'gzip'],
    gzipSync(tooLong),
    413,
  ],
])('a subgraph %s', async (_, headers, body, status) => {
  const response = await post(compiledServer, body, headers);
  expect(response.status).toBe(status);
  const { data, errors: rejections } = response.parsed as { data?: unknown; errors?: unknown[] };
  expect([data, rejections?.length]).toEqual(status === 200 ? [{ greeting: 'hello you' }, undefined] : [undefined, 1]);
});

test.each([
  ['without Apollo Server', () => compiledServer],
  ['with Apollo Server', () => apollo],
])(
  'a subgraph that executes operations %s rejects a query of more than 10,000 tokens before validation',
  async (_, server) => {
    const fields = (count: number) => ({
      query: `{ ${Array.from({ length: count }, (_, index) => `unknown${index}`).join(' ')} }`,
    });
    const [accepted, rejected] = [await post(server(), fields(9_998)), await post(server(), fields(9_999))];
    expect(accepted.text).toContain('Cannot query field');
    expect([rejected.status, rejected.parsed]).toEqual([
      400,
      {
        errors: [
          {
            message: 'Syntax Error: Document contains more that 10000 tokens. Parsing aborted.',
            extensions: { code: 'GRAPHQL_PARSE_FAILED' },
          },
        ],
      },
    ]);
  },
);

test.each([
  ['compiled', () => compiledServer],
  ['executed by Apollo Server', () => apollo],
])('an operation that is %s stops when it exceeds the computing time that the gateway grants it', async (_, server) => {
  const respond = async (remaining: string) => {
    const { status, text } = await post(server(), { query: '{ greeting }' }, [...json, 'X-Lectern-Cpu-Ms', remaining]);
    expect(status).toBe(200);
    return JSON.parse(text) as { data: { greeting: string | null }; errors?: { extensions: { code: string } }[] };
  };
  const { data, errors: failures } = await respond('0');
  expect([data.greeting, failures?.[0]?.extensions.code]).toEqual([null, 'REQUEST_TOO_EXPENSIVE']);
  for (const remaining of ['', '-1', 'NaN', '1e3', '99999999999', '250'])
    expect((await respond(remaining)).data.greeting).toBe('hello you');
});

test.each<[string, string, string]>([
  ['data', '{ greeting }', 'public, max-age=86400'],
  ['a field that differs from request to request', '{ greeting ... on Query { dice } }', 'public, max-age=0'],
  ['an error of a field', '{ greeting known(name: "nobody") { age } }', 'no-store'],
  ['an error of validation', '{ nothing }', 'no-store'],
])('a subgraph declares in Cache-Control how long a response with %s may be cached', async (_, query, expected) => {
  for (const server of [compiledServer, apollo]) expect((await post(server, { query })).cacheControl).toBe(expected);
});
