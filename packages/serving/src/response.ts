import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { httpStatus, type PublicError } from '@lectern/errors';
import Negotiator from 'negotiator';

/**
 * The media type of a response. A rejected operation has the status 400 under
 * application/graphql-response+json, and the status 200 under application/json.
 */
export type ResponseMediaType = 'application/json' | 'application/graphql-response+json';

const responseMediaTypes: readonly ResponseMediaType[] = ['application/json', 'application/graphql-response+json'];

/**
 * The maximum length of an Accept header that is parsed. Clients without a key get rejections,
 * whose type the header selects: a longer header would cost more than the rest of the rejection.
 * Browsers send about 150 characters.
 */
const maxAcceptCharacters = 1_000;

/**
 * Returns the type that the Accept header prefers, or null if the header excludes both types.
 * Returns application/json if the header is missing or blank, or has more than 1,000 characters.
 */
export function negotiateMediaType({ accept }: IncomingHttpHeaders): ResponseMediaType | null {
  // The common values are compared first, because parsing takes longer.
  if (accept === undefined || accept === '*/*' || accept === 'application/json') return 'application/json';
  if (accept.length > maxAcceptCharacters || accept.trim() === '') return 'application/json';
  // Every response is UTF-8, so the parameter `charset=utf-8` is removed: negotiator would not
  // match it.
  const headers = { accept: accept.replace(/;\s*charset="?utf-?8"?/gi, '') };
  const [preferred] = new Negotiator({ headers }).mediaTypes([...responseMediaTypes]);
  return responseMediaTypes.find((type) => type === preferred) ?? null;
}

/**
 * The headers as name, value, name, value ... Node writes this form without building an object for
 * every response.
 */
export type HeaderList = readonly string[];

/**
 * Sends `body` as JSON with its Content-Length. `headers` are added to the headers already set on
 * the response.
 */
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

/**
 * Rejects a whole HTTP request: sends the status and headers of the error's code, and the error as
 * the body. The body has the media type that the request's Accept header prefers, or
 * application/json if that header excludes both types. Apollo Client shows the message of a
 * rejection only under application/graphql-response+json.
 */
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
