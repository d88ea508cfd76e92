import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import Negotiator from 'negotiator';
import { securityHeaders } from './send-page-with-security-headers';

/** A response body that is sent many times: compressed once, with an ETag from its digest. */
export interface StaticContent {
  readonly bodies: Readonly<Record<ContentCoding, Buffer>>;
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
}

type ContentCoding = (typeof contentCodings)[number];

/** The supported content codings in order of preference: the smallest body first. */
const contentCodings = ['br', 'gzip', 'identity'] as const;

export interface StaticContentOptions {
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
