import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PublicError } from '@lectern/errors';
import { errors } from '@lectern/errors';
import { sendError } from '@lectern/serving';
import Negotiator from 'negotiator';
import { html } from './html';
import { sendPage } from './page';

/** Responds with 404 to a path that has no route: a page for browsers, JSON for other clients. */
export function sendUnknownPath(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('vary', 'Accept');
  if (prefersHtml(request)) sendNotFoundPage(response);
  else sendError(response, errors.unknownPath());
}

export const sendNotFoundPage = (response: ServerResponse): void =>
  sendPage(response, 404, {
    title: 'Not found',
    main: html`<h1>Not found</h1><p>There is no page at this address. You may be looking for the <a href="/">home page</a>, the <a href="/explorer">explorer</a> or the <a href="/reference">reference</a>. The API itself takes <code>POST /graphql</code>.</p>`,
  });

/**
 * Responds with 500 when a route failed: a page for browsers, JSON for other clients.
 * The log has the reason under the same request id.
 */
export function sendInternalError(request: IncomingMessage, response: ServerResponse, requestId: string): void {
  if (!prefersHtml(request)) return sendError(response, errors.internal(requestId));
  return sendPage(response, 500, {
    title: 'Internal error',
    main: html`<h1>Internal error</h1><p>This page could not be made because of an error in this service. Try again in a moment. If the error persists, report it to the operator of this service with this request id: <code>${requestId}</code></p>`,
  });
}

/**
 * Responds with 503 and the error `keysUnavailable` or `supergraphUnavailable`. Browsers get a
 * page, and other clients JSON.
 */
export function sendUnavailable(request: IncomingMessage, response: ServerResponse, error: PublicError): void {
  if (!prefersHtml(request)) return sendError(response, error);
  return sendPage(
    response,
    503,
    { title: 'Unavailable', main: html`<h1>Unavailable</h1><p>${error.message}</p>` },
    { 'retry-after': String(error.extensions['retryAfter']) },
  );
}

/**
 * Returns whether the client is a browser, which names text/html in its Accept header. A client
 * that accepts any type, or has no Accept header, gets JSON.
 */
const prefersHtml = (request: IncomingMessage): boolean =>
  new Negotiator(request).mediaType(['application/json', 'text/html']) === 'text/html';
