import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Route } from './route';
import type { StaticContent, StaticContentOptions } from './static-content';
import { createGetRoute, createStaticContent, sendNotFoundPage, sendStaticContent } from './static-content';

/** Seen from source and from dist alike. */
const folder = join(__dirname, '..', 'assets');

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.txt': 'text/plain; charset=utf-8',
};

export interface StaticFile {
  readonly name: string;
  load(): Omit<StaticContentOptions, 'headers'>;
}

/**
 * The route of files below a path: a name that is not among them is not found, whatever it would be to a file system. Each is held in memory from
 * when it is first asked for: most of them belong to pages that few open. `cacheControl` says for how long a browser need not ask again.
 */
export function createStaticFilesRoute(path: string, assets: readonly StaticFile[], cacheControl: string): Route {
  const byName = new Map(
    assets.map((asset) => {
      const type = types[extname(asset.name)];
      if (type === undefined)
        throw new Error(
          `${path}${asset.name}: say in assets.ts which type files ending in "${extname(asset.name)}" have`,
        );
      // A script that runs as a worker obeys the policy that it comes with, not the page's.
      return [
        asset.name,
        {
          asset,
          headers: {
            'content-type': type,
            'cache-control': cacheControl,
            'content-security-policy': "default-src 'none'",
          },
        },
      ];
    }),
  );
  const held = new Map<string, StaticContent>();
  return createGetRoute(path, (request, response, asked) => {
    const name = asked.slice(path.length);
    const known = byName.get(name);
    if (!known) return sendNotFoundPage(response);
    const content = held.get(name) ?? createStaticContent({ ...known.asset.load(), headers: known.headers });
    held.set(name, content);
    return sendStaticContent(request, response, content);
  });
}

/** Names without a digest: kept for five minutes, then asked after. */
export const createSiteFilesRoute = (): Route =>
  createStaticFilesRoute(
    '/assets/',
    readdirSync(folder).map((name) => ({ name, load: () => ({ plain: readFileSync(join(folder, name)) }) })),
    'public, max-age=300',
  );
