import { graphqlHeaders, send, useStarted } from '@lectern/testing';
import { startEmbeddedLectern } from '../support/embedded-lectern';

const lectern = useStarted(() =>
  startEmbeddedLectern({
    rates: { perMinute: 1, keyPerMinute: 0, perDay: 0, keyRequestsPerHour: 0 },
    trustedProxies: 'loopback',
    // The clock stands still, so that no window of the rate limit ends during a test.
    now: () => Date.UTC(2026, 4, 1, 12),
  }),
);

let lastAddress = 0;
/**
 * Sends a request with the given Accept header, from a new IP address unless the request names one.
 */
const reject = (
  { method = 'POST', path = '/graphql', headers, body, address }: Rejected,
  accept: string | null,
): ReturnType<typeof send> => {
  lastAddress += 1;
  return send(lectern.origin + path, {
    method,
    headers: [
      ...headers(lectern.token),
      'X-Forwarded-For',
      address ?? `198.51.100.${lastAddress}`,
      ...(accept === null ? [] : ['Accept', accept]),
    ],
    ...(body !== undefined && { body }),
  });
};

interface Rejected {
  method?: string;
  path?: string;
  headers: (token: string) => readonly string[];
  body?: string;
  address?: string;
}

const rejected: [number, string, Rejected][] = [
  [401, 'without a key', { headers: () => ['Content-Type', 'application/json'], body: '{}' }],
  [405, 'with the method GET', { method: 'GET', headers: graphqlHeaders }],
  [413, 'with a long body', { headers: graphqlHeaders, body: `"${'x'.repeat(100_000)}"` }],
  [415, 'without a content type', { headers: (token) => graphqlHeaders(token).slice(0, 2), body: '{}' }],
  [400, 'with two Host headers', { headers: (token) => ['Host', 'x', ...graphqlHeaders(token)], body: '{}' }],
  [404, 'to an unknown path', { path: '/api/graphql', headers: graphqlHeaders, body: '{}' }],
];

const graphqlJson = 'application/graphql-response+json';
/**
 * The values of Accept that Apollo Client 4, urql, graphql-request and others send, each with the
 * Content-Type of the response. Null means that the request has no Accept header.
 */
const accepts: [string | null, string][] = [
  [null, 'application/json'],
  ['*/*', 'application/json'],
  ['application/json', 'application/json'],
  [`${graphqlJson},application/json;q=0.9`, `${graphqlJson}; charset=utf-8`],
  [`${graphqlJson}, application/graphql+json, application/json, text/event-stream`, `${graphqlJson}; charset=utf-8`],
  [`${graphqlJson};q=0.1, application/json`, 'application/json'],
];

test.each(rejected)(
  'the server responds %i to a request %s in the media type that the header Accept prefers',
  async (status, _, request) => {
    const bodies = new Set<string>();
    for (const [accept, type] of accepts) {
      const response = await reject(request, accept);
      expect([accept, response.status, response.headers['content-type']]).toEqual([accept, status, type]);
      bodies.add(response.text);
    }
    const response = await reject(request, 'image/png');
    expect([response.status, response.headers['content-type']]).toEqual([status, 'application/json']);
    expect(bodies.size).toBe(1);
  },
);

test('for a body that is not JSON, POST /graphql responds 400 in the media type that the header Accept prefers', async () => {
  for (const [accept, type] of accepts) {
    const response = await reject({ headers: graphqlHeaders, body: '{' }, accept);
    expect([response.status, response.headers['content-type']]).toEqual([400, type]);
  }
});

test('beyond a rate limit, POST /graphql responds 429 in the media type that the header Accept prefers', async () => {
  const [, , withoutKey] = rejected[0] as (typeof rejected)[0];
  const request = { ...withoutKey, address: '203.0.113.1' };
  await reject(request, null);
  for (const [accept, type] of accepts) {
    const response = await reject(request, accept);
    expect([response.status, response.headers['content-type']]).toEqual([429, type]);
  }
});

test('POST /graphql responds 401 as application/json if the header Accept is 13 kB long', async () => {
  const many = Array.from({ length: 1_000 }, (_, index) => `a/b${index};q=0.5`).join(',');
  const [, , withoutKey] = rejected[0] as (typeof rejected)[0];
  const response = await reject(withoutKey, `${many},${graphqlJson}`);
  expect([response.status, response.headers['content-type']]).toEqual([401, 'application/json']);
});

// This test must be the last one, because it closes the key store.
test('while API keys cannot be looked up, POST /graphql responds 503 in the media type that the header Accept prefers', async () => {
  await lectern.keys.close();
  for (const [accept, type] of accepts) {
    const response = await reject({ headers: graphqlHeaders, body: '{}' }, accept);
    expect([response.status, response.headers['content-type']]).toEqual([503, type]);
  }
});
