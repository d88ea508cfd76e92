import { request } from 'node:http';
import type { HttpResponse } from '@lectern/testing';
import { graphqlHeaders, send } from '@lectern/testing';
import type { EmbeddedLectern } from '../support/embedded-lectern';
import { issueKey, startEmbeddedLectern } from '../support/embedded-lectern';
import { books, hashOf, jesusWept, persistedQuery, post, verse, withVariable } from './operations-and-responses';
import { apolloManifest, removeManifests, writeManifest } from './write-manifest';

const random = { id: 'random', name: 'Random', body: 'query Random { randomVerse { id } }' };
const long = { id: 'long', name: 'Long', body: 'query Long { chapter(book: "PSA", chapter: 119) { text } }' };
const text = { id: 'text', name: 'Text', body: 'query Text($text: String!) { references(text: $text) { reference } }' };
const missing = { id: 'missing', name: 'Missing', body: '{ verse(book: "JHN", chapter: 1, verse: 999) { text } }' };

let lectern: EmbeddedLectern;
beforeAll(async () => {
  const location = writeManifest(apolloManifest([verse, withVariable, random, long, text, missing]));
  lectern = await startEmbeddedLectern({
    trustedDocuments: { location, pollMs: 0, isOnly: false },
    documentGet: { caches: 'private', maxSeconds: 60 },
    rates: { perMinute: 0, keyPerMinute: 0, perDay: 10_000, keyRequestsPerHour: 0 },
  });
});
afterAll(async () => {
  await lectern.close();
  removeManifests();
});

interface GetOptions {
  readonly headers?: readonly string[];
  readonly method?: string;
  readonly token?: string;
  readonly of?: Pick<EmbeddedLectern, 'origin' | 'token'>;
}

const read = (path: string, { headers = [], method = 'GET', of = lectern, token = of.token }: GetOptions = {}) =>
  send(`${of.origin}/documents/${path}`, { method, headers: ['Authorization', `Bearer ${token}`, ...headers] });
const variables = (value: unknown) => `variables=${encodeURIComponent(JSON.stringify(value))}`;
const john = `verse-of-john?${variables({ verse: 35 })}`;
const codeOf = (response: HttpResponse) =>
  (response.json() as { errors: { extensions: { code: string } }[] }).errors[0]?.extensions.code;

test.each<[string, string]>([
  ['its own id, with variables', john],
  ['the hash of its text', hashOf(verse.body)],
  ['the hash of its text with the prefix sha256:', `sha256:${hashOf(verse.body)}`],
  [
    'its percent-encoded id, with operationName',
    `verse%2Dof%2Djohn?operationName=VerseOfJohn&${variables({ verse: 35 })}`,
  ],
])('GET /documents/ID serves a trusted document by %s', async (_, path) => {
  const response = await read(path);
  expect([response.status, response.json()]).toEqual([200, jesusWept]);
});

test('GET /documents/ID serves a persisted query to the key that has sent it, and 404 to other keys', async () => {
  await post(lectern, lectern.token, { query: books.body, ...persistedQuery(hashOf(books.body)) });
  expect((await read(hashOf(books.body))).json()).toHaveProperty('data.books');
  const { token } = await issueKey(lectern.keys, { email: 'other@example.org' });
  const response = await read(hashOf(books.body), { token });
  expect([response.status, codeOf(response)]).toEqual([404, 'DOCUMENT_NOT_FOUND']);
});

test('a response to GET /documents/ID has an ETag, a private Cache-Control, and Vary with each header on which it depends', async () => {
  const { headers } = await read(john);
  expect(headers).toMatchObject({
    etag: expect.stringMatching(/^W\/"[\w-]{22}"$/),
    'cache-control': 'private, max-age=60',
  });
  expect(headers.vary?.split(', ').sort()).toEqual(['Accept', 'Accept-Encoding', 'Authorization', 'Lectern-Report']);
});

test('the ETag of a document depends on its variables, and is equal for each content coding', async () => {
  const etag = async (path: string, headers: readonly string[] = []) => (await read(path, { headers })).headers.etag;
  const first = await etag('long', ['Accept-Encoding', 'br']);
  expect(await etag('long')).toBe(first);
  expect(await etag(john)).not.toBe(await etag(`verse-of-john?${variables({ verse: 36 })}`));
});

test.each<[string, number, (etag: string) => string]>([
  ['the same ETag', 304, (etag) => etag],
  ['the same ETag as a strong one', 304, (etag) => etag.slice(2)],
  ['a list with the ETag', 304, (etag) => `"other", ${etag}`],
  ['an asterisk', 304, () => '*'],
  ['another ETag', 200, () => 'W/"other"'],
  ['a malformed ETag', 200, () => 'other'],
])('GET /documents/ID with %s in If-None-Match responds %i', async (_, status, ifNoneMatch) => {
  const { headers } = await read(john);
  const response = await read(john, { headers: ['If-None-Match', ifNoneMatch(headers.etag ?? '')] });
  expect([response.status, response.headers.etag]).toEqual([status, headers.etag]);
  expect(response.headers['cache-control']).toBe('private, max-age=60');
  expect(response.text).toBe(status === 304 ? '' : JSON.stringify(jesusWept));
});

test('HEAD /documents/ID has the headers of GET and no body', async () => {
  const { headers } = await read(john);
  const response = await read(john, { method: 'HEAD' });
  expect([response.status, response.text, response.headers.etag]).toEqual([200, '', headers.etag]);
  expect(response.headers['content-length']).toBe(headers['content-length']);
});

test.each<[string, string, number]>([
  ['a random verse', 'random', 200],
  ['a response with an error', 'missing', 200],
  ['an unknown id', 'nothing', 404],
  ['variables of a wrong type', `verse-of-john?${variables({ verse: 'x' })}`, 400],
  ['variables that are not JSON', 'verse-of-john?variables={verse:35}', 400],
])('no HTTP cache may keep the response to GET /documents/ID for %s', async (_, path, status) => {
  const { headers, ...response } = await read(path);
  expect([response.status, headers['cache-control'], headers.etag]).toEqual([status, 'no-store', undefined]);
});

test.each<[string, string]>([
  ['variables that are not JSON', 'verse-of-john?variables={verse:35}'],
  ['empty variables', 'verse-of-john?variables='],
  ['variables that are a list', 'verse-of-john?variables=[35]'],
  ['variables twice', `${john}&${variables({ verse: 36 })}`],
  ['a misspelt parameter', `verse-of-john?variable=${encodeURIComponent('{"verse":35}')}`],
  ['percent-encoding that is cut off', 'verse-of-john?variables=%7'],
  ['variables that are not UTF-8', 'verse-of-john?variables=%ff'],
  ['an id that is not UTF-8', '%ff'],
  ['no id', ''],
])('GET /documents/ID responds 400 to %s, with a message about the address', async (_, path) => {
  const response = await read(path);
  expect([response.status, codeOf(response)]).toEqual([400, 'BAD_REQUEST']);
  expect(response.text).toMatch(/\/documents\/ID|The parameter \\"variables\\"/);
});

test('GET /documents/ID responds 431 to 20 kB of variables, with a message that leads to POST /graphql', async () => {
  const response = await read(`text?${variables({ text: 'John 3:16 '.repeat(2_000) })}`);
  expect([response.status, codeOf(response)]).toEqual([431, 'HEADERS_TOO_LARGE']);
  expect(response.text).toContain('POST /graphql');
  const { length } = await read(`text?${variables({ text: 'John 3:16 '.repeat(700) })}`).then(({ text: body }) => body);
  expect(length).toBeGreaterThan(700);
});

test('a mutation that a key has persisted cannot be executed with GET /documents/ID', async () => {
  const mutation = 'mutation Test { testField }';
  expect((await post(lectern, lectern.token, { query: mutation, ...persistedQuery(hashOf(mutation)) })).status).toBe(
    200,
  );
  const response = await read(hashOf(mutation));
  expect([response.status, codeOf(response)]).toEqual([400, 'BAD_REQUEST']);
  expect(response.text).toContain('The document is a mutation: only queries can be read with GET.');
});

test.each(['POST', 'PUT', 'DELETE'])('%s /documents/ID responds 405 with Allow', async (method) => {
  const response = await read('verse-of-john', { method });
  expect([response.status, response.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
});

test('GET /documents/ID without a valid key responds 401, which no cache may keep', async () => {
  for (const token of ['svc_test_unknown', '']) {
    const response = await read(john, { token });
    expect([response.status, response.headers['cache-control']]).toEqual([401, 'no-store']);
    expect(response.headers['www-authenticate']).toBe('Bearer');
  }
});

test('a request with If-None-Match and without a key responds 401, never 304', async () => {
  const { headers } = await read(john);
  expect((await read(john, { token: 'x', headers: ['If-None-Match', headers.etag ?? '*'] })).status).toBe(401);
});

test('GET /documents/ID counts against the limit of the key in a day, also with the status 304', async () => {
  const { token } = await issueKey(lectern.keys, { email: 'counted@example.org' });
  const remaining = (response: HttpResponse) =>
    Number(/"key";r=(\d+)/.exec(String(response.headers['ratelimit']))?.[1]);
  const first = await read(john, { token });
  const second = await read(john, { token, headers: ['If-None-Match', first.headers.etag ?? ''] });
  expect([second.status, remaining(first) - remaining(second)]).toEqual([304, 1]);
});

test('with Lectern-Report: cost, GET /documents/ID reports the cost, and no HTTP cache may keep the response', async () => {
  const { headers, ...response } = await read(john, { headers: ['Lectern-Report', 'cost'] });
  expect(response.json()).toMatchObject({ ...jesusWept, extensions: { cost: { maxComplexity: 300 } } });
  expect([headers['cache-control'], headers.etag]).toEqual(['no-store', undefined]);
});

test('a key that is restricted to trusted documents gets 403 for the id of another document', async () => {
  const { token } = await issueKey(lectern.keys, { email: 'app@example.org', documents: 'trusted' });
  expect((await read(john, { token })).json()).toEqual(jesusWept);
  const response = await read(hashOf(books.body), { token });
  expect([response.status, codeOf(response)]).toEqual([403, 'QUERY_NOT_IN_SAFELIST']);
});

test('a preflight of /documents/ allows GET and If-None-Match, and pages may read the ETag', async () => {
  const { status, headers } = await read(john, { method: 'OPTIONS', headers: ['Origin', 'https://reader.example'] });
  expect([status, headers['access-control-allow-methods']]).toEqual([204, 'GET, HEAD, OPTIONS']);
  expect(headers['access-control-allow-headers']).toContain('If-None-Match');
  expect((await read(john)).headers['access-control-expose-headers']).toContain('ETag');
});

test('GET /documents/ID ignores the body of a request, and serves further requests on the connection', async () => {
  const statuses: (number | undefined)[] = [];
  for (let times = 0; times < 2; times += 1)
    await new Promise<void>((resolve, reject) => {
      const headers = { Authorization: `Bearer ${lectern.token}`, 'Content-Length': 4 };
      request(`${lectern.origin}/documents/${john}`, { method: 'GET', headers }, (response) => {
        statuses.push(response.statusCode);
        response.resume().once('end', resolve);
      })
        .once('error', reject)
        .end('body');
    });
  expect(statuses).toEqual([200, 200]);
});

describe('a gateway whose responses shared caches may keep', () => {
  let shared: EmbeddedLectern;
  beforeAll(async () => {
    const location = writeManifest(apolloManifest([verse]), 'shared.json');
    shared = await startEmbeddedLectern({
      trustedDocuments: { location, pollMs: 0, isOnly: false },
      documentGet: { caches: 'public', maxSeconds: 1_000_000 },
      forwardHeaders: ['x-tenant'],
      rates: { perMinute: 0, keyPerMinute: 0, perDay: 10_000, keyRequestsPerHour: 0 },
    });
  });
  afterAll(() => shared.close());

  test.each([200, 304])(
    'a public response %i has neither the limits of the key nor the id of its request',
    async (status) => {
      const first = await read(hashOf(verse.body), { of: shared });
      const etag = status === 304 ? (first.headers.etag ?? '') : 'W/"other"';
      const response = await read(hashOf(verse.body), { of: shared, headers: ['If-None-Match', etag] });
      expect([response.status, response.headers['cache-control']]).toEqual([status, expect.stringMatching(/^public/)]);
      for (const name of ['ratelimit', 'ratelimit-policy', 'x-request-id'])
        expect(response.headers).not.toHaveProperty(name);
      const rejected = await read('unknown', { of: shared });
      expect(rejected.headers).toMatchObject({ ratelimit: expect.any(String), 'x-request-id': expect.any(String) });
    },
  );

  test('a response is public, fresh for at most the day that subgraphs allow, and depends on no key', async () => {
    for (const _ of ['executed', 'cached']) {
      const { headers } = await read(hashOf(verse.body), { of: shared });
      const [, seconds] = /^public, max-age=(\d+)$/.exec(headers['cache-control'] ?? '') ?? [];
      expect(Number(seconds)).toBeGreaterThan(86_000);
      expect(Number(seconds)).toBeLessThanOrEqual(86_400);
      expect(headers.vary?.split(', ')).not.toContain('Authorization');
      expect(headers.vary?.split(', ')).toContain('x-tenant');
    }
  });
});

test('without the setting DOCUMENT_GET, GET /documents/ID is an unknown path', async () => {
  const plain = await startEmbeddedLectern();
  try {
    const response = await send(`${plain.origin}/documents/x`, { method: 'GET', headers: graphqlHeaders(plain.token) });
    expect([response.status, codeOf(response)]).toEqual([404, 'UNKNOWN_PATH']);
  } finally {
    await plain.close();
  }
});
