import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { equalsInConstantTime } from '../forms/csrf';
import { createHttpOnlyCookie } from '../forms/http-only-cookie';

export interface KnownBrowserCookieOptions {
  /** The deployment's secret. */
  secret: string;
  /** The operators' password. A new password makes all browsers unknown. */
  password: string;
  secureCookies: boolean;
  /** The clock, in milliseconds since 1970. */
  now: () => number;
}

const knownSeconds = 180 * 24 * 60 * 60;

/**
 * Remembers the browsers in which an operator has signed in, by a signed cookie. Their attempts to
 * sign in are counted separately, so that strangers with the same address cannot exhaust the
 * attempts of an operator. The cookie alone signs nobody in.
 * https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies
 */
export function createKnownBrowserCookie({ secret, password, secureCookies, now }: KnownBrowserCookieOptions) {
  const cookie = createHttpOnlyCookie({ name: 'lectern-known-browser', path: '/admin', secure: secureCookies });
  const sign = (id: string, expiresAt: string): string =>
    createHmac('sha256', secret)
      .update(JSON.stringify(['known browser', id, expiresAt, password]))
      .digest('base64url');

  /** Returns the id of a known browser. Returns null for any other browser. */
  const find = (request: IncomingMessage): string | null => {
    const [expiresAt = '', id = '', signature = ''] = (cookie.read(request) ?? '').split('.');
    return equalsInConstantTime(signature, sign(id, expiresAt)) && Number(expiresAt) >= now() ? id : null;
  };

  return {
    find,
    /** Makes the browser known, or known for longer. A known browser keeps its id. */
    remember(request: IncomingMessage, response: ServerResponse): void {
      const id = find(request) ?? randomBytes(16).toString('base64url');
      const expiresAt = String(now() + knownSeconds * 1_000);
      cookie.write(response, `${expiresAt}.${id}.${sign(id, expiresAt)}`, knownSeconds);
    },
  };
}
