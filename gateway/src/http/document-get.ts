import type { IncomingMessage } from 'node:http';
import { errors } from '@lectern/errors';
import { acceptedMediaType, type HeaderList, isJsonObject, type ResponseMediaType } from '@lectern/serving';
import type { RequestParams } from '../documents/resolve';

/** The path of `GET /documents/ID?variables=JSON`, which HTTP caches may keep. */
export const documentsPath = '/documents/';

/** How HTTP caches may keep responses to `GET /documents/ID`. */
export interface DocumentGetSettings {
  /** `public` lets shared caches send a response to clients without a key. */
  readonly caches: 'private' | 'public';
  /** How long a response is fresh at most, in seconds. */
  readonly maxSeconds: number;
}

/** Returns the media type of the response. Throws `documentMethodNotAllowed` or `notAcceptable`. */
export function checkDocumentHead({ method, headers }: IncomingMessage): ResponseMediaType {
  if (method !== 'GET' && method !== 'HEAD') throw errors.documentMethodNotAllowed();
  return acceptedMediaType(headers);
}

const usage =
  'The address of a document is /documents/ID, with the parameters "variables" and "operationName" at most once each, in percent-encoded UTF-8.';

/** Parses the address of a document. Throws `invalidBody`. */
export function parseDocumentUrl(url: string): RequestParams {
  const { id, query } = splitUrl(url);
  if (id === '') throw errors.invalidBody(usage);
  for (const name of query.keys())
    if (!['variables', 'operationName'].includes(name) || query.getAll(name).length > 1)
      throw errors.invalidBody(usage);
  return {
    query: null,
    variables: parseVariables(query.get('variables')),
    operationName: query.get('operationName'),
    documentId: id.replace(/^sha256:/, ''),
    isPersistedQuery: false,
  };
}

function splitUrl(url: string): { id: string; query: URLSearchParams } {
  const start = url.indexOf('?');
  const [path, query] = start < 0 ? [url, ''] : [url.slice(0, start), url.slice(start + 1)];
  try {
    // URLSearchParams would replace malformed percent-encoding instead of rejecting it.
    decodeURIComponent(query);
    return { id: decodeURIComponent(path.slice(documentsPath.length)), query: new URLSearchParams(query) };
  } catch {
    throw errors.invalidBody(usage);
  }
}

function parseVariables(text: string | null): Readonly<Record<string, unknown>> | null {
  if (text === null) return null;
  try {
    const value: unknown = JSON.parse(text);
    if (value === null || isJsonObject(value)) return value;
  } catch {
    // Rejected below.
  }
  throw errors.invalidBody('The parameter "variables" must be a JSON object, such as variables={"verse":16}.');
}

/** The headers of a response that no HTTP cache may keep. */
export const noStoreHeaders: HeaderList = ['Cache-Control', 'no-store'];

/** Returns the request headers on which responses depend, beside those of every response: for the header `Vary`. */
export const documentVary = (forwardHeaders: readonly string[]): HeaderList => [
  'Vary',
  ['Lectern-Report', ...forwardHeaders].join(', '),
];

/** How long a response may be kept, and whether it has restricted texts. */
interface Cacheable {
  readonly maxAge: number;
  readonly isRestricted: boolean;
}

const isPublicResponse = ({ caches }: DocumentGetSettings, { isRestricted }: Cacheable): boolean =>
  caches === 'public' && !isRestricted;

/** The headers about one request and its key, in lower case. */
const headersOfOneRequest = new Set(['x-request-id', 'ratelimit', 'ratelimit-policy']);

/** Returns the headers that may be kept: a public response goes to others than the key that has requested it. */
export const keptHeaders = (headers: HeaderList, settings: DocumentGetSettings, response: Cacheable): HeaderList =>
  isPublicResponse(settings, response)
    ? // The list has names and values in turn.
      headers.filter((_, at) => !headersOfOneRequest.has(String(headers[at - (at % 2)]).toLowerCase()))
    : headers;

/**
 * Lets HTTP caches keep a response, at most for `maxAge` seconds. A private one is kept apart by key, for its rights.
 */
export function cachingHeaders(settings: DocumentGetSettings, response: Cacheable): HeaderList {
  const isPublic = isPublicResponse(settings, response);
  const seconds = Math.floor(Math.min(settings.maxSeconds, response.maxAge));
  return [
    'Cache-Control',
    `${isPublic ? 'public' : 'private'}, max-age=${seconds}`,
    ...(isPublic ? [] : ['Vary', 'Authorization']),
  ];
}
