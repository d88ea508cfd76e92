import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger } from '@lectern/serving';
import { isLongRun, sendReady } from '@lectern/testing';
import type { EmbeddedLectern } from '../support/embedded-lectern';
import { startEmbeddedLectern } from '../support/embedded-lectern';
import { waitUntil } from '../support/processes';
import { books, hashOf, jesusWept, notFound, persistedQuery, post, verse } from './operations-and-responses';
import { apolloManifest } from './write-manifest';

type Respond = (response: ServerResponse, request: IncomingMessage) => void;

const manifest = apolloManifest([verse]);
const respondWith =
  (text: string, headers: Record<string, string> = {}): Respond =>
  (response) =>
    void response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(text);

/** Starts an HTTP server that sends the manifest. Tests change its responses with `respond`. */
async function startManifestServer() {
  const state = { respond: respondWith(manifest) };
  const server = createServer((request, response) => state.respond(response, request)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    respond: (respond: Respond) => void (state.respond = respond),
    close: () => server.closeAllConnections() ?? server.close(),
  };
}

let server: Awaited<ReturnType<typeof startManifestServer>>;
let lectern: EmbeddedLectern;
const lines: string[] = [];

beforeAll(async () => {
  server = await startManifestServer();
  lectern = await startEmbeddedLectern({
    trustedDocuments: { location: `http://reader:hunter2@${server.host}/manifest.json`, pollMs: 20, isOnly: false },
    log: createLogger({ service: 'test', level: 'info', destination: { write: (line) => lines.push(line) } }),
  });
});
afterAll(async () => {
  await lectern.close();
  server.close();
});

const sendHashOf = async ({ body }: { body: string }) =>
  (await post(lectern, lectern.token, persistedQuery(hashOf(body)))).json();
const state = async () =>
  ((await sendReady(lectern.origin, '?verbose')).json() as { trustedDocuments: object }).trustedDocuments;
const linesWith = (message: string) => lines.filter((line) => line.includes(message));
const uses = () => linesWith('new trusted documents are used').length;
const rejections = () => linesWith('the new trusted documents are rejected');

test('the gateway loads its trusted documents from a URL, and sends the user and password of the URL as Basic authentication', async () => {
  expect(await sendHashOf(verse)).toEqual(jesusWept);
  let authorization: string | undefined;
  server.respond((response, request) => {
    ({ authorization } = request.headers);
    response.end(manifest);
  });
  await waitUntil(() => authorization !== undefined);
  expect(authorization).toBe(`Basic ${Buffer.from('reader:hunter2').toString('base64')}`);
});

test('the gateway requests its manifest with If-None-Match, and loads one again only when the ETag changes', async () => {
  let unchanged = 0;
  const respondByEtag =
    (text: string, etag: string): Respond =>
    (response, request) => {
      if (request.headers['if-none-match'] !== etag) return respondWith(text, { etag })(response, request);
      unchanged += 1;
      response.writeHead(304, { etag }).end();
    };
  let before = uses();
  server.respond(respondByEtag(apolloManifest([books]), '"books"'));
  await waitUntil(() => unchanged > 2);
  expect(uses()).toBe(before + 1);
  expect(await sendHashOf(books)).toHaveProperty('data');
  expect(await sendHashOf(verse)).toMatchObject(notFound);

  before = uses();
  server.respond(respondByEtag(manifest, 'W/"verse"'));
  await waitUntil(() => uses() > before);
  expect(await sendHashOf(verse)).toEqual(jesusWept);
});

test('the gateway loads a changed manifest of trusted documents even if the server of the manifest sends no ETag', async () => {
  for (const [text, { body }] of [
    [apolloManifest([books]), books],
    [manifest, verse],
  ] as const) {
    const before = uses();
    server.respond(respondWith(text));
    await waitUntil(() => uses() > before);
    expect(await sendHashOf({ body })).toHaveProperty('data');
  }
});

const half = manifest.slice(0, manifest.length / 2);
const tooLong = { 'content-length': String(manifest.length) };
/** Does not respond to the first request, and sends half a manifest to every later request. */
function hangInTwoWays(): Respond {
  let requests = 0;
  return (response) => {
    requests += 1;
    if (requests > 1) response.writeHead(200, tooLong).write(half);
  };
}

/** The gateway waits 5 seconds for each. */
const timeouts: [string, Respond, RegExp][] = isLongRun
  ? [['never begins, or stops after its first half', hangInTwoWays(), /^Cannot fetch the manifest.*timeout/]]
  : [];

test.each<[string, Respond, RegExp]>([
  ['has status 404', (response) => response.writeHead(404).end('{}'), /the response has the status 404/],
  ['has status 500', (response) => response.writeHead(500).end(manifest), /the response has the status 500/],
  ['redirects', (response) => response.writeHead(302, { location: '/login' }).end(), /the response has the status 302/],
  [
    'is an HTML page',
    respondWith('<!doctype html><title>Sign in</title>', { etag: '"html"' }),
    /is an HTML or XML page/,
  ],
  ['is empty', respondWith(''), /is not JSON/],
  ['is half a manifest', respondWith(half, { etag: '"half"' }), /is not JSON, or it is cut off/],
  [
    'ends before its Content-Length',
    (response) => void response.writeHead(200, tooLong).write(half, () => response.destroy()),
    /^Cannot fetch the manifest of trusted documents from http:.*\(.*\)\.$/,
  ],
  ['breaks before its headers', (response) => response.destroy(), /^Cannot fetch the manifest/],
  [
    'never ends',
    function write(response): void {
      if (!response.destroyed) response.write('x'.repeat(100_000), () => setImmediate(write, response));
    },
    /is too large.*at most 5000000 bytes/,
  ],
  ...timeouts,
])(
  "if the URL of trusted documents %s, the gateway keeps its documents, and reports why without the URL's password",
  async (_, respond, reason) => {
    const before = rejections().length;
    server.respond(respond);
    await waitUntil(() => rejections().length > before);
    const line = JSON.parse(rejections().at(-1) ?? '') as object;
    expect(line).toMatchObject({ level: 'error', reason: expect.stringMatching(reason) as string });
    expect(line).toMatchObject({ source: `http://${server.host}/manifest.json` });
    expect(await state()).toEqual({ documents: 1, rejected: expect.stringMatching(reason) as string, invalid: [] });
    expect(await sendHashOf(verse)).toEqual(jesusWept);

    server.respond(respondWith(manifest));
    await waitUntil(async () => JSON.stringify(await state()).includes('"rejected":null'));
    expect(rejections()).toHaveLength(before + 1);
    expect(lines.join('')).not.toContain('hunter2');
  },
);

test.each([
  ['at which no server listens', () => 'http://reader:hunter2@127.0.0.1:9/manifest.json', /127\.0\.0\.1:9/],
  ['whose server responds 404', () => `http://reader:hunter2@${server.host}/404`, /status 404/],
  ['without a host', () => 'http://', /is not a URL/],
])(
  'a gateway does not start if TRUSTED_DOCUMENTS is a URL %s, and the error gives the reason without the password',
  async (_, location, reason) => {
    server.respond((response) => response.writeHead(404).end());
    const starting = startEmbeddedLectern({ trustedDocuments: { location: location(), pollMs: 0, isOnly: false } });
    const error = await starting.then(
      () => new Error('started'),
      (reasonOfRejection: Error) => reasonOfRejection,
    );
    expect(error.message).toMatch(/^TRUSTED_DOCUMENTS: /);
    expect(error.message).toMatch(reason);
    expect(error.message).not.toContain('hunter2');
    server.respond(respondWith(manifest));
  },
);
