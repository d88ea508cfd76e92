import type { IncomingHttpHeaders } from 'node:http';
import { parse } from 'content-type';
import Negotiator from 'negotiator';

/**
 * The media type of a response. A rejected operation has the status 400 under
 * application/graphql-response+json, and the status 200 under application/json.
 */
export type ResponseMediaType = 'application/json' | 'application/graphql-response+json';

const responseMediaTypes: readonly ResponseMediaType[] = ['application/json', 'application/graphql-response+json'];

/**
 * Returns the type that the Accept header prefers, application/json without the header, or null if
 * the Accept header excludes both types.
 */
export function negotiateMediaType(headers: IncomingHttpHeaders): ResponseMediaType | null {
  // The common values need no parsing.
  if (
    headers.accept === undefined ||
    headers.accept === '*/*' ||
    headers.accept === 'application/json' ||
    headers.accept.trim() === ''
  )
    return 'application/json';
  // Every response is UTF-8, so a requested charset of UTF-8 is ignored.
  const accept = headers.accept.replace(/;\s*charset="?utf-?8"?/gi, '');
  const [preferred] = new Negotiator({ headers: { accept } }).mediaTypes([...responseMediaTypes]);
  return responseMediaTypes.find((type) => type === preferred) ?? null;
}

/** Whether the headers declare an uncompressed JSON body in UTF-8. */
export function isJsonBody(headers: IncomingHttpHeaders): boolean {
  if (
    headers['content-type'] === 'application/json' &&
    headers['transfer-encoding'] === undefined &&
    headers['content-encoding'] === undefined
  )
    return true;
  // A transfer coding other than chunked means a compressed body.
  if (/[^\s]/.test((headers['transfer-encoding'] ?? '').replace(/^\s*chunked\s*$/i, ''))) return false;
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (encoding !== 'identity' && encoding !== '') return false;
  try {
    const { type, parameters } = parse(headers['content-type'] ?? '');
    return type === 'application/json' && /^utf-?8$/i.test(parameters['charset'] ?? 'utf-8');
  } catch {
    return false;
  }
}
