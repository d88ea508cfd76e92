import type { ServerResponse } from 'node:http';
import type { Page } from './render-page';
import { renderPage } from './render-page';

/**
 * Builds a Content-Security-Policy that allows only files of this site and images in `data:` URLs,
 * and no framing.
 * `directives` replace the directives of the same name.
 */
export const contentSecurityPolicy = (directives: Readonly<Record<string, string>> = {}): string =>
  Object.entries({
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'img-src': "'self' data:",
    'font-src': "'self'",
    'connect-src': "'self'",
    'form-action': "'self'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
    ...directives,
  })
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');

/** The headers that are sent with everything that a browser renders or executes. */
export const securityHeaders: Readonly<Record<string, string>> = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** Sends a whole page. `headers` override the default headers. */
export function sendPage(
  response: ServerResponse,
  status: number,
  page: Page,
  headers: Readonly<Record<string, string>> = {},
): void {
  const bytes = Buffer.from(renderPage(page));
  response
    .writeHead(status, {
      ...securityHeaders,
      'content-type': 'text/html; charset=utf-8',
      'content-length': bytes.length,
      'content-security-policy': contentSecurityPolicy(),
      'cache-control': 'no-store',
      ...headers,
    })
    .end(bytes);
}

/** Responds with 303: the browser sends a GET, so a reload does not submit the form again. */
export function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { ...securityHeaders, location, 'cache-control': 'no-store', 'content-length': 0 }).end();
}
