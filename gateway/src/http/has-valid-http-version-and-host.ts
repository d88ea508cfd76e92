import type { IncomingMessage } from 'node:http';

/** The host and port of a URL contain none of these characters. */
const invalidInHost = /[\s/?#@\\]/;

/**
 * Returns whether the request line and the Host header fit RFC 9112. Node's parser also accepts a
 * request line without a version (HTTP/0.9), HTTP/2.0, and several Host headers, of which node
 * keeps the first. A proxy in front of the gateway may route the request by another Host header.
 */
export function hasValidHttpVersionAndHost({ httpVersion, headers: { host }, rawHeaders }: IncomingMessage): boolean {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return false;
  if (host === undefined) return httpVersion === '1.0';
  return !invalidInHost.test(host) && countHosts(rawHeaders) === 1;
}

/** Counts the Host headers in a list of name, value, name, value ... */
function countHosts(rawHeaders: readonly string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index];
    if (name?.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count;
}
