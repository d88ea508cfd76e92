import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { build } from 'esbuild';

/**
 * Bundles a script of a folder for browsers, and serves the bundle with the page `html` at `/`.
 * The port differs from that of Lectern, so the page has another origin.
 */
export async function serveBundle(folder: string, script: string, html: string) {
  const { outputFiles } = await build({
    absWorkingDir: folder,
    entryPoints: [script],
    outdir: folder,
    bundle: true,
    write: false,
    format: 'esm',
    logLevel: 'silent',
    jsx: 'automatic',
    loader: { '.ttf': 'dataurl' },
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const files = new Map<string, string | Uint8Array>(
    outputFiles.map(({ path, contents }) => [path.slice(folder.length), contents]),
  );
  files.set('/', html);
  const server = createServer(({ url = '/' }, response) => {
    const content = files.get(url);
    // Responds 204 to other paths, because Chromium also requests /favicon.ico.
    response.writeHead(content === undefined ? 204 : 200, { 'content-type': contentType(url) });
    response.end(content);
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise<void>((resolve) => void server.close(() => resolve()).closeAllConnections()),
  };
}

function contentType(url: string): string {
  if (url.endsWith('.js')) return 'text/javascript';
  return url.endsWith('.css') ? 'text/css' : 'text/html; charset=utf-8';
}
