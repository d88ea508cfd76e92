import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FormOptions } from './form';

interface CookieOptions extends Pick<FormOptions, 'secureCookies'> {
  name: string;
  /** The path of the cookie. Over https the path is always `/`, which the prefix `__Host-` of its name requires. */
  path: string;
}

/** Creates a cookie that scripts cannot read, and that browsers do not send with requests from other sites. */
export function createHttpOnlyCookie({ name, path, secureCookies: secure }: CookieOptions) {
  // Browsers accept the prefix __Host- only over https and from this host: no subdomain can set it.
  const options = secure ? { name: `__Host-${name}`, path: '/' } : { name, path };
  /** Sets the cookie. `maxAge` is in seconds. If it is absent, the cookie lasts until the browser is closed. */
  const write = (response: ServerResponse, value: string, maxAge?: number): void => {
    response.appendHeader(
      'set-cookie',
      stringifySetCookie({ ...options, value, httpOnly: true, sameSite: 'strict', secure, maxAge }),
    );
  };
  return {
    read: (request: IncomingMessage): string => parseCookie(request.headers.cookie ?? '')[options.name] ?? '',
    write,
    clear: (response: ServerResponse): void => write(response, '', 0),
  };
}

interface SignedCookieOptions extends CookieOptions, Pick<FormOptions, 'formSecret' | 'now'> {
  /** Texts that are signed with the id, but are not in the cookie. A cookie is valid only with the same context. */
  context: readonly string[];
  seconds: number;
}

/** Creates a cookie with an id, an expiry time and their signature. The server stores nothing. */
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
  };
}

const signText = (secret: string, text: string): string =>
  createHmac('sha256', secret).update(text).digest('base64url');

/** Compares a text with a secret. The duration reveals neither the secret's length nor where the two differ. */
export const equalsInConstantTime = (text: string, secret: string): boolean =>
  timingSafeEqual(hash('sha256', text, 'buffer'), hash('sha256', secret, 'buffer'));

const tokenSeconds = 4 * 60 * 60;

/** Matches the value of the cookie: 256 bits in url-safe base64. */
const cookiePattern = /^[\w-]{43}$/;

/**
 * CSRF tokens without a session or a store: a cookie has a random value, and the form an HMAC of it and `path`.
 * https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html
 */
export function createCsrfTokens(path: string, { formSecret, secureCookies, now }: FormOptions) {
  const cookie = createHttpOnlyCookie({ name: 'lectern-form', path, secureCookies });
  const sign = (browserId: string, expiresAt: string): string =>
    signText(formSecret, `form:${path}:${browserId}:${expiresAt}`);

  return {
    /** Creates the token of a form. Keeps an existing cookie, so that forms in several tabs stay valid. */
    issue(request: IncomingMessage, response: ServerResponse): string {
      let browserId = cookie.read(request);
      if (!cookiePattern.test(browserId)) {
        browserId = randomBytes(32).toString('base64url');
        cookie.write(response, browserId);
      }
      const expiresAt = String(now() + tokenSeconds * 1_000);
      return `${expiresAt}.${sign(browserId, expiresAt)}`;
    },

    /** Returns whether the token was issued to this browser in the last four hours. */
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
