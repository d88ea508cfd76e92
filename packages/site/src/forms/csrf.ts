import { createHmac, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createHttpOnlyCookie } from './http-only-cookie';
import { equalsInConstantTime } from './same-text';

export interface CsrfTokensOptions {
  /** The deployment's secret, the same on every gateway. */
  secret: string;
  /** Below which path the forms are; tokens of one path are good for nothing under another. */
  path: string;
  secure: boolean;
  /** How long a form may stay open. */
  seconds: number;
  now: () => number;
}

/** 256 bits as url-safe base64. */
const cookiePattern = /^[\w-]{43}$/;

/**
 * Tokens that show that a form was made for the browser that sends it, with nothing to remember here: a random cookie, and in the form an
 * HMAC over it. https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html
 */
export function createCsrfTokens({ secret, path, secure, seconds, now }: CsrfTokensOptions) {
  const cookie = createHttpOnlyCookie({ name: 'lectern-form', path, secure });
  const readCookie = (request: IncomingMessage): string | null => {
    const value = cookie.read(request) ?? '';
    return cookiePattern.test(value) ? value : null;
  };
  const sign = (browser: string, until: string): string =>
    createHmac('sha256', secret).update(`form:${path}:${browser}:${until}`).digest('base64url');

  return {
    /** For a form on its way out. A browser keeps its cookie, so that forms in several tabs stay good. */
    issue(request: IncomingMessage, response: ServerResponse): string {
      const known = readCookie(request);
      const browser = known ?? randomBytes(32).toString('base64url');
      if (known === null) cookie.write(response, browser);
      const until = String(now() + seconds * 1_000);
      return `${until}.${sign(browser, until)}`;
    },

    accepts(request: IncomingMessage, token: string): boolean {
      const browser = readCookie(request);
      const [until = '', signature = ''] = token.split('.');
      return browser !== null && equalsInConstantTime(signature, sign(browser, until)) && Number(until) >= now();
    },
  };
}

export type CsrfTokens = ReturnType<typeof createCsrfTokens>;
