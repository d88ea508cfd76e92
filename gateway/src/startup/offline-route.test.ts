import { createHash, randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import type { RequestListener, Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from '@lectern/serving';
import { createSendOfflinePackage, parseOfflinePackagePath, silentLogger } from '@lectern/serving';
import { openOfflinePackageRoute } from './offline-route';

const folder = mkdtempSync(join(tmpdir(), 'lectern-'));
const packageBytes = 300_000;
/** The packages that the subgraph has, by path. */
const published = new Map<string, Buffer>();
/** The requests that arrived at the subgraph, such as `GET /offline/...`. */
let received: string[] = [];
/**
 * How the subgraph spoils the packages that it sends: zeros instead of the content, or a part only.
 */
let failure: 'none' | 'damaged' | 'broken off' = 'none';
let subgraph: Server;
let subgraphPort: number;
const closings: (() => Promise<unknown>)[] = [];

async function start(handle: RequestListener, port = 0): Promise<Server> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server;
}

const portOf = (server: Server): number => (server.address() as AddressInfo).port;

const stop = (server: Server): Promise<unknown> =>
  new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });

/** Serves `published` with the code of the text subgraph. */
function startSubgraph(port = 0): Promise<Server> {
  const send = createSendOfflinePackage();
  return start((request, response) => {
    const path = request.url ?? '';
    received.push(`${request.method} ${path}`);
    const content = published.get(path);
    if (content && failure !== 'none' && request.method === 'GET') {
      response.writeHead(200, { 'content-length': content.length });
      if (failure === 'damaged') response.end(Buffer.alloc(content.length));
      else response.write(content.subarray(0, 1_000), () => response.destroy());
      return;
    }
    void send(request, response, async () => {
      if (!content) return 'not-found';
      const file = join(folder, 'sent.sqlite.gz');
      writeFileSync(file, content);
      return { file: await open(file), sha256: parseOfflinePackagePath(path)?.sha256 ?? '' };
    });
  }, port);
}

/** Publishes a new package of a translation. Returns its path. */
function publish(identifier = 'eng-web'): string {
  const content = randomBytes(packageBytes);
  const path = `/offline/${identifier}/v1/${createHash('sha256').update(content).digest('hex')}.sqlite.gz`;
  published.set(path, content);
  return path;
}

/**
 * Starts a gateway that keeps packages in the subfolder `name`. Returns the function that sends a
 * request to it.
 */
async function startGateway(name: string, { maxBytes = 10 * packageBytes, log = silentLogger } = {}) {
  const { route, close } = openOfflinePackageRoute(null, {
    consumeRateLimit: async () => ({ allowed: true, retryAfterSeconds: 0 }),
    replicas: () => [{ subgraph: 'text', url: `http://127.0.0.1:${subgraphPort}/graphql`, isCircuitOpen: false }],
    cache: { folder: join(folder, name), maxBytes },
    log,
  });
  const server = await start((request, response) => void route.handle(request, response, request.url ?? ''));
  closings.push(async () => {
    await stop(server);
    await close();
  });
  return async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`http://127.0.0.1:${portOf(server)}${path}`, init);
    const body = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: response.headers, body, isWhole: published.get(path)?.equals(body) };
  };
}

const keptIn = (name: string): string[] => readdirSync(join(folder, name)).sort();
const nameOf = (path: string): string => path.replace('/offline/', '').replaceAll('/', '-');

beforeAll(async () => {
  subgraph = await startSubgraph();
  subgraphPort = portOf(subgraph);
});
beforeEach(() => {
  received = [];
  failure = 'none';
});
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});
afterAll(async () => {
  await stop(subgraph);
  rmSync(folder, { recursive: true });
});

test('while several clients request an offline package, a gateway downloads the package once from the subgraph and stores it', async () => {
  const path = publish();
  const get = await startGateway('once');
  const responses = await Promise.all(Array.from({ length: 20 }, () => get(path)));
  expect(responses.map(({ status, isWhole }) => [status, isWhole])).toEqual(responses.map(() => [200, true]));
  expect(received.filter((line) => line.startsWith('GET'))).toEqual([`GET ${path}`]);
  expect(keptIn('once')).toEqual([nameOf(path)]);
});

test('a gateway forwards HEAD for an offline package to the subgraph, applies Range and If-None-Match to its stored package, and rejects POST with 405', async () => {
  const path = publish();
  const get = await startGateway('ranges');
  await get(path);
  const part = await get(path, { headers: { range: 'bytes=10-19' } });
  expect([part.status, part.headers.get('content-range'), part.body]).toEqual([
    206,
    `bytes 10-19/${packageBytes}`,
    published.get(path)?.subarray(10, 20),
  ]);
  const etag = part.headers.get('etag') ?? '';
  expect(path).toContain(etag.replaceAll('"', ''));
  expect(await get(path, { headers: { 'if-none-match': etag } })).toMatchObject({ status: 304 });
  expect(await get(path, { method: 'POST' })).toMatchObject({ status: 405 });
  expect(received).toEqual([`GET ${path}`, `HEAD ${path}`, `HEAD ${path}`]);
});

test('a gateway sends an offline package that another gateway stored in a shared folder, and does not download the package again', async () => {
  const path = publish();
  await (await startGateway('shared'))(path);
  expect(await (await startGateway('shared'))(path)).toMatchObject({ status: 200, isWhole: true });
  expect(received).toEqual([`GET ${path}`, `HEAD ${path}`]);
});

test('a gateway responds 404 to a request for an offline package that the subgraph no longer has, and deletes the stored package', async () => {
  const path = publish();
  const get = await startGateway('removed');
  await get(path);
  published.delete(path);
  expect(await get(path)).toMatchObject({ status: 404 });
  expect(keptIn('removed')).toEqual([]);
});

test('while the subgraph does not respond, a gateway sends stored offline packages, and responds 503 with Retry-After for other packages', async () => {
  const kept = publish();
  const get = await startGateway('stopped');
  await get(kept);
  await stop(subgraph);
  expect(await get(kept)).toMatchObject({ status: 200, isWhole: true });
  const other = await get(publish());
  subgraph = await startSubgraph(subgraphPort);
  expect([other.status, other.headers.get('retry-after'), String(other.body)]).toEqual([
    503,
    '5',
    'The package cannot be read at the moment. Try again later.\n',
  ]);
});

test.each(['damaged', 'broken off'] as const)(
  'a gateway responds 503 if an offline package arrives %s from the subgraph, stores nothing, and downloads the package again for the next request',
  async (next) => {
    const path = publish();
    const get = await startGateway(next);
    failure = next;
    expect(await get(path)).toMatchObject({ status: 503 });
    expect(keptIn(next)).toEqual([]);
    failure = 'none';
    expect(await get(path)).toMatchObject({ status: 200, isWhole: true });
  },
);

test('a gateway downloads a stored offline package again if the stored file was cut off', async () => {
  const path = publish();
  const get = await startGateway('cut');
  await get(path);
  truncateSync(join(folder, 'cut', nameOf(path)), 1_000);
  expect(await get(path)).toMatchObject({ status: 200, isWhole: true });
  expect(received.filter((line) => line.startsWith('GET'))).toEqual([`GET ${path}`, `GET ${path}`]);
});

test('a gateway deletes the least recently used offline package when the stored packages exceed OFFLINE_CACHE_BYTES', async () => {
  const [first, second, third] = [publish(), publish('eng-kjv'), publish('spa-rv1909')] as const;
  const get = await startGateway('bounded', { maxBytes: 2.5 * packageBytes });
  for (const [index, path] of [first, second].entries()) {
    await get(path);
    utimesSync(join(folder, 'bounded', nameOf(path)), index, index);
  }
  await get(first, { method: 'HEAD' });
  await get(third);
  expect(keptIn('bounded')).toEqual([first, third].map(nameOf).sort());
  expect(await get(second)).toMatchObject({ status: 200, isWhole: true });
});

test.each([
  ['larger than OFFLINE_CACHE_BYTES', packageBytes - 1],
  ['while OFFLINE_CACHE_BYTES is 0', 0],
])(
  'a gateway does not store an offline package %s, and forwards each response of the subgraph',
  async (_, maxBytes) => {
    const path = publish();
    const get = await startGateway('forwarded', { maxBytes });
    expect(await get(path)).toMatchObject({ status: 200, isWhole: true });
    const part = await get(path, { headers: { range: 'bytes=-10' } });
    expect([part.status, part.body.length]).toEqual([206, 10]);
    expect(await get(`${path.slice(0, -20)}0000.sqlite.gz`)).toMatchObject({ status: 404 });
    expect(existsSync(join(folder, 'forwarded')) ? keptIn('forwarded') : []).toEqual([]);
  },
);

test('if the folder of stored offline packages cannot be created, a gateway forwards each download, and logs the reason once', async () => {
  const path = publish();
  const lines: unknown[] = [];
  const log = { ...silentLogger, warn: (...line: unknown[]) => void lines.push(line) } as Logger;
  writeFileSync(join(folder, 'file'), 'a file in the place of the folder');
  const get = await startGateway('file', { log });
  for (let count = 0; count < 3; count += 1) expect(await get(path)).toMatchObject({ status: 200, isWhole: true });
  expect(received.filter((line) => line.startsWith('GET'))).toEqual([`GET ${path}`, `GET ${path}`, `GET ${path}`]);
  expect(lines).toEqual([
    [
      { folder: join(folder, 'file'), reason: expect.stringContaining('EEXIST') },
      'offline packages cannot be kept in the folder: each download is slow and takes them from the subgraph',
    ],
  ]);
});

test('at startup a gateway deletes old unfinished downloads of offline packages, but no recent ones and no other files', async () => {
  const part = (letter: string) => `eng-web-v1-${'0'.repeat(64)}.sqlite.gz.${letter.repeat(36)}.part`;
  mkdirSync(join(folder, 'start'));
  for (const name of [part('a'), part('b'), 'notes.part']) writeFileSync(join(folder, 'start', name), 'part');
  for (const name of [part('a'), 'notes.part']) utimesSync(join(folder, 'start', name), 1, 1);
  const get = await startGateway('start');
  // The file of part b is recent, so the gateway keeps the file: another gateway may be writing it.
  const path = publish();
  await get(path);
  expect(keptIn('start')).toEqual([nameOf(path), part('b'), 'notes.part'].sort());
  expect(readFileSync(join(folder, 'start', 'notes.part'), 'utf8')).toBe('part');
});
