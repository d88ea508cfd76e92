import type { IncomingMessage, ServerResponse } from 'node:http';

/** What serves one path; a path that ends in a slash serves everything below it too. */
export interface Route {
  readonly path: string;
  /** `path` is the request's own, without its query. A rejection becomes a masked 500. */
  handle(request: IncomingMessage, response: ServerResponse, path: string): void | Promise<void>;
}

/** The route of a path: the exact one, else the longest that it lies below. */
export function createRouter(routes: readonly Route[]) {
  const exact = new Map(routes.map((route) => [route.path, route]));
  const below = routes.filter((route) => route.path.endsWith('/') && route.path !== '/').sort((a, b) => b.path.length - a.path.length);
  return (path: string): Route | null => exact.get(path) ?? below.find((route) => path.startsWith(route.path)) ?? null;
}
