import type { IncomingMessage } from 'node:http';
import { type Route, sendText } from '@lectern/serving';

const preflightHeaders = {
  'access-control-allow-methods': 'GET, HEAD, OPTIONS',
  'access-control-allow-headers': 'Range, If-Range, If-Match, If-None-Match',
  'access-control-max-age': '86400',
};

const missing =
  'This gateway has no offline packages. Ask for `Translation.offlinePackage`, whose `url` names the server that has them. The operator can set OFFLINE_BASE_URL to the URL of that server, which is not this gateway.\n';

/** Redirects requests for offline packages to `baseUrl`, the setting OFFLINE_BASE_URL. */
export const createOfflineRedirect = (baseUrl: string): Route => ({
  path: '/offline/',
  handle(request, response, path) {
    // Pages of every origin may download packages.
    response.setHeader('access-control-allow-origin', '*');
    if (request.method === 'OPTIONS') return void response.writeHead(204, preflightHeaders).end();
    if (baseUrl === '' || isSameServer(baseUrl, request))
      return sendText(response, 404, missing, [], 'text/plain; charset=utf-8');
    // Browsers may cache the redirect, but follow another setting after an hour.
    const headers = { location: baseUrl + path, 'cache-control': 'public, max-age=3600', 'content-length': 0 };
    return void response.writeHead(308, headers).end();
  },
});

/** Returns whether a redirect would lead to the same path of this gateway, without an end. */
function isSameServer(baseUrl: string, { headers }: IncomingMessage): boolean {
  const { host, pathname } = new URL(baseUrl);
  return host === headers.host?.toLowerCase() && pathname === '/';
}
