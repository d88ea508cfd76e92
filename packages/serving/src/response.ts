import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { errors, httpStatus, type PublicError } from '@lectern/errors';
import Negotiator from 'negotiator';

const responseMediaTypes = ['application/json', 'application/graphql-response+json'] as const;

/** A rejected operation has the status 400 with application/graphql-response+json, and 200 with application/json. */
export type ResponseMediaType = (typeof responseMediaTypes)[number];

/** In UTF-16 units. Parsing more would take longer than rejecting a request without a key. */
const maxAcceptCharacters = 1_000;

/** Returns the type that Accept prefers, or null if it excludes both. Missing, blank or too long: application/json. */
export function negotiateMediaType({ accept }: IncomingHttpHeaders): ResponseMediaType | null {
  // The usual values are compared first, because parsing takes longer.
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return 'application/json';
  if (accept.length > maxAcceptCharacters || accept.trim() === '') return 'application/json';
  // Every response satisfies `charset=utf-8`, which negotiator would not match.
  const headers = { accept: accept.replace(/;\s*charset="?utf-?8"?/gi, '') };
  const preferred = new Negotiator({ headers }).mediaType([...responseMediaTypes]);
  return responseMediaTypes.find((type) => type === preferred) ?? null;
}

/** As `negotiateMediaType`, but throws `notAcceptable` instead of returning null. */
export function acceptedMediaType(headers: IncomingHttpHeaders): ResponseMediaType {
  const mediaType = negotiateMediaType(headers);
  if (!mediaType) throw errors.notAcceptable();
  return mediaType;
}

/** Serves one path. A path that ends in a slash also serves every path below it. */
export interface Route {
  readonly path: string;
  /** Responds to a request with any method. `path` has no query string. */
  handle(request: IncomingMessage, response: ServerResponse, path: string): void | Promise<void>;
}

/** Counts a request against a rate limit. `subject` is counted, or by default the address of the client. */
export type ConsumeRateLimit = (
  request: IncomingMessage,
  subject?: string,
) => Promise<{ readonly allowed: boolean; readonly retryAfterSeconds: number }>;

/** A list of headers: name, value, name, value and so on. Node.js writes such a list without building an object. */
export type HeaderList = readonly string[];

/** Sends `body` as JSON. `headers` are added to those already set on the response. */
export function sendJson(response: ServerResponse, status: number, body: unknown, headers: HeaderList = []): void {
  sendText(response, status, JSON.stringify(body), headers);
}

/** Sends a body that is already a text, as JSON by default. */
export function sendText(
  response: ServerResponse,
  status: number,
  body: string | Buffer,
  headers: HeaderList = [],
  type = 'application/json',
): void {
  const length = String(Buffer.byteLength(body));
  response
    .writeHead(status, [
      'Content-Type',
      type,
      'Content-Length',
      length,
      'X-Content-Type-Options',
      'nosniff',
      ...headers,
    ])
    .end(body);
}

const headersByCode: Record<string, HeaderList> = {
  UNAUTHENTICATED: ['WWW-Authenticate', 'Bearer'],
  METHOD_NOT_ALLOWED: ['Allow', 'POST, OPTIONS'],
};

/** In the media type that Accept prefers: Apollo Client shows messages only with application/graphql-response+json. */
export function sendError(response: ServerResponse, error: PublicError, headers: HeaderList = []): void {
  const { code, retryAfter } = error.extensions;
  const isGraphqlJson = negotiateMediaType(response.req.headers) === 'application/graphql-response+json';
  // GraphQL over HTTP: under application/json, the status of a POST request for a document is 200.
  const isPlainPost = response.req.method === 'POST' && !isGraphqlJson;
  const status = code === errors.unknownDocumentId.code && isPlainPost ? 200 : httpStatus(code);
  sendText(
    response,
    status,
    JSON.stringify(errorBody(error)),
    [
      ...headers,
      ...(headers.includes('Allow') ? [] : (headersByCode[code] ?? [])),
      ...(typeof retryAfter === 'number' ? ['Retry-After', String(retryAfter)] : []),
    ],
    isGraphqlJson ? 'application/graphql-response+json; charset=utf-8' : 'application/json',
  );
}

export const errorBody = (error: PublicError) => ({
  errors: [{ message: error.message, extensions: error.extensions }],
});
