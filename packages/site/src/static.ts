import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Route } from '@lectern/serving';
import fresh from 'fresh';
import Negotiator from 'negotiator';
import { contentSecurityPolicy, createGetRoute, type HttpHeaders, securityHeaders, sendNotFoundPage } from './page';

/** The supported content codings in order of preference: the smallest body first. */
const contentCodings = ['br', 'gzip', 'identity'] as const;

/** A body that is sent many times. `createStaticContent` makes the compressed forms that are absent. */
interface StaticBody {
  plain: Buffer;
  gzip?: Buffer;
  brotli?: Buffer;
}

/** Quality 5 takes a few milliseconds for a page, the highest quality hundreds. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

function createStaticContent(
  { plain, gzip = gzipSync(plain), brotli = brotliCompressSync(plain, brotliOptions) }: StaticBody,
  headers: HttpHeaders,
) {
  // The ETag is weak, because all content codings of a body share the ETag.
  const etag = `W/"${hash('sha256', plain, 'base64url').slice(0, 22)}"`;
  return {
    bodies: { br: brotli, gzip, identity: plain },
    headers: { ...securityHeaders, vary: 'Accept-Encoding', etag, ...headers },
  };
}

export type StaticContent = ReturnType<typeof createStaticContent>;

/** Sends the smallest coding that the client accepts, or 304 if the client has the content. */
export function sendStaticContent(
  request: IncomingMessage,
  response: ServerResponse,
  { bodies, headers }: StaticContent,
): void {
  // The request's Cache-Control is not passed to `fresh`, so that even a reload can get the status 304.
  if (fresh({ 'if-none-match': request.headers['if-none-match'] }, { etag: headers.etag })) {
    response.writeHead(304, headers).end();
    return;
  }
  const accepted = new Negotiator(request).encodings([...contentCodings]);
  const coding = contentCodings.find((each) => accepted.includes(each)) ?? 'identity';
  const body = bodies[coding];
  response
    .writeHead(200, {
      ...headers,
      ...(coding !== 'identity' && { 'content-encoding': coding }),
      'content-length': body.length,
    })
    .end(body);
}

/** Lets pages of all origins read a response. */
export const anyOrigin: HttpHeaders = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
};

/** Creates a page that is sent many times. Browsers revalidate the page at each request. */
export const createStaticPage = (text: string, mediaType: string, headers: HttpHeaders = {}): StaticContent =>
  createStaticContent(
    { plain: Buffer.from(text) },
    {
      ...headers,
      'cache-control': 'no-cache',
      'content-security-policy': contentSecurityPolicy(),
      'content-type': `${mediaType}; charset=utf-8`,
    },
  );

/** The folder `assets`. The path is valid from `src`, where tests run this file, and from `dist`. */
const assetsFolder = join(__dirname, '..', 'assets');

const mediaTypes: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.txt': 'text/plain; charset=utf-8',
};

/** Files stay in memory from their first request. Other names get 404, so that no request reaches the file system. */
export function createStaticFilesRoute(
  path: string,
  names: readonly string[],
  load: (name: string) => StaticBody,
  cacheControl: string,
): Route {
  const headersByName = new Map(names.map((name) => [name, fileHeaders(name, cacheControl)]));
  const loaded = new Map<string, StaticContent>();
  return createGetRoute(path, (request, response, requestPath) => {
    const name = requestPath.slice(path.length);
    const headers = headersByName.get(name);
    if (!headers) return sendNotFoundPage(response);
    const content = loaded.get(name) ?? createStaticContent(load(name), headers);
    loaded.set(name, content);
    return sendStaticContent(request, response, content);
  });
}

function fileHeaders(name: string, cacheControl: string): HttpHeaders {
  const type = mediaTypes[extname(name)];
  if (type === undefined) throw new Error(`${name}: add the media type of "${extname(name)}" files to static.ts`);
  return {
    'content-type': type,
    'cache-control': cacheControl,
    // A web worker obeys the policy in the response that contains its script, not the policy of the page.
    'content-security-policy': "default-src 'none'",
  };
}

export const readAsset = (name: string): Buffer => readFileSync(join(assetsFolder, name));

/** Creates the route of the files in `assets/`. Their names have no digest, so they expire after 5 minutes. */
export const createSiteFilesRoute = (): Route =>
  createStaticFilesRoute(
    '/assets/',
    // llms.txt is a template, which has a route of its own.
    readdirSync(assetsFolder).filter((name) => name !== 'llms.txt'),
    (name) => ({ plain: readAsset(name) }),
    'public, max-age=300',
  );
