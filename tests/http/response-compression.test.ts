import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { createMetrics, noTelemetry } from '@lectern/telemetry';
import type { HttpResponse } from '@lectern/testing';
import { graphqlHeaders, metricValue, send, useStarted } from '@lectern/testing';
import { startEmbeddedLectern } from '../support/embedded-lectern';

const metrics = createMetrics({ service: 'gateway' });
const lectern = useStarted(() => startEmbeddedLectern({ telemetry: { ...noTelemetry, metrics } }));

/** Sends `body` as JSON. */
const post = (body: object, headers: readonly string[] = []): Promise<HttpResponse> =>
  send(lectern.url, { headers: [...graphqlHeaders(lectern.token), ...headers], body: JSON.stringify(body) });
const postWith = (acceptEncoding: string, body: object, headers: readonly string[] = []) =>
  post(body, ['Accept-Encoding', acceptEncoding, ...headers]);

const decode = ({ headers, bytes }: HttpResponse): string => {
  const coding = headers['content-encoding'];
  if (coding === 'br') return brotliDecompressSync(bytes).toString();
  return (coding === 'gzip' ? gunzipSync(bytes) : bytes).toString();
};

const psalms = { query: '{ passage(reference: "Psalms") { verses { reference text } } }' };
const chapter = { query: '{ chapter(book: "JHN", chapter: 3) { verse text } }' };
/** Returns a query whose uncompressed response has exactly `bytes` bytes. */
const queryOfResponse = (bytes: number) => {
  const empty = '{"data":{}}'.length;
  const aliases: string[] = [];
  // An alias of n characters adds n + 11 bytes to the response: `"alias":"Query",`.
  for (let rest = bytes - empty + 1; rest > 0; ) {
    const member = rest > 100 ? 50 : rest;
    aliases.push(`a${String(aliases.length).padEnd(member - 12, 'x')}`);
    rest -= member;
  }
  return { query: `{ ${aliases.map((alias) => `${alias}: __typename`).join(' ')} }` };
};

test.each([
  ['br', 'br'],
  ['gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip;q=0.9, br;q=0.5', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0, gzip;q=0', 'none'],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['*;q=0', 'none'],
  ['identity;q=0', 'none'],
  ['identity;q=0, gzip', 'gzip'],
  ['identity, gzip;q=0.5', 'none'],
  ['identity', 'none'],
  ['deflate', 'none'],
  ['zstd, GZIP', 'gzip'],
  ['', 'none'],
  ['br;q=x', 'none'],
  [';;,,q=1', 'none'],
])('POST /graphql with Accept-Encoding %j responds with Content-Encoding: %s', async (acceptEncoding, coding) => {
  const plain = await post(chapter);
  const received = await postWith(acceptEncoding, chapter);
  expect([received.status, received.headers['content-encoding'] ?? 'none']).toEqual([200, coding]);
  expect(received.headers['content-length']).toBe(String(received.bytes.length));
  expect(decode(received)).toBe(plain.text);
});

test('POST /graphql compresses a long response to less than half of its size, but not for a request without Accept-Encoding', async () => {
  const plain = await post(psalms);
  expect(plain.headers).not.toHaveProperty('content-encoding');
  expect(plain.bytes.length).toBeGreaterThan(200_000);
  for (const coding of ['br', 'gzip']) {
    const compressed = await postWith(coding, psalms);
    expect(compressed.headers['content-encoding']).toBe(coding);
    expect(compressed.bytes.length).toBeLessThan(plain.bytes.length / 2);
    expect(decode(compressed)).toBe(plain.text);
  }
});

test('POST /graphql compresses only responses of 2,000 bytes or more', async () => {
  const small = await postWith('br', queryOfResponse(1_999));
  const large = await postWith('br', queryOfResponse(2_000));
  expect([decode(small).length, small.headers['content-encoding']]).toEqual([1_999, undefined]);
  expect([decode(large).length, large.headers['content-encoding']]).toEqual([2_000, 'br']);
});

test('POST /graphql sends the header Vary: Accept, Accept-Encoding with compressed, uncompressed and rejected responses', async () => {
  const responses = [
    await post(chapter),
    await postWith('br', chapter),
    await postWith('br', { query: '{ __typename }' }),
    await postWith('br', { query: 1 }),
  ];
  for (const { headers } of responses) expect(headers.vary?.split(', ')).toEqual(['Accept', 'Accept-Encoding']);
});

test('POST /graphql also compresses a response of validation errors, and keeps its status 400 and its media type', async () => {
  const unknownFields = { query: `{ ${Array.from({ length: 100 }, (_, index) => `f${index}`).join(' ')} }` };
  const received = await postWith('gzip', unknownFields, ['Accept', 'application/graphql-response+json']);
  expect([received.status, received.headers['content-encoding'], received.headers['content-type']]).toEqual([
    400,
    'gzip',
    'application/graphql-response+json; charset=utf-8',
  ]);
  expect(JSON.parse(decode(received))).toMatchObject({ errors: { length: 100 } });
});

test('a compressed response has its cost report, and the same query without Lectern-Report gets none', async () => {
  const query = { query: '{ chapter(book: "JHN", chapter: 4) { verse text } }' };
  const withReport = await postWith('br', query, ['Lectern-Report', 'cost']);
  const without = await postWith('br', query);
  expect(withReport.headers['content-encoding']).toBe('br');
  expect(Object.keys(JSON.parse(decode(withReport)) as object)).toEqual(['data', 'extensions']);
  expect(Object.keys(JSON.parse(decode(without)) as object)).toEqual(['data']);
  expect(Object.keys(JSON.parse(decode(await postWith('br', query, ['Lectern-Report', 'cost']))) as object)).toEqual([
    'data',
    'extensions',
  ]);
});

test('the response cache stores the br form and the gzip form of a response once each, and counts their bytes', async () => {
  const query = { query: '{ chapter(book: "PSA", chapter: 119) { verse text } }' };
  const cacheBytes = async () => metricValue(await metrics.text(), 'lectern_response_cache_bytes');
  await post(query);
  const before = await cacheBytes();
  const first = await postWith('br', query);
  expect((await cacheBytes()) - before).toBe(first.bytes.length);
  expect((await postWith('br', query)).bytes).toEqual(first.bytes);
  expect((await cacheBytes()) - before).toBe(first.bytes.length);
  const gzip = await postWith('gzip', query);
  expect((await cacheBytes()) - before).toBe(first.bytes.length + gzip.bytes.length);
});

test('POST /graphql still responds after 10 other clients have disconnected without waiting for their responses', async () => {
  const abandoned = Array.from(
    { length: 10 },
    (_, index) =>
      new Promise<void>((resolve) => {
        const outgoing = request(lectern.url, {
          method: 'POST',
          headers: ['Host', 'x', ...graphqlHeaders(lectern.token), 'Accept-Encoding', 'br'],
          agent: false,
        });
        outgoing.on('error', () => resolve());
        outgoing.end(JSON.stringify({ query: `{ passage(reference: "Psalms") { a${index}: text } }` }), () =>
          setImmediate(() => {
            outgoing.destroy();
            resolve();
          }),
        );
      }),
  );
  await Promise.all(abandoned);
  expect(decode(await postWith('br', chapter))).toContain('"verse":16');
});
