import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { sendNotFoundPage } from './html-or-json-error-responses';
import type { StaticContent, StaticContentOptions } from './precompressed-content';
import { createStaticContent, sendStaticContent } from './precompressed-content';
import type { Route } from './route-type-and-get-route';
import { createGetRoute } from './route-type-and-get-route';

/**
 * The folder of static files. The relative path is the same from `src`, where tests run, and from
 * `dist`.
 */
const assetsFolder = join(__dirname, '..', 'assets');

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.txt': 'text/plain; charset=utf-8',
};

export interface StaticFile {
  readonly name: string;
  /** Reads the file, with its compressed forms where these exist. */
  load(): Omit<StaticContentOptions, 'headers'>;
}

/**
 * Creates a route for files below a path. A name that is not in `files` gets 404, so no request
 * reaches the file system. A file is loaded at its first request and stays in memory.
 * `cacheControl` is the value of the header Cache-Control.
 */
export function createStaticFilesRoute(path: string, files: readonly StaticFile[], cacheControl: string): Route {
  const filesByName = new Map(
    files.map((file) => [file.name, { file, headers: fileHeaders(path, file.name, cacheControl) }]),
  );
  const loaded = new Map<string, StaticContent>();
  return createGetRoute(path, (request, response, requestPath) => {
    const name = requestPath.slice(path.length);
    const known = filesByName.get(name);
    if (!known) return sendNotFoundPage(response);
    const content = loaded.get(name) ?? createStaticContent({ ...known.file.load(), headers: known.headers });
    loaded.set(name, content);
    return sendStaticContent(request, response, content);
  });
}

function fileHeaders(path: string, name: string, cacheControl: string): Readonly<Record<string, string>> {
  const type = mediaTypes[extname(name)];
  if (type === undefined)
    throw new Error(`${path}${name}: add the media type of "${extname(name)}" files to static-files.ts`);
  return {
    'content-type': type,
    'cache-control': cacheControl,
    // A web worker obeys the policy in the response with its script, not the policy of the page.
    'content-security-policy': "default-src 'none'",
  };
}

/**
 * Creates the route of the files in `assets/`. Their names carry no digest, so browsers revalidate
 * after five minutes.
 */
export const createSiteFilesRoute = (): Route =>
  createStaticFilesRoute(
    '/assets/',
    readdirSync(assetsFolder).map((name) => ({
      name,
      load: () => ({ plain: readFileSync(join(assetsFolder, name)) }),
    })),
    'public, max-age=300',
  );
