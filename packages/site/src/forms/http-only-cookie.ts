import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseCookie, stringifySetCookie } from 'cookie';

export interface HttpOnlyCookieOptions {
  name: string;
  /** The cookie's path. Over https the `__Host-` prefix requires the path `/` instead. */
  path: string;
  /** Whether browsers connect over https. */
  secure: boolean;
}

/**
 * Creates functions for a cookie that scripts cannot read, and that browsers do not send from other
 * sites.
 */
export function createHttpOnlyCookie({ name, path, secure }: HttpOnlyCookieOptions) {
  // Browsers accept the prefix __Host- only over https and from this host: no subdomain can set it.
  const options = secure ? { name: `__Host-${name}`, path: '/' } : { name, path };
  /**
   * Sets the cookie. Without `maxAge` (in seconds), the cookie lasts until the browser is closed.
   */
  const write = (response: ServerResponse, value: string, maxAge?: number): void => {
    response.appendHeader(
      'set-cookie',
      stringifySetCookie({ ...options, value, httpOnly: true, sameSite: 'strict', secure, maxAge }),
    );
  };
  return {
    read: (request: IncomingMessage): string | null => parseCookie(request.headers.cookie ?? '')[options.name] ?? null,
    write,
    clear: (response: ServerResponse): void => write(response, '', 0),
  };
}
