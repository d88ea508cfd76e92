import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HeaderList } from '@lectern/serving';

const exposedHeaders = 'Retry-After, RateLimit, RateLimit-Policy, X-Request-Id';
const daySeconds = '86400';

/**
 * Creates the CORS headers of responses. `origins` is the setting CORS_ORIGINS: `*`, or origins
 * separated by commas.
 */
export function createCors(origins: string) {
  const allowed = new Set(
    origins
      .split(',')
      .map((origin) => origin.trim())
      .filter((origin) => origin !== ''),
  );
  const allowsAll = allowed.has('*');

  const vary: HeaderList = allowsAll ? [] : ['Vary', 'Origin'];
  const headersForOrigin = (origin: string): HeaderList => [
    ...vary,
    'Access-Control-Allow-Origin',
    origin,
    'Access-Control-Expose-Headers',
    exposedHeaders,
  ];
  const headersForAll = headersForOrigin('*');

  return {
    /**
     * Returns the CORS headers of every response, errors included, so that a page can read why a
     * request was rejected.
     */
    headersFor({ headers: { origin } }: IncomingMessage): HeaderList {
      if (allowsAll) return headersForAll;
      return origin === undefined || !allowed.has(origin) ? vary : headersForOrigin(origin);
    },

    /**
     * Responds to OPTIONS requests. They need no key, because browsers send none with a preflight.
     */
    sendPreflight(response: ServerResponse, headers: HeaderList): void {
      response
        .writeHead(204, [
          ...headers,
          'Access-Control-Allow-Methods',
          'POST, OPTIONS',
          'Access-Control-Allow-Headers',
          'Authorization, Content-Type, Accept, Lectern-Report',
          'Access-Control-Max-Age',
          daySeconds,
          'Allow',
          'POST, OPTIONS',
        ])
        .end();
    },
  };
}

export type Cors = ReturnType<typeof createCors>;
