import type { IncomingMessage } from 'node:http';

/**
 * Whether a POST comes from a page of this server, as far as the browser says. Sec-Fetch-Site comes first: it stays right behind a proxy
 * that changes the Host. Browsers too old for both headers, and programs, have the form's token alone to show.
 */
export function isSameOriginRequest({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  if (headers.origin === undefined) return true;
  return URL.canParse(headers.origin) && new URL(headers.origin).host === headers.host?.toLowerCase();
}
