import { connect } from 'node:net';
import { graphqlHeaders, send } from '@lectern/testing';
import type { EmbeddedLectern } from '../support/embedded-lectern';
import { startEmbeddedLectern } from '../support/embedded-lectern';

let lectern: EmbeddedLectern;
beforeAll(async () => {
  lectern = await startEmbeddedLectern();
});
afterAll(() => lectern.close());

const verseQuery = JSON.stringify({ query: '{ verse(book: "JHN", chapter: 11, verse: 35) { text } }' });
const good = () => graphqlHeaders(lectern.token);
const post = (headers: readonly string[], body: string | Buffer = verseQuery) => send(lectern.url, { headers, body });
const message = (text: string) => (JSON.parse(text) as { errors: { message: string }[] }).errors[0]?.message;
const code = (text: string) =>
  (JSON.parse(text) as { errors: { extensions: { code: string } }[] }).errors[0]?.extensions.code;

describe('a request with a good key', () => {
  test('answers with the shortest verse of the King James and of the World English Bible', async () => {
    expect(
      await lectern.client(
        '{ web: verse(book: "John", chapter: 11, verse: 35) { text } kjv: verse(book: "John", chapter: 11, verse: 35, translation: "eng-kjv") { text } }',
      ),
    ).toEqual({ data: { web: { text: 'Jesus wept.' }, kjv: { text: 'Jesus wept.' } } });
  });

  test('is answered as application/json where the client does not say what it takes', async () => {
    const received = await post(good());
    expect([received.status, received.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
  });
});

describe('every request without a good key is the same 401', () => {
  const expected = '{"errors":[{"message":"Invalid or missing API key","extensions":{"code":"UNAUTHENTICATED"}}]}';
  const json = ['Content-Type', 'application/json'];
  const bearer = (value: string) => ['Authorization', value, ...json];

  const bad: [string, (token: string) => { path?: string; method?: string; headers: string[] }][] = [
    ['no header', () => ({ headers: json })],
    ['an empty header', () => ({ headers: bearer('') })],
    ['another scheme', (token) => ({ headers: bearer(`Basic ${token}`) })],
    ['the scheme in small letters', (token) => ({ headers: bearer(`bearer ${token}`) })],
    ['two blanks', (token) => ({ headers: bearer(`Bearer  ${token}`) })],
    ['a tab for the blank', (token) => ({ headers: bearer(`Bearer\t${token}`) })],
    ['something behind the token', (token) => ({ headers: bearer(`Bearer ${token} x`) })],
    ['the token alone', (token) => ({ headers: bearer(token) })],
    [
      'two headers, the first of them good',
      (token) => ({ headers: ['Authorization', `Bearer ${token}`, ...bearer('Bearer x')] }),
    ],
    [
      'the same good header twice',
      (token) => ({ headers: ['Authorization', `Bearer ${token}`, ...bearer(`Bearer ${token}`)] }),
    ],
    ['the token in the query string', (token) => ({ path: `?api_key=${token}`, headers: json })],
    ['the token in a cookie', (token) => ({ headers: ['Cookie', `api_key=${token}`, ...json] })],
    [
      'one character changed',
      (token) => ({ headers: bearer(`Bearer ${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`) }),
    ],
    [
      'the other prefix on a known token',
      (token) => ({ headers: bearer(`Bearer ${token.replace('svc_test_', 'svc_live_')}`) }),
    ],
    ['a forged live token', () => ({ headers: bearer(`Bearer svc_live_${'a'.repeat(49)}`) })],
    ['a very long token', () => ({ headers: bearer(`Bearer svc_test_${'a'.repeat(8_000)}`) })],
    ['GET', () => ({ method: 'GET', headers: [] })],
    ['DELETE', () => ({ method: 'DELETE', headers: [] })],
  ];

  test.each(bad)('%s', async (_, make) => {
    const { path = '', method = 'POST', headers } = make(lectern.token);
    const received = await send(lectern.url + path, {
      method,
      headers,
      ...(method === 'POST' && { body: verseQuery }),
    });
    expect(received).toMatchObject({
      status: 401,
      text: expected,
      headers: { 'content-type': 'application/json', 'www-authenticate': 'Bearer' },
    });
  });

  test('a body that is no JSON, far too long, or a batch changes nothing', async () => {
    for (const body of ['{', '[]', 'x'.repeat(300_000)]) {
      expect(await send(lectern.url, { headers: json, body })).toMatchObject({ status: 401, text: expected });
    }
  });

  test('it comes before a byte of the body was sent', async () => {
    const answer = await raw(
      'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50000\r\n\r\n',
    );
    expect(answer).toContain('HTTP/1.1 401');
  });

  test('a client that waits for "100 Continue" is refused without it', async () => {
    const answer = await raw(
      'POST /graphql HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n',
    );
    expect(answer).toMatch(/^HTTP\/1\.1 401/);
  });
});

describe('the checks after the key, in their order', () => {
  test('a path that is not there is 404, with or without a key', async () => {
    for (const path of ['/nowhere', '/graphql/', '/GraphQL', '/admin', '/graphql.html']) {
      const received = await send(lectern.origin + path, { method: 'GET' });
      expect([received.status, code(received.text)]).toEqual([404, 'UNKNOWN_PATH']);
    }
  });

  test.each(['GET', 'PUT', 'DELETE', 'PATCH'])('%s is 405 and says what is allowed', async (method) => {
    const received = await send(lectern.url, { method, headers: good() });
    expect([received.status, received.headers.allow, code(received.text)]).toEqual([
      405,
      'POST, OPTIONS',
      'METHOD_NOT_ALLOWED',
    ]);
  });

  test('a declared length above the bound is 413 before the body is read', async () => {
    const answer = await raw(
      `POST /graphql HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${lectern.token}\r\nContent-Length: 100001\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 413/);
  });

  test('a body that grows above the bound without declaring it is 413', async () => {
    const received = await send(lectern.url, {
      headers: [...good(), 'Transfer-Encoding', 'chunked'],
      body: JSON.stringify({ query: `{ books { name } } #${'x'.repeat(200_000)}` }),
    });
    expect([received.status, code(received.text)]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  test('a body of exactly the bound passes', async () => {
    const query = '{ books { bookId } } #';
    const rest = 100_000 - JSON.stringify({ query }).length;
    expect((await post(good(), JSON.stringify({ query: query + 'x'.repeat(rest) }))).status).toBe(200);
  });

  test.each([
    ['no content type', []],
    ['a form', ['Content-Type', 'application/x-www-form-urlencoded']],
    ['GraphQL as text', ['Content-Type', 'application/graphql']],
    ['another charset', ['Content-Type', 'application/json; charset=latin1']],
    ['a compressed body', ['Content-Type', 'application/json', 'Content-Encoding', 'gzip']],
  ])('%s is 415', async (_, headers) => {
    const received = await post(['Authorization', `Bearer ${lectern.token}`, ...headers]);
    expect([received.status, code(received.text)]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  test.each(['text/html', 'application/xml', 'application/json;q=0'])('Accept: %s is 406', async (accept) => {
    const received = await post([...good(), 'Accept', accept]);
    expect([received.status, code(received.text)]).toEqual([406, 'NOT_ACCEPTABLE']);
  });

  test.each([
    ['half a document', '{"query": "{ books'],
    ['nothing', ''],
    ['a string', '"{ books { name } }"'],
    ['null', 'null'],
    ['an object without query', '{"variables": {}}'],
    ['a query that is a number', '{"query": 1}'],
    ['variables that are a list', '{"query": "{ books { name } }", "variables": []}'],
    ['variables that are a string', '{"query": "{ books { name } }", "variables": "{}"}'],
    ['an operation name that is a number', '{"query": "{ books { name } }", "operationName": 1}'],
    ['a batch', '[{"query": "{ books { name } }"}]'],
    ['an empty batch', '[]'],
  ])('a body that is %s is 400', async (_, body) => {
    const received = await post(good(), body);
    expect([received.status, code(received.text), received.headers['content-type']]).toEqual([
      400,
      'BAD_REQUEST',
      'application/json',
    ]);
  });

  test('a body that is not UTF-8 is 400', async () => {
    expect((await post(good(), Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]))).status).toBe(400);
  });

  test('variables, operationName and extensions may be null or absent', async () => {
    for (const rest of [
      {},
      { variables: null, operationName: null, extensions: null },
      { variables: {}, extensions: {} },
    ]) {
      const received = await post(
        good(),
        JSON.stringify({ query: '{ translation(identifier: "eng-kjv") { abbrev } }', ...rest }),
      );
      expect(received.json()).toEqual({ data: { translation: { abbrev: 'KJV' } } });
    }
  });

  test('each refusal of a request is JSON with one error, whatever was asked for', async () => {
    const received = await send(lectern.url, { method: 'GET', headers: [...good(), 'Accept', 'text/html'] });
    expect([received.headers['content-type'], message(received.text)]).toEqual([
      'application/json',
      'Send GraphQL requests with POST.',
    ]);
  });
});

describe('GraphQL errors and the status they come with', () => {
  const graphqlJson = ['Accept', 'application/graphql-response+json'];
  const cases: [string, object, string][] = [
    ['a syntax error', { query: '{' }, 'GRAPHQL_PARSE_FAILED'],
    ['an empty document', { query: '' }, 'GRAPHQL_PARSE_FAILED'],
    ['an unknown field', { query: '{ nope }' }, 'GRAPHQL_VALIDATION_FAILED'],
    [
      'a variable of the wrong type',
      { query: 'query ($v: Int!) { verse(book: "JHN", chapter: 3, verse: $v) { text } }', variables: { v: 'sixteen' } },
      'BAD_USER_INPUT',
    ],
    [
      'a variable that is missing',
      { query: 'query ($v: Int!) { verse(book: "JHN", chapter: 3, verse: $v) { text } }' },
      'BAD_USER_INPUT',
    ],
    [
      'several operations without a name',
      { query: 'query A { books { name } } query B { books { name } }' },
      'OPERATION_RESOLUTION_FAILURE',
    ],
    [
      'an operation that is not there',
      { query: 'query A { books { name } }', operationName: 'B' },
      'OPERATION_RESOLUTION_FAILURE',
    ],
    ['fragments alone', { query: 'fragment F on Book { name }' }, 'GRAPHQL_VALIDATION_FAILED'],
    ['a subscription', { query: 'subscription { books { name } }' }, 'OPERATION_RESOLUTION_FAILURE'],
  ];

  test.each(cases)(
    '%s is 200 under application/json, 400 under application/graphql-response+json',
    async (_, body, expected) => {
      const plain = await post(good(), JSON.stringify(body));
      const modern = await post([...good(), ...graphqlJson], JSON.stringify(body));
      expect([plain.status, modern.status, code(plain.text)]).toEqual([200, 400, expected]);
      expect(modern.text).toBe(plain.text);
      expect(modern.headers['content-type']).toBe('application/graphql-response+json; charset=utf-8');
      expect(plain.json()).not.toHaveProperty('data');
    },
  );

  test('an error of a field is 200 under both, with data, path and code', async () => {
    for (const headers of [good(), [...good(), ...graphqlJson]]) {
      const received = await post(
        headers,
        JSON.stringify({ query: '{ a: verse(book: "JHN", chapter: 3, verse: 999) { text } books { position } }' }),
      );
      expect(received.status).toBe(200);
      expect(received.json()).toMatchObject({
        data: { a: null },
        errors: [{ message: "Verse 'JHN 3:999' not found", path: ['a'], extensions: { code: 'NOT_FOUND' } }],
      });
    }
  });

  test('the media type that is preferred wins, and */* is plain JSON', async () => {
    const type = async (accept: string) =>
      (await post([...good(), 'Accept', accept])).headers['content-type']?.split(';')[0];
    expect(await type('*/*')).toBe('application/json');
    expect(await type('application/json;q=0.5, application/graphql-response+json')).toBe(
      'application/graphql-response+json',
    );
    expect(await type('application/graphql-response+json;q=0.1, application/json')).toBe('application/json');
    expect(await type('application/graphql-response+json; charset=utf-8')).toBe('application/graphql-response+json');
    expect(await type('text/html, application/*;q=0.2')).toBe('application/json');
  });

  test('of 300 unknown fields exactly 100 are reported', async () => {
    const { errors } = await lectern.client(`{ ${Array.from({ length: 300 }, (_, index) => `f${index}`).join(' ')} }`);
    expect(errors).toHaveLength(100);
    expect(errors?.at(-1)?.message).toContain('f99');
  });

  test('the answer never shows the plan, whatever header asks for it', async () => {
    const received = await post(
      [...good(), 'Apollo-Query-Plan-Experimental', 'true'],
      JSON.stringify({
        query: '{ search(query: "wept", limit: 1) { inTranslation(identifier: "eng-kjv") { text } } }',
      }),
    );
    expect(Object.keys(received.json() as object)).toEqual(['data']);
  });
});

describe('CORS', () => {
  const origin = ['Origin', 'https://reader.example'];

  test('a preflight is 204 without a key', async () => {
    const received = await send(lectern.url, {
      method: 'OPTIONS',
      headers: [
        ...origin,
        'Access-Control-Request-Method',
        'POST',
        'Access-Control-Request-Headers',
        'authorization,content-type',
      ],
    });
    expect(received).toMatchObject({
      status: 204,
      text: '',
      headers: { 'access-control-allow-origin': '*', 'access-control-allow-methods': 'POST, OPTIONS' },
    });
    expect(received.headers['access-control-allow-headers']?.toLowerCase()).toContain('authorization');
  });

  test('answers and refusals alike can be read by a page', async () => {
    const answers = [
      await post([...good(), ...origin]),
      await post(origin),
      await send(lectern.url, { method: 'GET', headers: [...good(), ...origin] }),
    ];
    expect(answers.map((each) => each.status)).toEqual([200, 401, 405]);
    for (const { headers } of answers) {
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers['access-control-expose-headers']).toContain('Retry-After');
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
    }
  });

  test('CORS_ORIGINS narrows it, and caches are told that the answer depends on the origin', async () => {
    const narrow = await startEmbeddedLectern({ corsOrigins: 'https://reader.example, https://other.example' });
    const from = async (value: string) =>
      (await send(narrow.url, { method: 'OPTIONS', headers: ['Origin', value] })).headers;
    expect(await from('https://reader.example')).toMatchObject({
      'access-control-allow-origin': 'https://reader.example',
      vary: 'Origin',
    });
    expect(await from('https://evil.example')).not.toHaveProperty('access-control-allow-origin');
    await narrow.close();
  });
});

test('a request target may be a whole URL', async () => {
  const answer = await raw(`POST ${lectern.url}?x=1 HTTP/1.1\r\nHost: x\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 401/);
});

test('a second Authorization behind two thousand other headers is seen', async () => {
  const many = Array.from({ length: 2_100 }, () => 'a:\r\n').join('');
  const answer = await raw(
    `POST /graphql HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${lectern.token}\r\n${many}Authorization: Bearer x\r\n\r\n`,
  );
  expect(answer).toMatch(/^HTTP\/1\.1 401/);
});

describe('what is not even HTTP', () => {
  test.each([
    ['garbage', 'hello\r\n\r\n', 400],
    ['headers of 40 kB', `POST /graphql HTTP/1.1\r\nHost: x\r\nX: ${'y'.repeat(40_000)}\r\n\r\n`, 431],
    ['a request without a host', 'POST /graphql HTTP/1.1\r\n\r\n', 400],
    ['a tunnel', 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n', 400],
    ['two lengths', 'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
  ])('%s is answered with JSON', async (_, bytes, status) => {
    const answer = await raw(bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status}`));
    expect(answer).toContain('{"errors":[{"message":');
  });
});

test('health and readiness need no key', async () => {
  expect(await send(`${lectern.origin}/health`, { method: 'GET' })).toMatchObject({
    status: 200,
    text: '{"status":"ok"}',
  });
  expect(await send(`${lectern.origin}/ready`, { method: 'GET' })).toMatchObject({
    status: 200,
    text: '{"status":"ready"}',
  });
});

/** Sends bytes as they are and gives back the first bytes that come. */
function raw(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(lectern.url);
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setTimeout(3_000, () => socket.destroy(new Error('nothing came')));
    socket.once('data', (chunk) => {
      resolve(chunk.toString('utf8'));
      socket.destroy();
    });
    socket.once('error', reject);
  });
}
