import type { IncomingMessage, ServerResponse } from 'node:http';

const exposed = 'Retry-After, RateLimit, RateLimit-Policy, X-Request-Id';
const daySeconds = '86400';

/** `*`, or origins with commas between, as the setting CORS_ORIGINS has them. */
export function createCors(origins: string) {
  const allowed = new Set(origins.split(',').map((origin) => origin.trim()).filter((origin) => origin !== ''));
  const any = allowed.has('*');

  return {
    /** Before anything else is decided, so that a page can also read why it was refused. */
    setHeaders(request: IncomingMessage, response: ServerResponse): void {
      if (!any) response.setHeader('Vary', 'Origin');
      const { origin } = request.headers;
      if (!any && (origin === undefined || !allowed.has(origin))) return;
      response.setHeader('Access-Control-Allow-Origin', any ? '*' : (origin ?? ''));
      response.setHeader('Access-Control-Expose-Headers', exposed);
    },

    /** Answers any OPTIONS, without a key: browsers send none with a preflight. */
    sendPreflight(response: ServerResponse): void {
      response.writeHead(204, {
        'Access-Control-Allow-Methods': 'POST, OPTIONS',
        'Access-Control-Allow-Headers': 'Authorization, Content-Type, Accept, Lectern-Report',
        'Access-Control-Max-Age': daySeconds,
        Allow: 'POST, OPTIONS',
      }).end();
    },
  };
}

export type Cors = ReturnType<typeof createCors>;
