import type { IncomingMessage, ServerResponse } from 'node:http';

/** Serves one path. A path that ends in a slash also serves every path below it. */
export interface Route {
  readonly path: string;
  /** `path` is the path of the request, without its query string. A rejection becomes a masked 500 response. */
  handle(request: IncomingMessage, response: ServerResponse, path: string): void | Promise<void>;
}
