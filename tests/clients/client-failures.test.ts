import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ClientOptions } from '@lectern/client';
import {
  books,
  createLecternClient,
  DeadlineError,
  edges,
  InvalidResponseError,
  LecternError,
  NetworkError,
  RateLimitError,
  searchVerses,
} from '@lectern/client';
import { freePort } from '@lectern/testing';

type Respond = (response: ServerResponse, request: IncomingMessage) => void;

/**
 * The responses of the server: one entry for each request, and the last entry for all further
 * requests.
 */
let script: Respond[] = [];
/** The bodies of the requests that the server has received since a test emptied the list. */
let bodies: { query?: string }[] = [];
const server = createServer(async (request, response) => {
  let text = '';
  for await (const chunk of request) text += chunk;
  bodies.push(JSON.parse(text));
  script[Math.min(bodies.length, script.length) - 1]?.(response, request);
});

let url: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Respond =>
  (response) =>
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));

const found = json(200, { data: { books: [] } });
const failed = (status: number, code: string, headers: Record<string, string> = {}) =>
  json(status, { errors: [{ message: `The error ${code}.`, extensions: { code } }] }, headers);
const html =
  (status: number, headers: Record<string, string> = {}): Respond =>
  (response) =>
    response.writeHead(status, { 'Content-Type': 'text/html', ...headers }).end('<!doctype html><h1>Proxy</h1>');

const createClient = (options: Partial<ClientOptions> = {}) =>
  createLecternClient({ url, key: 'svc_test_key', persistedQueries: false, ...options });

/** Calls the client function `books`. The server sends `responses` one after another. */
function readBooks(responses: Respond[], options: Partial<ClientOptions> = {}) {
  script = responses;
  bodies = [];
  return books(createClient(options));
}

describe('retries', () => {
  test.each([
    ['the status 429', failed(429, 'RATE_LIMITED', { 'Retry-After': '0' })],
    ['the status 503', failed(503, 'KEYS_UNAVAILABLE', { 'Retry-After': '0' })],
    ['the status 503 with an HTML page of a proxy', html(503, { 'Retry-After': '0' })],
    ['the status 503 without Retry-After', failed(503, 'KEYS_UNAVAILABLE')],
    ['a broken connection', (response: ServerResponse) => void response.destroy()],
    [
      'a body that is cut off',
      (response: ServerResponse) => {
        response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '1000' });
        response.write('{"data":', () => response.destroy());
      },
    ],
  ] satisfies [string, Respond][])('@lectern/client retries a request after %s', async (_, failure) => {
    expect(await readBooks([failure, found])).toEqual([]);
    expect(bodies).toHaveLength(2);
  });

  test('@lectern/client computes its waiting time from Date and Retry-After, so the clock of its machine does not matter', async () => {
    const date = (seconds: number) => new Date(Date.UTC(2001, 0, 1, 0, 0, seconds)).toUTCString();
    const hour = failed(429, 'RATE_LIMITED', { Date: date(0), 'Retry-After': date(3_600) });
    await expect(readBooks([hour])).rejects.toMatchObject({ retryAfterMs: 3_600_000 });
    const now = failed(429, 'RATE_LIMITED', { Date: date(0), 'Retry-After': date(0) });
    expect(await readBooks([now, found])).toEqual([]);
  });

  test.each(['yesterday', 'Thu, 01 Jan 1970 00:00:00 GMT', '-1', ''])(
    '@lectern/client still retries a request if Retry-After of its response has the invalid or past value "%s"',
    async (value) => {
      expect(await readBooks([failed(429, 'RATE_LIMITED', { 'Retry-After': value }), found])).toEqual([]);
    },
  );

  test('@lectern/client throws a RateLimitError at once if Retry-After is later than the deadline', async () => {
    const error = await readBooks([failed(429, 'RATE_LIMITED', { 'Retry-After': '86400' })]).catch((error) => error);
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({ code: 'RATE_LIMITED', status: 429, retryAfterMs: 86_400_000 });
    expect(bodies).toHaveLength(1);
  });

  test('@lectern/client throws the error of the last response after maxRetries retries', async () => {
    const busy = failed(503, 'KEYS_UNAVAILABLE', { 'Retry-After': '0' });
    await expect(readBooks([busy], { maxRetries: 2 })).rejects.toMatchObject({ code: 'KEYS_UNAVAILABLE', status: 503 });
    expect(bodies).toHaveLength(3);
  });

  test.each([
    [400, 'BAD_REQUEST'],
    [401, 'UNAUTHENTICATED'],
    [500, 'INTERNAL_SERVER_ERROR'],
  ])('@lectern/client does not retry a request after a response with status %i', async (status, code) => {
    await expect(readBooks([failed(status, code, { 'Retry-After': '0' })])).rejects.toMatchObject({ status, code });
    expect(bodies).toHaveLength(1);
  });
});

describe('responses that are not GraphQL', () => {
  const text =
    (body: string): Respond =>
    (response) =>
      response.writeHead(200, { 'Content-Type': 'application/json' }).end(body);

  test.each([
    ['an HTML page with status 200', html(200)],
    ['an HTML page with status 404', html(404)],
    ['an empty body', text('')],
    ['JSON that is cut off', text('{"data":{"books":[')],
    ['a JSON array', text('[]')],
    ['null', text('null')],
    ['an object without data and errors', text('{"message":"hello"}')],
    ['an object with an empty list of errors', text('{"errors":[]}')],
    ['an object whose only error is null', text('{"errors":[null]}')],
    ['an object whose data is a string', text('{"data":"books"}')],
  ])('@lectern/client throws an InvalidResponseError that names the URL if the response is %s', async (_, response) => {
    const error = await readBooks([response]).catch((error) => error);
    expect(error).toBeInstanceOf(InvalidResponseError);
    expect(error).toMatchObject({ code: 'INVALID_RESPONSE', message: expect.stringContaining(url) });
    expect(bodies).toHaveLength(1);
  });

  test('books of @lectern/client throws an InvalidResponseError if books is null although there is no error', async () => {
    await expect(readBooks([json(200, { data: { books: null } })])).rejects.toBeInstanceOf(InvalidResponseError);
  });

  test('edges of @lectern/client throws instead of reading forever if a page has the end cursor of the page before', async () => {
    const page = { edges: [{}], pageInfo: { hasNextPage: true, endCursor: 'same' } };
    script = [json(200, { data: { searchVerses: page } })];
    bodies = [];
    const read = async () => {
      for await (const edge of edges(createClient(), searchVerses, { query: 'love' })) expect(edge).toEqual({});
    };
    await expect(read()).rejects.toThrow('same cursor');
    expect(bodies).toHaveLength(2);
  });
});

test('@lectern/client throws a NetworkError with its cause if no server listens at the URL', async () => {
  const lost = createLecternClient({ url: `http://127.0.0.1:${await freePort()}/graphql`, maxRetries: 0 });
  const error = await books(lost).catch((error) => error);
  expect(error).toBeInstanceOf(NetworkError);
  expect(error).toMatchObject({ code: 'NETWORK_ERROR', status: null, cause: expect.any(Error) });
});

describe('deadline and cancellation', () => {
  const silent: Respond = () => undefined;

  test('@lectern/client throws a DeadlineError if the server does not respond before the deadline', async () => {
    await expect(readBooks([silent], { deadlineMs: 50 })).rejects.toBeInstanceOf(DeadlineError);
  });

  test('@lectern/client accepts deadlineMs: Infinity and returns the response', async () => {
    expect(await readBooks([found], { deadlineMs: Infinity })).toEqual([]);
  });

  test('@lectern/client throws a DeadlineError if the body of the response does not end before the deadline', async () => {
    const endless: Respond = (response) => void response.writeHead(200).write('{');
    await expect(readBooks([endless], { deadlineMs: 50 })).rejects.toMatchObject({
      name: 'DeadlineError',
      code: 'DEADLINE_EXCEEDED',
    });
  });

  test('a call of @lectern/client rejects with the reason of its AbortSignal if the signal is aborted', async () => {
    const controller = new AbortController();
    script = [() => controller.abort(new Error('The user left.'))];
    bodies = [];
    await expect(books(createClient(), {}, { signal: controller.signal })).rejects.toThrow('The user left.');
  });

  test('an AbortSignal ends the pause of @lectern/client before a retry', async () => {
    const controller = new AbortController();
    const busy = failed(429, 'RATE_LIMITED', { 'Retry-After': '20' });
    script = [
      (response, request) => {
        busy(response, request);
        response.on('finish', () => setTimeout(() => controller.abort(), 50));
      },
    ];
    bodies = [];
    await expect(books(createClient(), {}, { signal: controller.signal })).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(bodies).toHaveLength(1);
  });

  test('@lectern/client sends no request if its AbortSignal is already aborted', async () => {
    bodies = [];
    await expect(books(createClient(), {}, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(bodies).toHaveLength(0);
  });
});

test('after the error PERSISTED_QUERY_NOT_SUPPORTED, @lectern/client sends whole queries instead of their hashes', async () => {
  script = [failed(200, 'PERSISTED_QUERY_NOT_SUPPORTED'), json(200, { data: {} })];
  bodies = [];
  const client = createClient({ persistedQueries: true });
  const query = `query Long { ${'__typename '.repeat(20)} }`;
  await client.query(query);
  await client.query(query);
  expect(bodies.map((body) => body.query)).toEqual([undefined, query, query]);
});

test.each([
  ['a relative URL', { url: '/graphql' }, 'must be the address of the endpoint'],
  ['a file URL', { url: 'file:///graphql' }, 'must begin with http'],
  ['a URL with a password', { url: 'https://user:svc_test_secret@example.org/graphql' }, 'must have no user'],
  ['a key with a line break', { key: 'svc_test_secret\nX-Header: 1' }, 'must be an API key'],
  ['an empty key', { key: '' }, 'must be an API key'],
])(
  'createLecternClient throws a TypeError for %s, and its message does not contain the API key',
  (_, options, message) => {
    const create = () => createClient(options);
    expect(create).toThrow(TypeError);
    expect(create).toThrow(message);
    expect(create).not.toThrow('svc_test_secret');
  },
);

test('an AuthenticationError of @lectern/client is a LecternError, and has its class name and the request id', async () => {
  const error = await readBooks([failed(401, 'UNAUTHENTICATED', { 'X-Request-Id': 'request-1' })]).catch((e) => e);
  expect(error).toBeInstanceOf(LecternError);
  expect(String(error)).toBe('AuthenticationError: The error UNAUTHENTICATED.');
  expect(error.requestId).toBe('request-1');
});
