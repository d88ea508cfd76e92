import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseCookie, stringifySetCookie } from 'cookie';

interface HttpOnlyCookieOptions {
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

interface CsrfTokensOptions {
  /**
   * The deployment's secret.
   * All gateways share it, so each accepts forms that another gateway issued.
   */
  secret: string;
  /** The path of the cookie. Tokens of one path are not valid for another. */
  path: string;
  /** Whether browsers connect over https. */
  secure: boolean;
  /** The time for which a token is valid, in seconds. */
  seconds: number;
  /** The clock, in milliseconds since 1970. */
  now: () => number;
}

/** The pattern of the cookie's value: 256 bits in url-safe base64. */
const cookiePattern = /^[\w-]{43}$/;

/**
 * Creates CSRF tokens for forms without a session: a random cookie, and in the form an HMAC of this
 * cookie. Nothing is stored.
 * https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html
 */
export function createCsrfTokens({ secret, path, secure, seconds, now }: CsrfTokensOptions) {
  const cookie = createHttpOnlyCookie({ name: 'lectern-form', path, secure });
  const readCookie = (request: IncomingMessage): string | null => {
    const value = cookie.read(request) ?? '';
    return cookiePattern.test(value) ? value : null;
  };
  const sign = (browserId: string, expiresAt: string): string =>
    createHmac('sha256', secret).update(`form:${path}:${browserId}:${expiresAt}`).digest('base64url');

  return {
    /**
     * Creates the token of a new form.
     * Reuses the browser's cookie, so that forms in several tabs stay valid.
     */
    issue(request: IncomingMessage, response: ServerResponse): string {
      const known = readCookie(request);
      const browserId = known ?? randomBytes(32).toString('base64url');
      if (known === null) cookie.write(response, browserId);
      const expiresAt = String(now() + seconds * 1_000);
      return `${expiresAt}.${sign(browserId, expiresAt)}`;
    },

    /** Returns whether the token was issued to this browser and has not expired. */
    verify(request: IncomingMessage, token: string): boolean {
      const browserId = readCookie(request);
      const [expiresAt = '', signature = ''] = token.split('.');
      return (
        browserId !== null && equalsInConstantTime(signature, sign(browserId, expiresAt)) && Number(expiresAt) >= now()
      );
    },
  };
}

/**
 * Returns whether the headers of a POST say that the request comes from a page of this origin.
 * Sec-Fetch-Site takes precedence: it stays correct behind a proxy that changes the Host header.
 * Also returns true for a client that sends neither header, whose only protection is the CSRF
 * token.
 */
export function isSameOriginRequest({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  if (headers.origin === undefined) return true;
  return URL.canParse(headers.origin) && new URL(headers.origin).host === headers.host?.toLowerCase();
}

/**
 * Compares a text with a secret. The time taken reveals neither the position of the first
 * difference nor the length of the secret.
 */
export const equalsInConstantTime = (text: string, secret: string): boolean =>
  timingSafeEqual(sha256(text), sha256(secret));

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();
