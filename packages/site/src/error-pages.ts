import type { IncomingMessage, ServerResponse } from 'node:http';
import { errors } from '@lectern/errors';
import { errorBody, sendError, sendJson } from '@lectern/serving';
import Negotiator from 'negotiator';
import { html } from './html';
import { sendPage } from './page';
import { sendNotFoundPage } from './static-content';

/** Where nothing is served: a page that leads on for people, JSON for programs. */
export function sendUnknownPath(request: IncomingMessage, response: ServerResponse): void {
  response.setHeader('vary', 'Accept');
  if (asksForPage(request)) sendNotFoundPage(response);
  else sendError(response, errors.unknownPath());
}

/** What is left of a page that could not be made. The id stands in the log beside the reason. */
export function sendInternalError(request: IncomingMessage, response: ServerResponse, requestId: string): void {
  const fault = errors.internal();
  if (!asksForPage(request))
    return sendJson(
      response,
      errors.internal.status ?? 500,
      errorBody(Object.assign(fault, { extensions: { ...fault.extensions, requestId } })),
    );
  return sendPage(response, 500, {
    title: 'A fault of ours',
    main: html`<h1>A fault of ours</h1><p>This page could not be made. Try again in a moment; when it stays so, tell whoever runs this service, with this number: <code>${requestId}</code></p>`,
  });
}

/** Browsers name the type. Who takes anything, or says nothing, gets the first, as programs do. */
const asksForPage = (request: IncomingMessage): boolean =>
  new Negotiator(request).mediaType(['application/json', 'text/html']) === 'text/html';
