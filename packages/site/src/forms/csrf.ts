import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createHttpOnlyCookie, equalsInConstantTime, signText } from './cookies';
import type { FormOptions } from './form';

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
