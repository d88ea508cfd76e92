import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HeaderList } from '@lectern/serving';

const exposed = 'Retry-After, RateLimit, RateLimit-Policy, X-Request-Id';
const daySeconds = '86400';

/** `*`, or origins with commas between, as the setting CORS_ORIGINS has them. */
export function createCors(origins: string) {
  const allowed = new Set(
    origins
      .split(',')
      .map((origin) => origin.trim())
      .filter((origin) => origin !== ''),
  );
  const any = allowed.has('*');

  const vary: HeaderList = any ? [] : ['Vary', 'Origin'];
  const headersFor = (origin: string): HeaderList => [
    ...vary,
    'Access-Control-Allow-Origin',
    origin,
    'Access-Control-Expose-Headers',
    exposed,
  ];
  const forAll = headersFor('*');

  return {
    /** On every answer, so that a page can also read why it was refused. */
    headersOf({ headers: { origin } }: IncomingMessage): HeaderList {
      if (any) return forAll;
      return origin === undefined || !allowed.has(origin) ? vary : headersFor(origin);
    },

    /** Answers any OPTIONS, without a key: browsers send none with a preflight. */
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
