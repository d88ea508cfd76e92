import { createHash } from 'node:crypto';
import { createMetrics, noTelemetry } from '@lectern/telemetry';
import { graphqlHeaders, metricValue, send } from '@lectern/testing';
import type { EmbeddedLectern } from '../support/embedded-lectern';
import { issueKey, startEmbeddedLectern } from '../support/embedded-lectern';

const hashOf = (query: string) => createHash('sha256').update(query).digest('hex');
const persisted = (sha256Hash: unknown, version: unknown = 1) => ({ persistedQuery: { version, sha256Hash } });
/** Returns a query whose operation name contains the number, so each number gives another query. */
const numberedQuery = (number: number, verse = 35) =>
  `query Verse${number} { verse(book: "JHN", chapter: 11, verse: ${verse}) { text } }`;

const notFound = {
  errors: [{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }],
};
const jesusWept = { data: { verse: { text: 'Jesus wept.' } } };

interface PostOptions {
  token?: string;
  headers?: readonly string[];
}
const post = ({ url, ...lectern }: EmbeddedLectern, body: object, { token, headers = [] }: PostOptions = {}) =>
  send(url, { headers: [...graphqlHeaders(token ?? lectern.token), ...headers], body: JSON.stringify(body) });
const postHash = (lectern: EmbeddedLectern, query: string, options?: PostOptions) =>
  post(lectern, { extensions: persisted(hashOf(query)) }, options);
const register = (lectern: EmbeddedLectern, query: string, options?: PostOptions) =>
  post(lectern, { query, extensions: persisted(hashOf(query)) }, options);

let next = 0;
const newQuery = () => numberedQuery((next += 1));

describe('automatic persisted queries in memory', () => {
  let lectern: EmbeddedLectern;
  let metrics: ReturnType<typeof createMetrics>;
  beforeAll(async () => {
    metrics = createMetrics({ service: 'test' });
    lectern = await startEmbeddedLectern({ telemetry: { metrics, tracing: noTelemetry.tracing } });
  });
  afterAll(() => lectern.close());

  test.each(['application/json', 'application/graphql-response+json'])(
    'with Accept: %s, the gateway responds 200 and PersistedQueryNotFound to an unknown hash',
    async (accept) => {
      const response = await postHash(lectern, newQuery(), { headers: ['Accept', accept] });
      expect([response.status, response.json()]).toEqual([200, notFound]);
    },
  );

  test('the gateway executes a query by its hash, with variables and operation name, once the client has sent both', async () => {
    const query =
      'query A($verse: Int!) { verse(book: "JHN", chapter: 11, verse: $verse) { text } } query B { books { name } }';
    const request = { operationName: 'A', variables: { verse: 35 }, extensions: persisted(hashOf(query)) };
    expect((await post(lectern, request)).json()).toEqual(notFound);
    expect((await post(lectern, { ...request, query })).json()).toEqual(jesusWept);
    const response = await post(lectern, { ...request, query: null });
    expect([response.status, response.json()]).toEqual([200, jesusWept]);
  });

  test.each<[string, unknown, RegExp]>([
    ['a hash of 63 digits', persisted('a'.repeat(63)), /64 hexadecimal digits in lower case/],
    ['a hash in upper case', persisted('A'.repeat(64)), /64 hexadecimal digits in lower case/],
    ['an empty hash', persisted(''), /64 hexadecimal digits in lower case/],
    ['a hash of 90,000 characters', persisted('a'.repeat(90_000)), /64 hexadecimal digits in lower case/],
    ['a hash in Greek', persisted('λ'.repeat(64)), /64 hexadecimal digits in lower case/],
    ['a number as the hash', persisted(5), /sha256Hash" must be a string/],
    ['a list as the hash', persisted(['a'.repeat(64)]), /sha256Hash" must be a string/],
    ['no hash', { persistedQuery: { version: 1 } }, /sha256Hash" must be a string/],
    ['persistedQuery version 2', persisted('a'.repeat(64), 2), /Unsupported persisted query version: send version 1/],
    ['persistedQuery version "1", a string', persisted('a'.repeat(64), '1'), /Unsupported persisted query version/],
    ['a string as persistedQuery', { persistedQuery: 'a'.repeat(64) }, /persistedQuery" must be an object/],
  ])(
    'the gateway responds 400 to a request without a query if its extensions have %s',
    async (_, extensions, message) => {
      const response = await post(lectern, { extensions });
      expect([response.status, response.json()]).toMatchObject([
        400,
        { errors: [{ message: expect.stringMatching(message) as string, extensions: { code: 'BAD_REQUEST' } }] },
      ]);
    },
  );

  test('the gateway responds 400 to a query with a wrong SHA-256 hash, and stores no query for this hash', async () => {
    const [query, another] = [newQuery(), newQuery()];
    for (const sha256Hash of [hashOf(another), hashOf(query).toUpperCase(), hashOf(query).slice(1)]) {
      const response = await post(lectern, { query, extensions: persisted(sha256Hash) });
      expect([response.status, response.json()]).toEqual([
        400,
        { errors: [{ message: 'provided sha does not match query', extensions: { code: 'BAD_REQUEST' } }] },
      ]);
    }
    expect((await postHash(lectern, query)).json()).toEqual(notFound);
    expect((await postHash(lectern, another)).json()).toEqual(notFound);
  });

  test.each([
    ['has a syntax error', '{ verse('],
    ['selects an unknown field', '{ nowhere }'],
    ['is too deep', `{ __schema { types { fields { type { ${'ofType { '.repeat(12)}name${' }'.repeat(17)}`],
    [
      'costs too much',
      `{ ${Array.from({ length: 61 }, (_, index) => `p${index}: passage(reference: "John 1") { verses { bookId verse text } }`).join(' ')} }`,
    ],
  ])('the gateway stores no query for its hash if the query %s', async (_, query) => {
    expect(await register(lectern, query).then((response) => response.json())).toHaveProperty('errors');
    expect((await postHash(lectern, query)).json()).toEqual(notFound);
  });

  test('the gateway stores no query for its hash if the request has no valid API key', async () => {
    const query = newQuery();
    expect((await register(lectern, query, { token: `svc_test_${'a'.repeat(49)}` })).status).toBe(401);
    expect((await postHash(lectern, query)).json()).toEqual(notFound);
  });

  test('a key cannot execute the persisted query of another key by its hash', async () => {
    const query = newQuery();
    expect((await register(lectern, query)).json()).toEqual(jesusWept);
    const { token } = await issueKey(lectern.keys, { email: 'other@example.org' });
    expect((await postHash(lectern, query, { token })).json()).toEqual(notFound);
    expect((await postHash(lectern, query)).json()).toEqual(jesusWept);
  });

  test('the gateway ignores persistedQuery: null and unknown members of extensions', async () => {
    for (const extensions of [{ persistedQuery: null }, { clientLibrary: { name: 'x', version: '1' } }])
      expect((await post(lectern, { query: newQuery(), extensions })).json()).toEqual(jesusWept);
  });

  test('the metric lectern_persisted_queries_total counts found hashes, unknown hashes and stored queries separately', async () => {
    const counts = async () => {
      const text = await metrics.text();
      return ['hit', 'miss', 'registered'].map((result) =>
        metricValue(text, 'lectern_persisted_queries_total', `result="${result}"`),
      );
    };
    const [hits = 0, misses = 0, registered = 0] = await counts();
    const query = newQuery();
    await postHash(lectern, query);
    await register(lectern, query);
    await postHash(lectern, query);
    await postHash(lectern, query);
    expect(await counts()).toEqual([hits + 2, misses + 1, registered + 1]);
  });
});

test('a key that stores many persisted queries evicts no query of another key, even if the memory is full', async () => {
  const lectern = await startEmbeddedLectern({ persistedQueries: { maxBytes: 100_000, maxSeconds: 300 } });
  try {
    // The 21 queries take 4.5 kB each, 94.5 kB of the 100 kB. The queries of one key may take at
    // most a sixteenth, 6.25 kB.
    const stored = await Promise.all(
      Array.from({ length: 21 }, async (_, index) => ({
        token: (await issueKey(lectern.keys, { email: `reader-${index}@example.org` })).token,
        query: `${newQuery()} #`.padEnd(2_000, 'x'),
      })),
    );
    for (const { token, query } of stored) await register(lectern, query, { token });
    const many = Array.from({ length: 80 }, newQuery);
    for (const query of many) await register(lectern, query);
    for (const { token, query } of stored)
      expect((await postHash(lectern, query, { token })).json()).toEqual(jesusWept);
    expect((await postHash(lectern, many[0] ?? '')).json()).toEqual(notFound);
    expect((await postHash(lectern, many.at(-1) ?? '')).json()).toEqual(jesusWept);
  } finally {
    await lectern.close();
  }
});

test('a request with an unknown hash of a query does not count against the quota of the key', async () => {
  const lectern = await startEmbeddedLectern({
    rates: { perMinute: 0, keyPerMinute: 0, perDay: 2, keyRequestsPerHour: 0 },
  });
  try {
    const query = newQuery();
    for (let time = 0; time < 3; time += 1) expect((await postHash(lectern, query)).json()).toEqual(notFound);
    expect((await register(lectern, query)).status).toBe(200);
    expect((await postHash(lectern, query)).json()).toEqual(jesusWept);
    expect((await postHash(lectern, query)).status).toBe(429);
  } finally {
    await lectern.close();
  }
});

test.each([
  { maxBytes: 0, maxSeconds: 300 },
  { maxBytes: 1_000_000, maxSeconds: 0 },
])(
  'persisted queries turned off by %j get PersistedQueryNotSupported for a hash, and queries without one are executed',
  async (persistedQueries) => {
    const lectern = await startEmbeddedLectern({ persistedQueries });
    try {
      const query = newQuery();
      for (const response of [await postHash(lectern, query), await register(lectern, query)])
        expect([response.status, response.json()]).toEqual([
          200,
          {
            errors: [{ message: 'PersistedQueryNotSupported', extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' } }],
          },
        ]);
      expect((await post(lectern, { query })).json()).toEqual(jesusWept);
    } finally {
      await lectern.close();
    }
  },
);
