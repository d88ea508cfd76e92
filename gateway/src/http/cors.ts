import type { IncomingMessage, ServerResponse } from 'node:http';
import { type HeaderList, headerName, splitList } from '@lectern/serving';

/** X-API-Key does not authenticate, but pages that send it can then read the 401, which says how to send the key. */
const allowedRequestHeaders: readonly string[] = [
  'Accept',
  'Authorization',
  'Content-Type',
  'If-None-Match',
  'Lectern-Report',
  'Apollo-Require-Preflight',
  'ApolloGraphQL-Client-Name',
  'ApolloGraphQL-Client-Version',
  'Baggage',
  'GraphQL-Client-Name',
  'GraphQL-Client-Version',
  'Traceparent',
  'Tracestate',
  'X-API-Key',
  'X-Apollo-Operation-Id',
  'X-Apollo-Operation-Name',
  'X-Apollo-Operation-Type',
  'X-Request-Id',
];

/** The response headers that pages may read, beside those that browsers always expose. */
const exposedHeaders = [
  'X-Request-Id',
  'Retry-After',
  'RateLimit',
  'RateLimit-Policy',
  'Deprecation',
  'ETag',
  'Link',
  'Allow',
  'WWW-Authenticate',
].join(', ');

const daySeconds = '86400';
const maxAddedHeaders = 100;

/** Parses the setting CORS_HEADERS. Throws an error that names the invalid part. */
export function parseCorsHeaders(text: string): readonly string[] {
  const names = splitList(text);
  if (names.length > maxAddedHeaders)
    throw new Error(`CORS_HEADERS must have at most ${maxAddedHeaders} names, not ${names.length}.`);
  const invalid = names.find((name) => !headerName.test(name));
  if (invalid !== undefined)
    throw new Error(
      `CORS_HEADERS must be names of request headers, separated by commas, such as "Sentry-Trace, X-App-Version"; ${JSON.stringify(invalid.slice(0, 60))} is not a header name.`,
    );
  return names;
}

export interface CorsSettings {
  /** The setting CORS_ORIGINS: `*`, or origins separated by commas. */
  origins: string;
  /** The setting CORS_HEADERS: the request headers that are allowed in addition. */
  headers?: string;
}

export function createCors({ origins, headers = '' }: CorsSettings) {
  const allowedHeaders = [...allowedRequestHeaders, ...parseCorsHeaders(headers)].join(', ');
  const allowed = new Set(splitList(origins));
  const allowsAll = allowed.has('*');

  /** Returns the value of Access-Control-Allow-Origin, or null if the request's origin is not allowed. */
  const allowedOrigin = ({ headers: { origin } }: IncomingMessage): string | null => {
    if (allowsAll) return '*';
    return origin !== undefined && allowed.has(origin) ? origin : null;
  };

  const vary: HeaderList = ['Vary', `Accept, Accept-Encoding${allowsAll ? '' : ', Origin'}`];
  const headersForOrigin = (origin: string): HeaderList => [
    ...vary,
    'Access-Control-Allow-Origin',
    origin,
    'Access-Control-Expose-Headers',
    exposedHeaders,
  ];
  const headersForAll = headersForOrigin('*');

  return {
    /** Returns the CORS headers of a response. Errors have the headers too, so that a page can read the error. */
    headersFor(request: IncomingMessage): HeaderList {
      if (allowsAll) return headersForAll;
      const origin = allowedOrigin(request);
      return origin === null ? vary : headersForOrigin(origin);
    },

    /**
     * Responds to OPTIONS, which needs no key, the same for all requested headers. GET is not allowed for /graphql:
     * browsers send it without a preflight, and its response says to use POST.
     */
    sendPreflight(request: IncomingMessage, response: ServerResponse, methods: string): void {
      const origin = allowedOrigin(request);
      response
        .writeHead(204, [
          ...(allowsAll ? [] : ['Vary', 'Origin']),
          ...(origin === null ? [] : ['Access-Control-Allow-Origin', origin]),
          'Access-Control-Allow-Methods',
          methods,
          'Access-Control-Allow-Headers',
          allowedHeaders,
          'Access-Control-Max-Age',
          daySeconds,
          'Allow',
          methods,
        ])
        .end();
    },
  };
}

export type Cors = ReturnType<typeof createCors>;
