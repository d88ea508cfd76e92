import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { repositoryRoot } from '@lectern/testing';

/** The files of an app by their paths, such as `/index.html`. */
export type AppFiles = Map<string, Buffer>;

/** Builds the example app in examples/reader with Vite, and returns the files of the built app. */
export function buildReader(): AppFiles {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-'));
  try {
    const vite = join(repositoryRoot, 'node_modules', 'vite', 'bin', 'vite.js');
    const args = [vite, 'build', '--outDir', folder, '--emptyOutDir', '--logLevel', 'warn'];
    const { status, stderr } = spawnSync(process.execPath, args, {
      cwd: join(repositoryRoot, 'examples', 'reader'),
      encoding: 'utf8',
      // Jest sets NODE_ENV to `test`. Without `production`, Vite would build the app for
      // development.
      env: { ...process.env, NODE_ENV: 'production' },
    });
    if (status !== 0) throw new Error(`examples/reader cannot be built: ${stderr}`);
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const files = names.filter((name) => statSync(join(folder, name)).isFile());
    return new Map(files.map((name) => [`/${name}`, readFileSync(join(folder, name))]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const contentTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
  '.woff2': 'font/woff2',
};

/**
 * Serves the files of an app on a free port. Responds with index.html to a path without a file
 * extension, such as `/read/eng-web/JHN/3`, because the app itself shows the right screen for the
 * path.
 */
export const serveApp = (files: AppFiles) =>
  listen(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://app.example');
    const isFile = extname(pathname) !== '';
    const content = files.get(isFile ? pathname : '/index.html');
    response.writeHead(content ? 200 : 404, {
      'content-type': contentTypes[isFile ? extname(pathname) : '.html'] ?? 'application/octet-stream',
      'cache-control': 'no-cache',
    });
    response.end(content);
  });

/** Starts an HTTP server on a free port of 127.0.0.1. */
export async function listen(handle: RequestListener) {
  const server = createServer(handle);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise<void>((resolve) => void server.close(() => resolve()).closeAllConnections()),
  };
}
