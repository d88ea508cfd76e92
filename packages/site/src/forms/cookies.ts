import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FormOptions } from './form';

interface CookieOptions {
  name: string;
  /** The cookie's path. Over https the `__Host-` prefix requires the path `/` instead. */
  path: string;
  /** Whether browsers connect over https. */
  secureCookies: boolean;
}

/** A cookie that scripts cannot read, and that browsers do not send from other sites. */
export function createHttpOnlyCookie({ name, path, secureCookies: secure }: CookieOptions) {
  // Browsers accept the prefix __Host- only over https and from this host: no subdomain can set it.
  const options = secure ? { name: `__Host-${name}`, path: '/' } : { name, path };
  /** Without `maxAge` (in seconds), the cookie lasts until the browser is closed. */
  const write = (response: ServerResponse, value: string, maxAge?: number): void => {
    response.appendHeader(
      'set-cookie',
      stringifySetCookie({ ...options, value, httpOnly: true, sameSite: 'strict', secure, maxAge }),
    );
  };
  return {
    /** Returns '' without the cookie. */
    read: (request: IncomingMessage): string => parseCookie(request.headers.cookie ?? '')[options.name] ?? '',
    write,
    clear: (response: ServerResponse): void => write(response, '', 0),
  };
}

interface SignedCookieOptions extends CookieOptions {
  /** The deployment's secret, the same on every gateway. */
  formSecret: string;
  /** Is signed with the id, and not sent: a cookie with another context is not valid. */
  context: readonly string[];
  seconds: number;
  now: () => number;
}

/** A cookie with an id, an expiry and the signature of both. Nothing is stored. */
export function createSignedCookie({ formSecret, context, seconds, now, ...options }: SignedCookieOptions) {
  const cookie = createHttpOnlyCookie(options);
  const sign = (id: string, expiresAt: string): string =>
    signText(formSecret, JSON.stringify([...context, id, expiresAt]));
  return {
    /** Returns the id, or null if the cookie is missing, forged or expired. */
    read(request: IncomingMessage): string | null {
      const [expiresAt = '', id = '', signature = ''] = cookie.read(request).split('.');
      return equalsInConstantTime(signature, sign(id, expiresAt)) && Number(expiresAt) >= now() ? id : null;
    },
    write(response: ServerResponse, id: string): void {
      const expiresAt = String(now() + seconds * 1_000);
      cookie.write(response, `${expiresAt}.${id}.${sign(id, expiresAt)}`, seconds);
    },
    clear: cookie.clear,
  };
}

const signText = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text).digest('base64url');

/** The time taken reveals neither the first difference nor the length of the secret. */
export const equalsInConstantTime = (text: string, secret: string): boolean =>
  timingSafeEqual(sha256(text), sha256(secret));

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

const tokenSeconds = 4 * 60 * 60;

/** The cookie's value: 256 bits in url-safe base64. */
const cookiePattern = /^[\w-]{43}$/;

/**
 * CSRF tokens for forms without a session: a random cookie, and in the form an HMAC of this cookie.
 * Nothing is stored. Tokens of one `path` are not valid for another.
 * https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html
 */
export function createCsrfTokens(path: string, { formSecret, secureCookies, now }: FormOptions) {
  const cookie = createHttpOnlyCookie({ name: 'lectern-form', path, secureCookies });
  const sign = (browserId: string, expiresAt: string): string =>
    signText(formSecret, `form:${path}:${browserId}:${expiresAt}`);

  return {
    /** Creates the token of a form. Reuses the cookie, so that forms in several tabs stay valid. */
    issue(request: IncomingMessage, response: ServerResponse): string {
      let browserId = cookie.read(request);
      if (!cookiePattern.test(browserId)) {
        browserId = randomBytes(32).toString('base64url');
        cookie.write(response, browserId);
      }
      const expiresAt = String(now() + tokenSeconds * 1_000);
      return `${expiresAt}.${sign(browserId, expiresAt)}`;
    },

    /** Whether the token was issued to this browser in the last four hours. */
    verify(request: IncomingMessage, token: string): boolean {
      const browserId = cookie.read(request);
      const [expiresAt = '', signature = ''] = token.split('.');
      return (
        cookiePattern.test(browserId) &&
        equalsInConstantTime(signature, sign(browserId, expiresAt)) &&
        Number(expiresAt) >= now()
      );
    },
  };
}
