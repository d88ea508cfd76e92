import { join } from 'node:path';
import { openKeys } from '@lectern/keys';
import { send, useStarted, withFolder } from '@lectern/testing';
import { issueKey, pepper, startEmbeddedLectern } from '../support/embedded-lectern';
import { sendRaw } from '../support/raw-request';

const lectern = useStarted(startEmbeddedLectern);

/** Returns a key with a valid checksum that the key store of `lectern` does not have. */
async function issueInAnotherStore(): Promise<string> {
  let token = '';
  await withFolder(async (folder) => {
    const keys = openKeys({ file: join(folder, 'keys.sqlite'), pepper });
    ({ token } = await issueKey(keys));
    await keys.close();
  });
  return token;
}

const verseQuery = JSON.stringify({ query: '{ verse(book: "JHN", chapter: 11, verse: 35) { text } }' });

describe('requests without a valid key', () => {
  const expected = JSON.stringify({
    errors: [
      {
        message: 'Invalid or missing API key',
        extensions: {
          code: 'UNAUTHENTICATED',
          hint: 'Send the key in exactly this header: "Authorization: Bearer <API_KEY>". Other headers, other schemes, query parameters and cookies are not read.',
        },
      },
    ],
  });
  const json = ['Content-Type', 'application/json'];
  const bearer = (value: string) => ['Authorization', value, ...json];

  const invalid: [string, (token: string) => { path?: string; method?: string; headers: string[] }][] = [
    ['no Authorization header', () => ({ headers: json })],
    ['an empty Authorization header', () => ({ headers: bearer('') })],
    ['the scheme Basic', (token) => ({ headers: bearer(`Basic ${token}`) })],
    ['the scheme in lower case', (token) => ({ headers: bearer(`bearer ${token}`) })],
    ['two spaces after the scheme', (token) => ({ headers: bearer(`Bearer  ${token}`) })],
    ['a tab after the scheme', (token) => ({ headers: bearer(`Bearer\t${token}`) })],
    ['text after the token', (token) => ({ headers: bearer(`Bearer ${token} x`) })],
    ['the token without a scheme', (token) => ({ headers: bearer(token) })],
    [
      'two Authorization headers, of which the first is valid',
      (token) => ({ headers: ['Authorization', `Bearer ${token}`, ...bearer('Bearer x')] }),
    ],
    [
      'the same valid Authorization header twice',
      (token) => ({ headers: ['Authorization', `Bearer ${token}`, ...bearer(`Bearer ${token}`)] }),
    ],
    ['the token in the query string', (token) => ({ path: `?api_key=${token}`, headers: json })],
    ['the token in the header X-API-Key', (token) => ({ headers: ['X-API-Key', token, ...json] })],
    ['the token in a cookie', (token) => ({ headers: ['Cookie', `api_key=${token}`, ...json] })],
    [
      'a token with one changed character',
      (token) => ({ headers: bearer(`Bearer ${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`) }),
    ],
    [
      'a known token with the prefix of the other environment',
      (token) => ({ headers: bearer(`Bearer ${token.replace('svc_test_', 'svc_live_')}`) }),
    ],
    ['a malformed token with the prefix svc_live_', () => ({ headers: bearer(`Bearer svc_live_${'a'.repeat(49)}`) })],
    ['a very long token', () => ({ headers: bearer(`Bearer svc_test_${'a'.repeat(8_000)}`) })],
    ['the method GET and no key', () => ({ method: 'GET', headers: [] })],
    ['the method DELETE and no key', () => ({ method: 'DELETE', headers: [] })],
  ];

  test.each(invalid)(
    'the path /graphql responds 401 "Invalid or missing API key" to a request with %s',
    async (_, make) => {
      const { path = '', method = 'POST', headers } = make(lectern.token);
      const response = await send(lectern.url + path, {
        method,
        headers,
        ...(method === 'POST' && { body: verseQuery }),
      });
      expect(response).toMatchObject({
        status: 401,
        text: expected,
        headers: { 'content-type': 'application/json', 'www-authenticate': 'Bearer' },
      });
    },
  );

  test.each(['application/json', 'application/graphql-response+json'])(
    'with Accept: %s, every kind of missing or invalid key gets the same 401 response, apart from id and date',
    async (accept) => {
      const environment = 'test';
      const revoked = await issueKey(lectern.keys, { email: `${accept}@example.org`, environment });
      await lectern.keys.revoke(revoked.key.id, 'a test');
      const malformed = `svc_test_${'a'.repeat(49)}`;
      const unknown = await issueInAnotherStore();
      const headers: string[] = [
        '',
        `Authorization: ${lectern.token}\r\n`,
        `X-API-Key: ${lectern.token}\r\n`,
        `Authorization: Bearer ${malformed}\r\n`,
        `Authorization: Bearer ${unknown}\r\n`,
        `Authorization: Bearer ${revoked.token}\r\n`,
      ];
      const responses = await Promise.all(
        headers.map((header) =>
          sendRaw(
            lectern.url,
            `POST /graphql HTTP/1.1\r\nHost: x\r\nAccept: ${accept}\r\nContent-Length: 2\r\n${header}\r\n{}`,
          ),
        ),
      );
      const withoutIds = responses.map((each) => each.replace(/^(X-Request-Id|Date): .*\r\n/gm, ''));
      expect(withoutIds[0]).toMatch(/^HTTP\/1\.1 401 /);
      expect(withoutIds[0]).toContain(expected);
      expect(new Set(withoutIds).size).toBe(1);
    },
  );

  test('POST /graphql without an API key responds 401, even if the body is not JSON, too long or a batch', async () => {
    for (const body of ['{', '[]', 'x'.repeat(300_000)]) {
      expect(await send(lectern.url, { headers: json, body })).toMatchObject({ status: 401, text: expected });
    }
  });

  test.each([
    ['before the client has sent a byte of the body', ''],
    ['and not "100 Continue" to a client with Expect: 100-continue', 'Expect: 100-continue\r\n'],
  ])('POST /graphql without an API key responds 401 %s', async (_, header) => {
    const response = await sendRaw(
      lectern.url,
      `POST /graphql HTTP/1.1\r\nHost: x\r\n${header}Content-Type: application/json\r\nContent-Length: 50000\r\n\r\n`,
    );
    expect(response).toMatch(/^HTTP\/1\.1 401/);
  });
});

test('a second Authorization header gets 401, even after so many headers that Node by default reads no more', async () => {
  const many = Array.from({ length: 2_100 }, () => 'a:\r\n').join('');
  const response = await sendRaw(
    lectern.url,
    `POST /graphql HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${lectern.token}\r\n${many}Authorization: Bearer x\r\n\r\n`,
  );
  expect(response).toMatch(/^HTTP\/1\.1 401/);
});

test('GET /health and GET /ready respond 200 without an API key', async () => {
  expect(await send(`${lectern.origin}/health`, { method: 'GET' })).toMatchObject({
    status: 200,
    text: '{"status":"ok"}',
  });
  expect(await send(`${lectern.origin}/ready`, { method: 'GET' })).toMatchObject({
    status: 200,
    text: '{"status":"ready"}',
  });
});
