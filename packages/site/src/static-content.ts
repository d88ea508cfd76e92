import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import Negotiator from 'negotiator';
import { html } from './html';
import { securityHeaders, sendPage } from './page';
import type { Route } from './route';

/** Something that is sent over and over: compressed once, and known by its digest. */
export interface StaticContent {
  readonly bodies: Readonly<Record<Coding, Buffer>>;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

type Coding = (typeof codings)[number];

/** The smallest first. */
const codings = ['br', 'gzip', 'identity'] as const;

export interface StaticContentOptions {
  plain: Buffer;
  /** Where they were made beforehand. */
  gzip?: Buffer;
  brotli?: Buffer;
  headers: Readonly<Record<string, string>>;
}

/** Quality 5 takes a few milliseconds for a page; the highest takes hundreds. */
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

export function createStaticContent({
  plain,
  gzip = gzipSync(plain),
  brotli = brotliCompressSync(plain, brotliOptions),
  headers,
}: StaticContentOptions): StaticContent {
  // Weak, for one page in several codings is one page.
  const etag = `W/"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`;
  return {
    bodies: { br: brotli, gzip, identity: plain },
    etag,
    headers: { ...securityHeaders, vary: 'Accept-Encoding', etag, ...headers },
  };
}

/** Sends it in the smallest coding that the client takes, or tells it that it has it. */
export function sendStaticContent(
  request: IncomingMessage,
  response: ServerResponse,
  { bodies, etag, headers }: StaticContent,
): void {
  if (holds(request.headers['if-none-match'], etag)) {
    response.writeHead(304, headers).end();
    return;
  }
  const accepted = new Negotiator(request).encodings([...codings]);
  const coding = codings.find((each) => accepted.includes(each)) ?? 'identity';
  const body = bodies[coding];
  response
    .writeHead(200, {
      ...headers,
      ...(coding !== 'identity' && { 'content-encoding': coding }),
      'content-length': body.length,
    })
    .end(body);
}

const holds = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  ifNoneMatch
    .split(',')
    .some((each) => each.trim() === '*' || each.trim().replace(/^W\//, '') === etag.replace(/^W\//, ''));

/** A route that is read, and nothing else is done with it. */
export const createGetRoute = (path: string, handle: Route['handle']): Route => ({
  path,
  handle(request, response, asked) {
    if (request.method === 'GET' || request.method === 'HEAD') return handle(request, response, asked);
    return sendPage(
      response,
      405,
      {
        title: 'Method not allowed',
        main: html`<h1>Method not allowed</h1><p>This page can only be read, with GET. The API itself takes <code>POST /graphql</code>.</p>`,
      },
      { allow: 'GET, HEAD' },
    );
  },
});

export const sendNotFoundPage = (response: ServerResponse): void =>
  sendPage(response, 404, {
    title: 'Not found',
    main: html`<h1>Not found</h1><p>There is nothing at this address. You may have meant the <a href="/">first page</a>, the <a href="/explorer">explorer</a> or the <a href="/reference">reference</a>. The API itself takes <code>POST /graphql</code>.</p>`,
  });
