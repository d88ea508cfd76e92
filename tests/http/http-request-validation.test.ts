import { graphqlHeaders, send, useStarted } from '@lectern/testing';
import { startEmbeddedLectern } from '../support/embedded-lectern';
import { sendRaw } from '../support/raw-request';

const lectern = useStarted(startEmbeddedLectern);

const verseQuery = JSON.stringify({ query: '{ verse(book: "JHN", chapter: 11, verse: 35) { text } }' });
const validHeaders = () => graphqlHeaders(lectern.token);
const post = (headers: readonly string[], body: string | Buffer = verseQuery) => send(lectern.url, { headers, body });
const errorMessage = (text: string) => (JSON.parse(text) as { errors: { message: string }[] }).errors[0]?.message;
const errorCode = (text: string) =>
  (JSON.parse(text) as { errors: { extensions: { code: string } }[] }).errors[0]?.extensions.code;

describe('the method, the headers and the body of a request with a valid key', () => {
  test.each(['GET', 'PUT', 'DELETE', 'PATCH'])(
    'the path /graphql responds 405 with the header Allow to the method %s',
    async (method) => {
      const response = await send(lectern.url, { method, headers: validHeaders() });
      expect([response.status, response.headers.allow, errorCode(response.text)]).toEqual([
        405,
        'POST, OPTIONS',
        'METHOD_NOT_ALLOWED',
      ]);
    },
  );

  test('POST /graphql responds 413 to a Content-Length above 100,000 bytes before it reads the body', async () => {
    const response = await sendRaw(
      lectern.url,
      `POST /graphql HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${lectern.token}\r\nContent-Length: 100001\r\n\r\n`,
    );
    expect(response).toMatch(/^HTTP\/1\.1 413/);
  });

  test('POST /graphql responds 413 to a chunked body of more than 100,000 bytes', async () => {
    const response = await send(lectern.url, {
      headers: [...validHeaders(), 'Transfer-Encoding', 'chunked'],
      body: JSON.stringify({ query: `{ books { name } } #${'x'.repeat(200_000)}` }),
    });
    expect([response.status, errorCode(response.text)]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  test('POST /graphql accepts a body of exactly 100,000 bytes', async () => {
    const query = '{ books { bookId } } #';
    const rest = 100_000 - JSON.stringify({ query }).length;
    expect((await post(validHeaders(), JSON.stringify({ query: query + 'x'.repeat(rest) }))).status).toBe(200);
  });

  test.each([
    ['no content type', []],
    ['the content type of an HTML form', ['Content-Type', 'application/x-www-form-urlencoded']],
    ['the content type application/graphql', ['Content-Type', 'application/graphql']],
    ['the charset latin1', ['Content-Type', 'application/json; charset=latin1']],
    ['Content-Encoding: gzip', ['Content-Type', 'application/json', 'Content-Encoding', 'gzip']],
  ])('POST /graphql responds 415 to a request with %s', async (_, headers) => {
    const response = await post(['Authorization', `Bearer ${lectern.token}`, ...headers]);
    expect([response.status, errorCode(response.text)]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  test.each(['text/html', 'application/xml', 'application/json;q=0'])(
    'POST /graphql responds 406 to Accept: %s',
    async (accept) => {
      const response = await post([...validHeaders(), 'Accept', accept]);
      expect([response.status, errorCode(response.text)]).toEqual([406, 'NOT_ACCEPTABLE']);
    },
  );

  test.each([
    ['half of a JSON document', '{"query": "{ books'],
    ['an empty body', ''],
    ['a JSON string as the body', '"{ books { name } }"'],
    ['null as the body', 'null'],
    ['an object without query', '{"variables": {}}'],
    ['a query that is a number', '{"query": 1}'],
    ['variables that are a list', '{"query": "{ books { name } }", "variables": []}'],
    ['variables that are a string', '{"query": "{ books { name } }", "variables": "{}"}'],
    ['an operation name that is a number', '{"query": "{ books { name } }", "operationName": 1}'],
    ['a batch', '[{"query": "{ books { name } }"}]'],
    ['an empty batch', '[]'],
  ])('POST /graphql responds 400 to %s', async (_, body) => {
    const response = await post(validHeaders(), body);
    expect([response.status, errorCode(response.text), response.headers['content-type']]).toEqual([
      400,
      'BAD_REQUEST',
      'application/json',
    ]);
  });

  test('POST /graphql responds 400 to a body that is not UTF-8', async () => {
    expect((await post(validHeaders(), Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]))).status).toBe(400);
  });

  test('POST /graphql accepts a request in which variables, operationName and extensions are null or missing', async () => {
    for (const rest of [
      {},
      { variables: null, operationName: null, extensions: null },
      { variables: {}, extensions: {} },
    ]) {
      const response = await post(
        validHeaders(),
        JSON.stringify({ query: '{ translation(identifier: "eng-kjv") { abbrev } }', ...rest }),
      );
      expect(response.json()).toEqual({ data: { translation: { abbrev: 'KJV' } } });
    }
  });

  test('GET /graphql with Accept: text/html responds with an error as application/json that says to use POST', async () => {
    const response = await send(lectern.url, { method: 'GET', headers: [...validHeaders(), 'Accept', 'text/html'] });
    expect([response.headers['content-type'], errorMessage(response.text)]).toEqual([
      'application/json',
      expect.stringMatching(/^Send GraphQL requests with POST\..*in urql, set preferGetMethod: false\.$/),
    ]);
  });
});

test('a POST whose request line has the absolute URL of /graphql reaches /graphql, which responds 401 without an API key', async () => {
  const response = await sendRaw(lectern.url, `POST ${lectern.url}?x=1 HTTP/1.1\r\nHost: x\r\n\r\n`);
  expect(response).toMatch(/^HTTP\/1\.1 401/);
});

describe('requests for /health and /ready', () => {
  test.each(['/health', '/ready'])(
    'the server responds to GET %s with 15,900 question marks with the status 414 and a JSON error',
    async (path) => {
      const { status, text } = await send(`${lectern.origin}${path}?${'?'.repeat(15_900)}`, { method: 'GET' });
      expect([status, errorCode(text)]).toEqual([414, 'URI_TOO_LONG']);
    },
  );

  test('the supergraph is in the response to GET /ready only if the query of the request has verbose', async () => {
    const members = async (query: string) =>
      Object.keys((await send(`${lectern.origin}/ready${query}`, { method: 'GET' })).json() as object);
    for (const query of ['?verbose', '?a&verbose=1']) expect(await members(query)).toContain('supergraph');
    for (const query of ['', '?', '?averbose', `?${'?'.repeat(1_900)}`])
      expect(await members(query)).not.toContain('supergraph');
  });
});

describe('malformed and unusual HTTP', () => {
  test.each([
    ['text that is not HTTP', 400, 'hello\r\n\r\n'],
    ['headers of 40 kB', 431, `POST /graphql HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`],
    ['a request without a Host header', 400, 'POST /graphql HTTP/1.1\r\n\r\n'],
    ['a CONNECT request', 400, 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['two Host headers', 400, 'GET /health HTTP/1.1\r\nHost: x\r\nHost: x\r\n\r\n'],
    ['two Host headers of HTTP/1.0', 400, 'GET /health HTTP/1.0\r\nhost: x\r\nHOST: y\r\n\r\n'],
    ['a preflight with two Host headers', 400, 'OPTIONS /graphql HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n'],
    ['a Host header with a path', 400, 'GET /health HTTP/1.1\r\nHost: x/y\r\n\r\n'],
    ['a Host header with a user', 400, 'GET /health HTTP/1.1\r\nHost: x@y\r\n\r\n'],
    ['a request line without a version', 400, 'GET /health\r\n\r\n'],
    ['a request line of HTTP/0.9', 400, 'GET /health HTTP/0.9\r\nHost: x\r\n\r\n'],
    ['a request line of HTTP/2.0', 400, 'GET /health HTTP/2.0\r\nHost: x\r\n\r\n'],
    [
      'two Content-Length headers',
      400,
      'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    ],
  ])('the server responds to %s with the status %i and a JSON error', async (_, status, bytes) => {
    const response = await sendRaw(lectern.url, bytes);
    expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${status}`));
    expect(response).toContain('{"errors":[{"message":');
  });

  test.each([
    ['HTTP/1.0 and no Host header', 'GET /health HTTP/1.0\r\n\r\n'],
    ['an empty Host header', 'GET /health HTTP/1.1\r\nHost:\r\n\r\n'],
    ['an IPv6 address and a port in the Host header', 'GET /health HTTP/1.1\r\nHost: [::1]:4000\r\n\r\n'],
  ])('the server responds 200 to a request with %s', async (_, bytes) => {
    expect(await sendRaw(lectern.url, bytes)).toMatch(/^HTTP\/1\.1 200/);
  });
});
