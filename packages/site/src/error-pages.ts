import type { IncomingMessage, ServerResponse } from 'node:http';
import { errors, type PublicError } from '@lectern/errors';
import { sendError } from '@lectern/serving';
import Negotiator from 'negotiator';
import { html } from './html';
import { sendMessage } from './page';

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

/** Responds with 503 and the error `keysUnavailable` or `supergraphUnavailable`. */
export function sendUnavailable(request: IncomingMessage, response: ServerResponse, error: PublicError): void {
  if (!prefersHtml(request)) return sendError(response, error);
  const headers = { 'retry-after': String(error.extensions['retryAfter']) };
  return sendMessage(response, 503, 'Unavailable', error.message, headers);
}

/** Returns whether the Accept header names text/html. A client that accepts any type does not count as a browser. */
const prefersHtml = (request: IncomingMessage): boolean =>
  new Negotiator(request).mediaType(['application/json', 'text/html']) === 'text/html';
