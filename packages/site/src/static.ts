import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import Negotiator from 'negotiator';
import { sendNotFoundPage } from './errors';
import type { Route } from './page';
import { createGetRoute, securityHeaders } from './page';

/** A response body that is sent many times: compressed once, with an ETag from its digest. */
export interface StaticContent {
  readonly bodies: Readonly<Record<ContentCoding, Buffer>>;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

type ContentCoding = (typeof contentCodings)[number];

/** The supported content codings in order of preference: the smallest body first. */
const contentCodings = ['br', 'gzip', 'identity'] as const;

interface StaticContentOptions {
  plain: Buffer;
  /** The compressed bodies. If they are absent, `createStaticContent` compresses `plain`. */
  gzip?: Buffer;
  brotli?: Buffer;
  headers: Readonly<Record<string, string>>;
}

/**
 * The options of brotli. Quality 5 takes a few milliseconds for a page, and the highest quality
 * takes hundreds.
 */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

export function createStaticContent({
  plain,
  gzip = gzipSync(plain),
  brotli = brotliCompressSync(plain, brotliOptions),
  headers,
}: StaticContentOptions): StaticContent {
  // The ETag is weak, because all content codings of a body share the ETag.
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  return {
    bodies: { br: brotli, gzip, identity: plain },
    etag,
    headers: { ...securityHeaders, vary: 'Accept-Encoding', etag, ...headers },
  };
}

/** Sends the smallest coding that the client accepts, or 304 if the client has the content. */
export function sendStaticContent(
  request: IncomingMessage,
  response: ServerResponse,
  { bodies, etag, headers }: StaticContent,
): void {
  if (matchesEtag(request.headers['if-none-match'], etag)) {
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

/**
 * Returns whether an ETag matches If-None-Match. The comparison is weak, as RFC 9110 section 13.1.2
 * requires.
 */
const matchesEtag = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  ifNoneMatch
    .split(',')
    .some((each) => each.trim() === '*' || each.trim().replace(/^W\//, '') === etag.replace(/^W\//, ''));

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
