import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A folder of published schemas, and a server from which gateways read its files. The server sends ETag and
 * Last-Modified, and rejects requests without `keyHeader`.
 */
export interface SchemaRegistry {
  /** The folder to which `publish:schema` writes. */
  readonly folder: string;
  /** The URL of the folder, without a slash at the end. */
  readonly url: string;
  /** The name of the header that each request needs. The value of the header is `registryKey`. */
  readonly keyHeader: string;
  /** The requests so far, each with the status of its response: `GET /supergraph.graphql 200`. */
  readonly requests: readonly string[];
  /** Returns the text of a file, or null if the file does not exist. */
  read(name: string): string | null;
  /** Writes a file. `modifiedAt` is the value of its Last-Modified header, by default now. */
  put(name: string, text: string, modifiedAt?: Date): void;
  /** Sets a function that responds in place of the server. With null, the server itself responds again. */
  respondWith(listener: RequestListener | null): void;
  /** Stops the server and removes the folder. */
  close(): void;
}

export const registryKey = 'registry-key-for-tests';
const keyHeader = 'x-registry-key';

export async function startSchemaRegistry(): Promise<SchemaRegistry> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-registry-'));
  const requests: string[] = [];
  let listener: RequestListener | null = null;

  const server = createServer((request, response) => {
    const name = (request.url ?? '').split('?', 1)[0]?.slice(1) ?? '';
    response.once('finish', () => requests.push(`${request.method} /${name} ${response.statusCode}`));
    if (request.headers[keyHeader] !== registryKey) return void response.writeHead(403).end();
    if (listener) return listener(request, response);
    const path = join(folder, name);
    if (!existsSync(path)) return void response.writeHead(404).end();
    const body = readFileSync(path);
    const etag = `"${createHash('md5').update(body).digest('hex')}"`;
    const headers = { etag, 'last-modified': statSync(path).mtime.toUTCString() };
    if (request.headers['if-none-match'] === etag) return void response.writeHead(304, headers).end();
    return void response.writeHead(200, headers).end(body);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));

  return {
    folder,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keyHeader,
    requests,
    read: (name) => (existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : null),
    put(name, text, modifiedAt = new Date()) {
      writeFileSync(join(folder, name), text);
      utimesSync(join(folder, name), modifiedAt, modifiedAt);
    },
    respondWith: (next) => void (listener = next),
    close() {
      server.closeAllConnections();
      server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
