import type { IncomingHttpHeaders } from 'node:http';
import Negotiator from 'negotiator';

/**
 * The media type of a response. A rejected operation has the status 400 under
 * application/graphql-response+json, and the status 200 under application/json.
 */
export type ResponseMediaType = 'application/json' | 'application/graphql-response+json';

const responseMediaTypes: readonly ResponseMediaType[] = ['application/json', 'application/graphql-response+json'];

/**
 * The maximum length of an Accept header that is parsed. Clients without a key get rejections, whose
 * type the header selects: a longer header would cost more than the rest of the rejection. Browsers
 * send about 150 characters.
 */
const maxAcceptCharacters = 1_000;

/**
 * Returns the type that the Accept header prefers, or null if the header excludes both types.
 * Returns application/json if the header is missing or blank, or has more than 1,000 characters.
 */
export function negotiateMediaType(headers: IncomingHttpHeaders): ResponseMediaType | null {
  // The common values are compared first, because parsing takes longer.
  if (
    headers.accept === undefined ||
    headers.accept === '*/*' ||
    headers.accept === 'application/json' ||
    headers.accept.length > maxAcceptCharacters ||
    headers.accept.trim() === ''
  )
    return 'application/json';
  // Every response is UTF-8, so the parameter `charset=utf-8` is removed: negotiator would not match it.
  const accept = headers.accept.replace(/;\s*charset="?utf-?8"?/gi, '');
  const [preferred] = new Negotiator({ headers: { accept } }).mediaTypes([...responseMediaTypes]);
  return responseMediaTypes.find((type) => type === preferred) ?? null;
}
