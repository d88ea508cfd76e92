import type { IncomingMessage, ServerResponse } from 'node:http';
import { errors, type PublicError } from '@lectern/errors';
import { type Route, sendError } from '@lectern/serving';
import escapeHtml from 'escape-html';
import Negotiator from 'negotiator';

/** Escaped HTML. Only the template tag `html` creates values of this type. */
export interface Html {
  readonly markup: string;
}

type TemplateValue = Html | readonly Html[] | string | number | false | null | undefined;

/** Template tag for HTML. Escapes every value that is not `Html`. False, null and undefined render as nothing. */
export const html = (parts: TemplateStringsArray, ...values: readonly TemplateValue[]): Html => ({
  markup: String.raw({ raw: parts }, ...values.map(render)),
});

function render(value: TemplateValue): string {
  if (value === null || value === undefined || value === false) return '';
  if (typeof value !== 'object') return escapeHtml(String(value));
  return 'markup' in value ? value.markup : value.map(({ markup }) => markup).join('');
}

/** Renders a table that can be scrolled sideways on narrow screens, with the keyboard too. */
export const renderTable = (
  name: string,
  columns: readonly string[],
  rows: readonly (readonly (Html | string)[])[],
): Html => html`<div class="scroll" role="region" aria-label="${name}" tabindex="0"><table>
<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>\n`)}</tbody>
</table></div>\n`;

export type HttpHeaders = Readonly<Record<string, string>>;

export interface Page {
  /** The title in the browser's tab. The site's name is appended. */
  title: string;
  main: Html;
  /** The paths of additional style sheets and scripts of this page. */
  styles?: readonly string[];
  scripts?: readonly string[];
}

/** The links in the navigation of every public page. The pages for operators are not included. */
const navigation = [
  ['/explorer', 'Explorer'],
  ['/reference', 'Reference'],
  ['/changes', 'Changes'],
  ['/api-keys/request', 'Request a key'],
] as const;

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

/** Allows files of this site and images in `data:` URLs. `directives` replace the defaults. */
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

/** The headers of every response that a browser renders or executes. */
export const securityHeaders: HttpHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
};

/** Sends a complete HTML page. `headers` replace the default headers. */
export function sendPage(response: ServerResponse, status: number, page: Page, headers: HttpHeaders = {}): void {
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

/** Sends a page that has a heading and one paragraph. */
export const sendMessage = (
  response: ServerResponse,
  status: number,
  title: string,
  text: Html | string,
  headers?: HttpHeaders,
): void => sendPage(response, status, { title, main: html`<h1>${title}</h1>\n<p>${text}</p>` }, headers);

/** Redirects with status 303: the browser then sends a GET, so that a reload does not submit the form again. */
export function redirect(response: ServerResponse, location: string): void {
  response.writeHead(303, { ...securityHeaders, location, 'cache-control': 'no-store', 'content-length': 0 }).end();
}

/** A route for GET and HEAD. Every other method gets a page with status 405. */
export const createGetRoute = (routePath: string, handle: Route['handle']): Route => ({
  path: routePath,
  handle(request, response, path) {
    if (request.method === 'GET' || request.method === 'HEAD') return handle(request, response, path);
    const text = html`This page can only be read, with GET. The API itself takes <code>POST /graphql</code>.`;
    return sendMessage(response, 405, 'Method not allowed', text, { allow: 'GET, HEAD' });
  },
});

// The functions below send an HTML page to browsers and JSON to other clients.

/** Responds with 404 to a path that has no route. */
export function sendUnknownPath(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('vary', 'Accept');
  if (prefersHtml(request)) sendNotFoundPage(response);
  else sendError(response, errors.unknownPath());
}

export const sendNotFoundPage = (response: ServerResponse): void =>
  sendMessage(
    response,
    404,
    'Not found',
    html`There is no page at this address. You may be looking for the <a href="/">home page</a>, the <a href="/explorer">explorer</a> or the <a href="/reference">reference</a>. The API itself takes <code>POST /graphql</code>.`,
  );

/** Responds with 500 after a route has failed. The log has the reason under the same request id. */
export function sendInternalError(request: IncomingMessage, response: ServerResponse, requestId: string): void {
  if (!prefersHtml(request)) return sendError(response, errors.internal(requestId));
  const text = html`This page could not be made because of an error in this service. Try again in a moment. If the error persists, report it to the operator of this service with this request id: <code>${requestId}</code>`;
  return sendMessage(response, 500, 'Internal error', text);
}

/** Responds with 503 and an error such as `keysUnavailable` or `supergraphUnavailable`. */
export function sendUnavailable(request: IncomingMessage, response: ServerResponse, error: PublicError): void {
  if (!prefersHtml(request)) return sendError(response, error);
  const headers = { 'retry-after': String(error.extensions['retryAfter'] ?? 2) };
  return sendMessage(response, 503, 'Unavailable', error.message, headers);
}

/** Returns whether the Accept header names text/html. A client that accepts any type does not count as a browser. */
const prefersHtml = (request: IncomingMessage): boolean =>
  new Negotiator(request).mediaType(['application/json', 'text/html']) === 'text/html';
