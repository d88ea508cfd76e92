import { validateHeaderName, validateHeaderValue } from 'node:http';
import { headerName, splitList, withoutCredentials } from '@lectern/serving';

export const isHttpLocation = (location: string): boolean => /^https?:\/\//i.test(location);

/** Parses SUBGRAPH_URLS. A subgraph that is named twice has two replicas. Throws if a pair is malformed. */
export function parseSubgraphUrls(setting: string): ReadonlyMap<string, readonly string[]> {
  const urls = new Map<string, string[]>();
  for (const pair of splitList(setting)) {
    const [, name = '', url = ''] = /^([^=\s]+)\s*=\s*(\S+)$/.exec(pair) ?? [];
    if (!/^https?:/i.test(url) || !URL.canParse(url))
      throw new Error(
        `SUBGRAPH_URLS: "${withoutCredentials(pair)}" is not a pair such as text=http://text:4001/graphql. Put commas between pairs, and name a subgraph once for each of its replicas.`,
      );
    const known = urls.get(name) ?? [];
    if (!known.includes(url)) urls.set(name, [...known, url]);
  }
  return urls;
}

/**
 * Parses headers with percent-decoded values, by lower-case name. Errors do not contain values, which may be secret.
 */
export function parseSupergraphHeaders(setting: string): Readonly<Record<string, string>> {
  const pairs = splitList(setting).map((pair, index): [name: string, value: string] => {
    const [name = '', ...rest] = pair.split('=');
    try {
      const value = decodeURIComponent(rest.join('=').trim());
      validateHeaderName(name.trim());
      validateHeaderValue(name, value);
      if (value === '') throw new Error('a header without a value');
      return [name.trim().toLowerCase(), value];
    } catch {
      throw new Error(
        `SUPERGRAPH_HEADERS: pair ${index + 1} is not a header such as X-Hive-CDN-Key=VALUE. Put commas between pairs, and write %2C for a comma and %25 for a percent sign in a value.`,
      );
    }
  });
  return Object.fromEntries(pairs);
}

/** Headers of a client that subgraphs never receive: those of one connection or body, and those that the gateway writes. */
const neverForwarded =
  /^(authorization|host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|accept|accept-encoding|content-.*|proxy-.*|x-lectern-.*)$/;

/** Parses SUBGRAPH_FORWARD_HEADERS. Returns the names in lower case. Throws an error that names an invalid one. */
export const parseForwardHeaders = (setting: string): readonly string[] =>
  splitList(setting.toLowerCase()).map((name) => {
    if (!headerName.test(name) || neverForwarded.test(name))
      throw new Error(
        `SUBGRAPH_FORWARD_HEADERS: ${JSON.stringify(name.slice(0, 60))} cannot be forwarded. Name headers of the application, such as X-Tenant, separated by commas. Authorization holds API keys, which stay in the gateway.`,
      );
    return name;
  });
