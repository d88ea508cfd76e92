import { createHash } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface StoredObject {
  readonly body: Buffer;
  readonly etag: string;
  readonly modifiedAt: number;
}

/**
 * A server that imitates a storage bucket for schemas: it has ETags and conditional requests, and
 * rejects requests without `keyHeader`.
 */
export interface SchemaRegistry {
  /** The URL of the bucket, without a slash at the end. */
  readonly url: string;
  /** The name of the header that each request needs. The value of the header is `registryKey`. */
  readonly keyHeader: string;
  /** The requests so far, each with the status of its response: `PUT /supergraph.graphql 200`. */
  readonly requests: readonly string[];
  /** Returns the text of a stored object, or null if the object does not exist. */
  read(name: string): string | null;
  /** Stores an object. `modifiedAt` is the value of its Last-Modified header, by default now. */
  put(name: string, text: string, modifiedAt?: Date): void;
  /**
   * Sets a function that responds in place of the registry. With null, the registry itself responds
   * again.
   */
  respondWith(listener: RequestListener | null): void;
  /** A function that the registry awaits before each request. Null removes it. */
  beforeEach(hook: ((request: IncomingMessage) => Promise<void> | void) | null): void;
  close(): void;
}

export const registryKey = 'registry-key-for-tests';
const keyHeader = 'x-registry-key';

const readAll = async (request: IncomingMessage): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

/** With `ignoresConditions`, the registry ignores If-Match and If-None-Match. */
export async function startSchemaRegistry({ ignoresConditions = false } = {}): Promise<SchemaRegistry> {
  const objects = new Map<string, StoredObject>();
  const requests: string[] = [];
  let listener: RequestListener | null = null;
  let hook: ((request: IncomingMessage) => Promise<void> | void) | null = null;

  const store = (path: string, body: Buffer, modifiedAt = new Date()): StoredObject => {
    const etag = `"${createHash('md5').update(body).digest('hex')}"`;
    const object = { body, etag, modifiedAt: modifiedAt.getTime() };
    objects.set(path, object);
    return object;
  };
  const get = (request: IncomingMessage, response: ServerResponse, object: StoredObject | undefined): void => {
    if (!object) return void response.writeHead(404).end();
    const headers = { etag: object.etag, 'last-modified': new Date(object.modifiedAt).toUTCString() };
    if (request.headers['if-none-match'] === object.etag) return void response.writeHead(304, headers).end();
    return void response.writeHead(200, headers).end(object.body);
  };
  const put = async (request: IncomingMessage, response: ServerResponse, path: string): Promise<void> => {
    const body = await readAll(request);
    const object = objects.get(path);
    const { 'if-match': match, 'if-none-match': noneMatch } = request.headers;
    const isRefused = (match !== undefined && object?.etag !== match) || (noneMatch === '*' && object !== undefined);
    if (isRefused && !ignoresConditions) return void response.writeHead(412).end();
    return void response.writeHead(200, { etag: store(path, body).etag }).end();
  };
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = decodeURIComponent((request.url ?? '').split('?', 1)[0] ?? '').slice(1);
    response.once('finish', () => requests.push(`${request.method} /${path} ${response.statusCode}`));
    await hook?.(request);
    if (request.headers[keyHeader] !== registryKey) return void response.writeHead(403).end();
    if (listener) return listener(request, response);
    if (request.method === 'PUT') return put(request, response, path);
    return get(request, response, objects.get(path));
  };
  const server = createServer((request, response) => void handle(request, response)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keyHeader,
    requests,
    read: (name) => objects.get(name)?.body.toString('utf8') ?? null,
    put: (name, text, modifiedAt) => void store(name, Buffer.from(text), modifiedAt),
    respondWith: (next) => void (listener = next),
    beforeEach: (next) => void (hook = next),
    close: () => void (server.closeAllConnections(), server.close()),
  };
}
