import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HttpResponse } from '@lectern/testing';
import { graphqlHeaders, send, useStarted } from '@lectern/testing';
import { startEmbeddedLectern } from '../support/embedded-lectern';
import { findBrowser, startBrowser } from '../support/headless-browser';

const lectern = useStarted(() =>
  startEmbeddedLectern({ cors: { origins: '*', headers: 'Sentry-Trace, x-app-version' } }),
);

const origin = ['Origin', 'https://reader.example'];
const verseQuery = JSON.stringify({ query: '{ verse(book: "JHN", chapter: 11, verse: 35) { text } }' });
const post = (headers: readonly string[]) => send(lectern.url, { headers, body: verseQuery });
const preflight = (requested: string, method = 'POST') =>
  send(lectern.url, {
    method: 'OPTIONS',
    headers: [...origin, 'Access-Control-Request-Method', method, 'Access-Control-Request-Headers', requested],
  });
const namesIn = (header: string | undefined) => (header ?? '').split(',').map((name) => name.trim().toLowerCase());

describe('CORS preflights', () => {
  test('the path /graphql responds 204 to a CORS preflight without an API key, and allows every origin and the method POST', async () => {
    expect(await preflight('authorization,content-type')).toMatchObject({
      status: 204,
      text: '',
      headers: { 'access-control-allow-origin': '*', 'access-control-allow-methods': 'POST, OPTIONS' },
    });
  });

  test('a CORS preflight of /graphql allows the headers of GraphQL clients, tracing, Lectern and CORS_HEADERS', async () => {
    const { headers } = await preflight('authorization');
    expect(namesIn(headers['access-control-allow-headers'])).toEqual(
      expect.arrayContaining([
        'accept',
        'authorization',
        'content-type',
        'apollographql-client-name',
        'apollographql-client-version',
        'apollo-require-preflight',
        'x-apollo-operation-name',
        'x-apollo-operation-id',
        'traceparent',
        'tracestate',
        'baggage',
        'x-request-id',
        'graphql-client-name',
        'graphql-client-version',
        'lectern-report',
        'sentry-trace',
        'x-app-version',
      ]),
    );
  });

  test('a CORS preflight that asks for many unknown headers gets the same response as one that asks for the header Authorization', async () => {
    const many = await preflight(Array.from({ length: 200 }, (_, index) => `x-header-${index}`).join(','));
    const one = await preflight('authorization');
    const repeated = await send(lectern.url, {
      method: 'OPTIONS',
      headers: [...origin, ...Array.from({ length: 200 }, (_, index) => [`X-Header-${index}`, 'x']).flat()],
    });
    for (const response of [many, one, repeated]) delete response.headers.date;
    expect([many.status, many.headers]).toEqual([204, one.headers]);
    expect([repeated.status, repeated.headers]).toEqual([204, one.headers]);
  });

  test('the setting CORS_ORIGINS limits the allowed origins and adds Vary: Origin', async () => {
    const restricted = await startEmbeddedLectern({
      cors: { origins: 'https://reader.example, https://other.example' },
    });
    const from = async (value: string, method = 'OPTIONS') =>
      (await send(restricted.url, { method, headers: ['Origin', value] })).headers;
    expect(await from('https://reader.example')).toMatchObject({
      'access-control-allow-origin': 'https://reader.example',
      vary: 'Origin',
    });
    expect(await from('https://evil.example')).not.toHaveProperty('access-control-allow-origin');
    expect((await from('https://reader.example', 'POST')).vary?.split(', ')).toContain('Origin');
    expect((await from('https://evil.example', 'POST')).vary?.split(', ')).toContain('Origin');
    await restricted.close();
  });
});

describe('responses to pages of other origins', () => {
  /**
   * Response headers that a page can read without Access-Control-Expose-Headers, or does not need,
   * such as the headers of the connection.
   */
  const notForPages =
    /^(content-(type|length|encoding)|x-content-type-options|cache-control|date|connection|keep-alive|vary|access-control-.*)$/;

  test('responses with the statuses 200, 401 and 405 have CORS headers, and expose every header that a page needs', async () => {
    const responses: HttpResponse[] = [
      await post([...graphqlHeaders(lectern.token), ...origin]),
      await post(origin),
      await send(lectern.url, { method: 'GET', headers: [...graphqlHeaders(lectern.token), ...origin] }),
    ];
    expect(responses.map((each) => each.status)).toEqual([200, 401, 405]);
    for (const { headers } of responses) {
      expect(headers['access-control-allow-origin']).toBe('*');
      expect(headers).not.toHaveProperty('access-control-allow-credentials');
      const ours = Object.keys(headers).filter((name) => !notForPages.test(name));
      const exposed = namesIn(headers['access-control-expose-headers']);
      expect(exposed).toEqual(expect.arrayContaining(ours));
      expect(exposed).toEqual(
        expect.arrayContaining(['x-request-id', 'retry-after', 'ratelimit', 'ratelimit-policy', 'deprecation', 'link']),
      );
    }
  });
});

const program = findBrowser();
(program === null ? describe.skip : describe)('a page of another origin in Chromium', () => {
  let page: Server;
  beforeAll(async () => {
    page = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end('<!doctype html>'));
    await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => new Promise((resolve) => page.close(resolve)));

  /**
   * Sends requests with `fetch` in a page. Returns for each response the status, whether the page
   * can read X-Request-Id, and the text of the verse or the beginning of the error message.
   */
  const fetchInPage = async (requests: readonly [string, RequestInit][]): Promise<unknown> => {
    const browser = await startBrowser(program ?? '');
    try {
      const opened = await browser.open(`http://localhost:${(page.address() as AddressInfo).port}/`);
      return await opened.page.evaluate<unknown>(`Promise.all(${JSON.stringify(requests)}.map(async ([url, init]) => {
        const response = await fetch(url, init);
        const { data, errors } = await response.json();
        return [response.status, response.headers.has('x-request-id'), data?.verse?.text ?? errors[0].message.slice(0, 33)];
      }))`);
    } finally {
      await browser.close();
    }
  };

  test('a page of another origin can read responses to Apollo Client, to GET, and to a key in a wrong header', async () => {
    const bearer = { Authorization: `Bearer ${lectern.token}` };
    const json = { 'Content-Type': 'application/json' };
    const apollo = {
      Accept: 'application/graphql-response+json,application/json;q=0.9',
      'apollographql-client-name': 'reader',
      'apollographql-client-version': '1.0',
      'apollo-require-preflight': 'true',
      'x-apollo-operation-name': 'Verse',
      traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
      'Lectern-Report': 'cost',
      'sentry-trace': 'x',
    };
    const query = encodeURIComponent('{ verse(book: "JHN", chapter: 11, verse: 35) { text } }');
    expect(
      await fetchInPage([
        [lectern.url, { method: 'POST', headers: { ...bearer, ...json, ...apollo }, body: verseQuery }],
        [`${lectern.url}?query=${query}`, { method: 'GET', headers: { ...bearer, ...apollo } }],
        [lectern.url, { method: 'POST', headers: { ...json, 'X-API-Key': lectern.token }, body: verseQuery }],
        [lectern.url, { method: 'POST', headers: { ...json, Authorization: lectern.token }, body: verseQuery }],
      ]),
    ).toEqual([
      [200, true, 'Jesus wept.'],
      [405, true, 'Send GraphQL requests with POST. '],
      [401, false, 'Invalid or missing API key'],
      [401, false, 'Invalid or missing API key'],
    ]);
  });
});
