import type { IncomingMessage, ServerResponse } from 'node:http';
import { html } from './html';
import { sendPage } from './send-page-with-security-headers';

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
