import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Html } from './html';
import { html } from './html';

export interface Page {
  /** The title in the browser's tab and in search results. The site's name is appended. */
  title: string;
  main: Html;
  /** Paths of the page's own style sheets and scripts, in addition to the site's style sheet. */
  styles?: readonly string[];
  scripts?: readonly string[];
}

/** The navigation of every page. The navigation does not show the operator's pages. */
const navigation = [
  ['/explorer', 'Explorer'],
  ['/reference', 'Reference'],
  ['/changes', 'Changes'],
  ['/api-keys/request', 'Request a key'],
] as const;

/** Renders a whole HTML document. */
export const renderPage = ({ title, main, styles = [], scripts = [] }: Page): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} - Lectern</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="alternate" type="application/atom+xml" title="Changes of the API" href="/changes.atom">
<link rel="stylesheet" href="/assets/site.css">
${styles.map((path) => html`<link rel="stylesheet" href="${path}">\n`)}${scripts.map((path) => html`<script type="module" src="${path}"></script>\n`)}</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="site"><a class="name" href="/">Lectern</a><nav aria-label="Site">${navigation.map(([path, name]) => html`<a href="${path}">${name}</a>`)}</nav></header>
<main id="main" tabindex="-1">
${main}
</main>
</body>
</html>
`.markup;

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

/** Serves one path. A path that ends in a slash also serves every path below it. */
export interface Route {
  readonly path: string;
  /**
   * `path` is the path of the request, without its query string.
   * A rejection becomes a masked 500 response.
   */
  handle(request: IncomingMessage, response: ServerResponse, path: string): void | Promise<void>;
}

/** A route for GET and HEAD. Every other method gets a page with status 405. */
export const createGetRoute = (routePath: string, handle: Route['handle']): Route => ({
  path: routePath,
  handle(request, response, path) {
    if (request.method === 'GET' || request.method === 'HEAD') return handle(request, response, path);
    return sendPage(
      response,
      405,
      {
        title: 'Method not allowed',
        main: html`<h1>Method not allowed</h1><p>This page can only be read, with GET. The API itself takes <code>POST /graphql</code>.</p>`,
      },
      { allow: 'GET, HEAD' },
    );
  },
});

/** Returns the query string of a request's URL. */
export const queryOf = ({ url = '' }: IncomingMessage): URLSearchParams =>
  new URLSearchParams(url.split('?').slice(1).join('?'));
