import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { httpStatus, type PublicError } from '@lectern/errors';
import Negotiator from 'negotiator';

const responseMediaTypes = ['application/json', 'application/graphql-response+json'] as const;

/** A rejected operation has the status 400 under the first of them, and 200 under the second. */
export type ResponseMediaType = (typeof responseMediaTypes)[number];

/** Clients without a key could send longer headers, which would cost more than their rejection. */
const maxAcceptCharacters = 1_000;

/**
 * Returns the type that the Accept header prefers, or null if the header excludes both types.
 * Returns application/json if the header is missing or blank, or has more than 1,000 characters.
 */
export function negotiateMediaType({ accept }: IncomingHttpHeaders): ResponseMediaType | null {
  // Parsing takes longer than to compare the usual values.
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return 'application/json';
  if (accept.length > maxAcceptCharacters || accept.trim() === '') return 'application/json';
  // Every response is UTF-8. negotiator would not match the parameter `charset=utf-8`.
  const headers = { accept: accept.replace(/;\s*charset="?utf-?8"?/gi, '') };
  const preferred = new Negotiator({ headers }).mediaType([...responseMediaTypes]);
  return responseMediaTypes.find((type) => type === preferred) ?? null;
}

/** Headers as name, value, name, value ..., which node writes without building an object. */
export type HeaderList = readonly string[];

/** Sends `body` as JSON, with `headers` beside those already set on the response. */
export function sendJson(response: ServerResponse, status: number, body: unknown, headers: HeaderList = []): void {
  sendText(response, status, JSON.stringify(body), headers);
}

/** Sends a body that is already serialized. */
export function sendText(
  response: ServerResponse,
  status: number,
  body: string | Buffer,
  headers: HeaderList = [],
  type = 'application/json',
): void {
  response
    .writeHead(status, ['Content-Type', type, 'Content-Length', String(Buffer.byteLength(body)), ...headers])
    .end(body);
}

const headersByCode: Record<string, HeaderList> = {
  UNAUTHENTICATED: ['WWW-Authenticate', 'Bearer'],
  METHOD_NOT_ALLOWED: ['Allow', 'POST, OPTIONS'],
};

/** As Accept prefers: Apollo Client shows messages under application/graphql-response+json. */
export function sendError(response: ServerResponse, error: PublicError, headers: HeaderList = []): void {
  const { code, retryAfter } = error.extensions;
  const isGraphqlJson = negotiateMediaType(response.req.headers) === 'application/graphql-response+json';
  sendText(
    response,
    httpStatus(code),
    JSON.stringify(errorBody(error)),
    [
      ...headers,
      ...(headersByCode[code] ?? []),
      ...(typeof retryAfter === 'number' ? ['Retry-After', String(retryAfter)] : []),
    ],
    isGraphqlJson ? 'application/graphql-response+json; charset=utf-8' : 'application/json',
  );
}

/** The body of a rejected request: a GraphQL response without `data`. */
export const errorBody = (error: PublicError) => ({
  errors: [{ message: error.message, extensions: error.extensions }],
});
