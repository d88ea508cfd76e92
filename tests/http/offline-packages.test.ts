import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { graphqlHeaders, linkData, repositoryRoot, send, withFolder } from '@lectern/testing';
import type { EmbeddedLectern } from '../support/embedded-lectern';
import { startEmbeddedLectern } from '../support/embedded-lectern';
import { sendRaw } from '../support/raw-request';
import { readDocumentationExamples } from '../support/read-documentation-examples';

interface Package {
  url: string;
  sha256: string;
  sizeBytes: number;
  schemaVersion: number;
}

let lectern: EmbeddedLectern;
let found: Package;
let path: string;
let etag: string;

const folder = mkdtempSync(join(tmpdir(), 'lectern-'));

beforeAll(async () => {
  linkData(folder);
  lectern = await startEmbeddedLectern({
    dataDir: folder,
    trustedProxies: 'loopback',
    offlinePerMinute: 100,
    offlineBaseUrl: 'https://packages.example/',
  });
  const { data } = await lectern.client(
    '{ translation(identifier: "eng-web") { offlineDownloadable offlinePackage { url sha256 sizeBytes schemaVersion } } }',
  );
  found = (data as { translation: { offlinePackage: Package } }).translation.offlinePackage;
  path = new URL(found.url).pathname;
  etag = `"${found.sha256}"`;
});
afterAll(async () => {
  await lectern.close();
  rmSync(folder, { recursive: true });
});

/** Sends a request for the offline package of eng-web, or for `target`, without an API key. */
const get = (headers: readonly string[] = [], { target = path, method = 'GET' } = {}) =>
  send(`${lectern.origin}${target}`, { method, headers });

test('the URL of an offline package has OFFLINE_BASE_URL, the translation, the schema version and its SHA-256 digest', () => {
  expect(found).toMatchObject({ schemaVersion: 1, sizeBytes: expect.any(Number) });
  expect(found.url).toBe(`https://packages.example/offline/eng-web/v1/${found.sha256}.sqlite.gz`);
});

test('the field offlinePackage returns the newest package whose schema version does not exceed the argument schemaVersion', async () => {
  const versionOf = (argument: string) =>
    lectern.client(`{ translation(identifier: "eng-kjv") { offlinePackage${argument} { schemaVersion } } }`);
  const versions = await Promise.all(
    ['', '(schemaVersion: null)', '(schemaVersion: 2)', '(schemaVersion: 2147483647)'].map(async (argument) => {
      const { data } = await versionOf(argument);
      return (data as { translation: { offlinePackage: Package } }).translation.offlinePackage.schemaVersion;
    }),
  );
  expect(versions).toEqual([1, 1, 2, 2]);
  expect((await versionOf('(schemaVersion: 0)')).errors).toMatchObject([
    {
      message: 'schemaVersion is 0; send the highest version that the client reads, from 1',
      extensions: { code: 'BAD_USER_INPUT' },
    },
  ]);
});

test('an offline package needs no key, and has no Content-Encoding, but headers for caching and CORS', async () => {
  const { headers, status, bytes } = await get(['Origin', 'https://reader.example', 'Accept-Encoding', 'gzip, br']);
  expect(status).toBe(200);
  expect(headers).toMatchObject({
    etag,
    'content-type': 'application/gzip',
    'content-length': String(found.sizeBytes),
    'cache-control': 'public, max-age=31536000, immutable',
    'accept-ranges': 'bytes',
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
  });
  expect(headers['content-encoding']).toBeUndefined();
  expect(headers['last-modified']).toBeUndefined();
  expect(createHash('sha256').update(bytes).digest('hex')).toBe(found.sha256);
});

test('HEAD of an offline package responds 200 with the ETag and the Content-Length of GET, and without a body', async () => {
  const head = await get([], { method: 'HEAD' });
  expect(head).toMatchObject({ status: 200, text: '', headers: { etag, 'content-length': String(found.sizeBytes) } });
});

describe('a request with Range', () => {
  let whole: Buffer;
  beforeAll(async () => {
    whole = (await get()).bytes;
  });
  const size = () => found.sizeBytes;

  test.each([
    ['the first bytes', 'bytes=0-9', () => [0, 9]],
    ['one byte', 'bytes=5-5', () => [5, 5]],
    ['the rest of the file', 'bytes=1000000-', () => [1_000_000, size() - 1]],
    ['the last bytes', 'bytes=-7', () => [size() - 7, size() - 1]],
    ['more bytes at the end than the file has', 'bytes=-99999999', () => [0, size() - 1]],
    ['a range that ends beyond the file', 'bytes=3000000-99999999999999999999', () => [3_000_000, size() - 1]],
    ['two ranges that overlap', 'bytes=0-9,5-19', () => [0, 19]],
  ])(
    'GET of an offline package responds 206 with the requested bytes to a Range header for %s',
    async (_, range, expected) => {
      const [start = 0, end = 0] = expected();
      const part = await get(['Range', range]);
      expect([part.status, part.headers['content-range']]).toEqual([206, `bytes ${start}-${end}/${size()}`]);
      expect(part.bytes.equals(whole.subarray(start, end + 1))).toBe(true);
    },
  );

  test.each([
    ['several ranges', 'bytes=0-9,100-109'],
    ['another unit', 'verses=1-2'],
    ['a unit without a range', 'bytes'],
    ['a range without numbers', 'bytes=-'],
    ['a range of letters', 'bytes=x-y'],
    ['a thousand ranges', `bytes=${Array.from({ length: 1_000 }, (_, index) => `${index * 9}-${index * 9 + 1}`)}`],
    ['an empty value', ''],
  ])('GET of an offline package responds 200 with the whole file to a Range header with %s', async (_, range) => {
    const response = await get(['Range', range]);
    expect([response.status, response.bytes.equals(whole)]).toEqual([200, true]);
  });

  test.each(['bytes=5-1', 'bytes=99999999-', 'bytes=-0', 'bytes=5-1,8-7'])(
    'GET of an offline package responds 416 with the size of the file to a Range header for %s',
    async (range) => {
      const response = await get(['Range', range]);
      expect(response.status).toBe(416);
      expect(response.headers['content-range']).toBe(`bytes */${size()}`);
      expect(response.headers['cache-control']).toBeUndefined();
      expect(response.text).toMatch(/^The range lies outside the package/);
    },
  );

  test('GET of an offline package with Range and If-Range responds 206 only if If-Range has the ETag of the package', async () => {
    const range = ['Range', 'bytes=0-9'];
    expect(await get([...range, 'If-Range', etag])).toMatchObject({ status: 206 });
    expect(await get([...range, 'If-Range', '"another"'])).toMatchObject({ status: 200 });
    expect(await get([...range, 'If-Range', 'Sun, 22 Nov 2026 00:00:00 GMT'])).toMatchObject({ status: 200 });
  });
});

test('GET of an offline package responds 304 to If-None-Match with its ETag, and 412 to If-Match with another ETag', async () => {
  for (const value of [etag, `W/${etag}`, `"another", ${etag}`, '*'])
    expect(await get(['If-None-Match', value])).toMatchObject({ status: 304, text: '', headers: { etag } });
  expect(await get(['If-None-Match', '"another"'])).toMatchObject({ status: 200 });
  expect(await get(['If-Match', etag])).toMatchObject({ status: 200 });
  expect(await get(['If-Match', '"another"'])).toMatchObject({ status: 412 });
});

test.each([
  ['a digest that no package has', () => path.replace(found.sha256, '0'.repeat(64))],
  ['a digest that is too short', () => path.replace(found.sha256, 'abc')],
  ['a digest in capital letters', () => path.replace(found.sha256, found.sha256.toUpperCase())],
  ['another translation', () => path.replace('eng-web', 'eng-kjv')],
  ['an unknown translation', () => path.replace('eng-web', 'no-such')],
  ['another schema version', () => path.replace('/v1/', '/v2/')],
  ['the schema version 0', () => path.replace('/v1/', '/v0/')],
  ['the path of a folder of packages', () => '/offline/eng-web/v1/'],
  ['the path /offline/', () => '/offline/'],
  ['a path traversal', () => '/offline/../../../../etc/passwd'],
  ['an encoded path traversal', () => '/offline/%2e%2e/%2e%2e/text-catalogue.sqlite'],
  ['an encoded slash', () => '/offline/eng-web%2Fv1/x.sqlite.gz'],
  ['a NUL byte', () => `${path}%00`],
  ['the path of a file that is not a package', () => '/offline/eng-web/text.sqlite'],
  ['a slash at the end', () => `${path}/`],
])(
  'GET of an offline package responds 404 to a URL with %s, and the body says to ask for Translation.offlinePackage again',
  async (_, target) => {
    const response = await sendRaw(
      lectern.origin,
      `GET ${target()} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`,
    );
    expect(response).toMatch(/^HTTP\/1\.1 404 /);
    expect(response).toMatch(/\r\n\r\nThere is no such offline package\. Ask for `Translation\.offlinePackage` again/);
    expect(response).not.toMatch(/cache-control/i);
  },
);

test('a CORS preflight of an offline package allows the header Range for every origin, and POST, PUT and DELETE get 405', async () => {
  const preflight = await get(['Origin', 'https://reader.example', 'Access-Control-Request-Method', 'GET'], {
    method: 'OPTIONS',
  });
  expect(preflight).toMatchObject({
    status: 204,
    headers: {
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'GET, HEAD, OPTIONS',
      'access-control-allow-headers': 'Range, If-Range, If-Match, If-None-Match',
    },
  });
  for (const method of ['POST', 'PUT', 'DELETE'])
    expect(await get([], { method })).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } });
});

test('an IP address beyond OFFLINE_RATE_PER_MINUTE gets 429 for offline packages, but not for GraphQL requests', async () => {
  const from = ['X-Forwarded-For', '203.0.113.9'];
  const requestByte = () => get([...from, 'Range', 'bytes=0-0']);
  let response = await requestByte();
  let accepted = 0;
  // The limit allows 100 requests in a clock minute. A new minute may begin during the test.
  for (; accepted < 200 && response.status === 206; accepted += 1) response = await requestByte();
  expect(accepted).toBeGreaterThanOrEqual(100);
  const rejected = response;
  expect(rejected).toMatchObject({ status: 429, headers: { 'access-control-allow-origin': '*' } });
  expect(rejected.text).toBe(`Rate limit exceeded. Retry after ${rejected.headers['retry-after']} seconds.\n`);
  expect(await get(['X-Forwarded-For', '203.0.113.10'])).toMatchObject({ status: 200 });
  const body = JSON.stringify({ query: '{ __typename }' });
  expect(await send(lectern.url, { headers: [...graphqlHeaders(lectern.token), ...from], body })).toMatchObject({
    status: 200,
  });
});

test('the example program downloads, verifies and searches an offline package, and resumes a partial download', async () => {
  const examples = readDocumentationExamples('examples/clients/README.md');
  const program = examples.find(({ file }) => file === 'offline-client.mjs')?.code ?? '';
  const output = examples.find(({ language }) => language === 'text')?.code ?? '';
  await withFolder(async (folder) => {
    symlinkSync(join(repositoryRoot, 'node_modules'), join(folder, 'node_modules'));
    // The URL of the package begins with the OFFLINE_BASE_URL of this test, where no server runs.
    // The changed program downloads the package from this service.
    writeFileSync(
      join(folder, 'offline-client.mjs'),
      program
        .replace('await fetch(url,', `await fetch(url.replace('https://packages.example', '${lectern.origin}'),`)
        .replace('  if (response.status === 416)', "  appendFileSync('statuses', `${response.status} `);\n$&"),
    );
    const run = async () => {
      const env = { ...process.env, LECTERN_URL: lectern.url, LECTERN_KEY: lectern.token };
      return (await promisify(execFile)(process.execPath, ['offline-client.mjs'], { cwd: folder, env })).stdout;
    };
    expect(await run()).toBe(output);
    const file = join(folder, 'spa-rv1909.sqlite.gz');
    const complete = readFileSync(file);
    truncateSync(file, 1_000_000);
    rmSync(join(folder, 'spa-rv1909.sqlite'));
    expect(await run()).toBe(output);
    expect(readFileSync(file).equals(complete)).toBe(true);
    // The third run finds the complete file. Its Range begins at the end of the file, so the
    // service responds 416.
    expect(await run()).toBe(output);
    expect(readFileSync(join(folder, 'statuses'), 'utf8')).toBe('200 206 416 ');
  });
});

test('a download of an offline package completes even if the package is removed meanwhile, and the next download gets 404', async () => {
  const digest = createHash('sha256');
  await new Promise((resolve, reject) => {
    request(`${lectern.origin}${path}`, { agent: false }, (response) => {
      response.once('data', (first: Buffer) => {
        digest.update(first);
        response.pause();
        rmSync(join(folder, 'translations', 'eng-web', 'offline'), { recursive: true });
        response.on('data', (chunk: Buffer) => digest.update(chunk));
        response.on('end', resolve);
        response.resume();
      });
      response.on('error', reject);
    })
      .on('error', reject)
      .end();
  });
  expect(digest.digest('hex')).toBe(found.sha256);
  expect(await get()).toMatchObject({ status: 404 });
});

test('HEAD of an offline package still responds 200 after 20 clients have aborted their downloads', async () => {
  const { data } = await lectern.client('{ translation(identifier: "eng-kjv") { offlinePackage { url } } }');
  const { url } = (data as { translation: { offlinePackage: Package } }).translation.offlinePackage;
  const target = new URL(url).pathname;
  for (let count = 0; count < 20; count += 1)
    await new Promise((resolve) => {
      request(`${lectern.origin}${target}`, { agent: false }, (response) =>
        response.once('data', () => response.destroy()),
      )
        .on('close', resolve)
        .on('error', resolve)
        .end();
    });
  expect(await get([], { target, method: 'HEAD' })).toMatchObject({ status: 200 });
});
