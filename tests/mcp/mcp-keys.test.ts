import { send, useStarted } from '@lectern/testing';
import { issueKey, startEmbeddedLectern } from '../support/embedded-lectern';
import { lookUpOverHttp, startMcpHttpServer } from './mcp-fixture';

const lectern = useStarted(() =>
  startEmbeddedLectern({ rates: { perMinute: 0, keyPerMinute: 0, perDay: 2, keyRequestsPerHour: 0 } }),
);

/** Starts an MCP server for one test. Each server has its own counts of wrong keys. */
async function withServer(use: (url: string) => Promise<void>): Promise<void> {
  const server = await startMcpHttpServer(lectern.url);
  try {
    await use(server.url);
  } finally {
    await server.close();
  }
}

/** Sends one byte of a declared body of 900 kB, so a server that waits for the whole body never responds. */
const sendStart = (url: string, key: string) =>
  send(url, {
    headers: ['Authorization', `Bearer ${key}`, 'Content-Type', 'application/json', 'Content-Length', '900000'],
    body: '{',
  });

test.each(['wrong', `svc_test_${'a'.repeat(49)}`])(
  'the MCP server over HTTP responds to the unknown key %s before it reads the body, with the same 401 as POST /graphql',
  async (key) => {
    await withServer(async (url) => {
      const expected = await send(lectern.url, { headers: ['Authorization', `Bearer ${key}`], body: '{}' });
      const { status, text, headers } = await sendStart(url, key);
      expect({ status, text }).toEqual({ status: 401, text: expected.text });
      expect(headers['www-authenticate']).toBe('Bearer');
    });
  },
);

test('the MCP server over HTTP responds to a key of the other environment with the same 401 as POST /graphql', async () => {
  const { token } = await issueKey(lectern.keys, { email: 'live@example.org', environment: 'live' });
  await withServer(async (url) => {
    const { status, text } = await sendStart(url, token);
    expect(status).toBe(401);
    expect(text).toContain('"API key not valid for this environment"');
  });
});

test('the check of a key by the MCP server over HTTP counts nothing against the quota of the key', async () => {
  const { token } = await issueKey(lectern.keys, { email: 'quota@example.org' });
  for (let time = 0; time < 2; time += 1)
    await withServer(async (url) => expect((await lookUpOverHttp(url, token)).text).toContain('Jesus wept'));
  await withServer(async (url) =>
    expect((await lookUpOverHttp(url, token)).text).toContain('has used all its requests of this day'),
  );
});

test('after 30 requests with wrong keys in a minute, an address gets 429 for other keys, but not for a key that was accepted', async () => {
  const { token } = await issueKey(lectern.keys, { email: 'accepted@example.org' });
  const other = await issueKey(lectern.keys, { email: 'other@example.org' });
  await withServer(async (url) => {
    expect((await lookUpOverHttp(url, token)).status).toBe(200);
    const responses = await Promise.all(Array.from({ length: 40 }, (_, index) => sendStart(url, `wrong${index}`)));
    const statuses = responses.map(({ status }) => status);
    expect([401, 429].map((status) => statuses.filter((each) => each === status).length)).toEqual([30, 10]);
    const rejected = await lookUpOverHttp(url, other.token);
    expect([rejected.status, rejected.json()]).toEqual([
      429,
      {
        errors: [
          {
            message: expect.stringMatching(/^Rate limit exceeded\. Retry after \d+ seconds\.$/),
            extensions: { code: 'RATE_LIMITED', retryAfter: expect.any(Number), limit: 'address' },
          },
        ],
      },
    ]);
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThan(0);
    expect((await lookUpOverHttp(url, token)).status).toBe(200);
  });
});
