import type { IncomingHttpHeaders } from 'node:http';
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
