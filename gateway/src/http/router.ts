import type { Route } from '@lectern/site';

/** The route of a path: the exact one, else the longest that it lies below. */
export function createRouter(routes: readonly Route[]) {
  const exact = new Map(routes.map((route) => [route.path, route]));
  const below = routes
    .filter((route) => route.path.endsWith('/') && route.path !== '/')
    .sort((a, b) => b.path.length - a.path.length);
  return (path: string): Route | null => exact.get(path) ?? below.find((route) => path.startsWith(route.path)) ?? null;
}
