import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseCookie, stringifySetCookie } from 'cookie';

export interface HttpOnlyCookieOptions {
  name: string;
  /** Below which path it is sent, where the connection is not secure. */
  path: string;
  /** Whether browsers come over https. */
  secure: boolean;
}

/** A cookie that scripts cannot read and other sites' pages cannot send. */
export function createHttpOnlyCookie({ name, path, secure }: HttpOnlyCookieOptions) {
  // A browser takes the prefix from this very host over https alone, and only for the whole host: no neighbour can plant such a cookie.
  const options = secure ? { name: `__Host-${name}`, path: '/' } : { name, path };
  const write = (response: ServerResponse, value: string, maxAge?: number): void => {
    response.appendHeader(
      'set-cookie',
      stringifySetCookie({ ...options, value, httpOnly: true, sameSite: 'strict', secure, maxAge }),
    );
  };
  return {
    read: (request: IncomingMessage): string | null => parseCookie(request.headers.cookie ?? '')[options.name] ?? null,
    /** Without `seconds` it lasts until the browser is closed. */
    write,
    clear: (response: ServerResponse): void => write(response, '', 0),
  };
}

export type HttpOnlyCookie = ReturnType<typeof createHttpOnlyCookie>;
