import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Route } from '../http/routes';
import { createContent, readOnly, sendContent, sendNotFound } from './content';
import type { Content, ContentParts } from './content';

/** Seen from source and from dist alike. */
const folder = join(__dirname, '..', '..', 'assets');

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.txt': 'text/plain; charset=utf-8',
};

export interface Asset extends Omit<ContentParts, 'headers'> {
  readonly name: string;
}

/**
 * The route of files below a path, all held in memory: a name that is not among them is not found, whatever it would be to a file system.
 * `cacheControl` says for how long a browser need not ask again.
 */
export function createAssetsRoute(path: string, assets: readonly Asset[], cacheControl: string): Route {
  const byName = new Map<string, Content>(assets.map(({ name, ...parts }) => {
    const type = types[extname(name)];
    if (type === undefined) throw new Error(`${path}${name}: say in assets.ts which type files ending in "${extname(name)}" have`);
    // A script that runs as a worker obeys the policy that it comes with, not the page's.
    return [name, createContent({ ...parts, headers: { 'content-type': type, 'cache-control': cacheControl, 'content-security-policy': "default-src 'none'" } })];
  }));
  return readOnly(path, (request, response, asked) => {
    const content = byName.get(asked.slice(path.length));
    if (content) sendContent(request, response, content);
    else sendNotFound(response);
  });
}

/** Names without a digest: kept for five minutes, then asked after. */
export const createSiteAssets = (): Route =>
  createAssetsRoute('/assets/', readdirSync(folder).map((name) => ({ name, plain: readFileSync(join(folder, name)) })), 'public, max-age=300');
