import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from '@lectern/testing';

export interface ServedReader {
  readonly origin: string;
  close(): Promise<void>;
}

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
};

/**
 * Builds examples/reader for production, and serves it as its README tells operators: index.html for each path without a
 * file. `lecternUrl` is the service that its pages ask.
 */
export async function serveReader(lecternUrl: string): Promise<ServedReader> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-reader-'));
  const vite = join(repositoryRoot, 'node_modules/vite/bin/vite.js');
  // Vite's build runs in a process of its own: Vite ends only when its process exits.
  await promisify(execFile)(process.execPath, [vite, 'build', '--outDir', folder, '--emptyOutDir'], {
    cwd: join(repositoryRoot, 'examples/reader'),
    env: { ...process.env, NODE_ENV: 'production', VITE_LECTERN_URL: lecternUrl },
  });
  const server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://127.0.0.1');
    const file = extname(pathname) in mediaTypes ? pathname : '/index.html';
    response.writeHead(200, { 'content-type': mediaTypes[extname(file)] }).end(readFileSync(join(folder, file)));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      await new Promise<void>((resolve) => void server.close(() => resolve()).closeAllConnections());
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
