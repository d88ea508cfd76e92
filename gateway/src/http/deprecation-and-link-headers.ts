import type { HeaderList } from '@lectern/serving';
import type { Deprecation } from '../validation/operation';

/** The maximum number of links in one response, because proxies limit the length of headers. */
const maxLinks = 10;

/**
 * Returns the headers `Deprecation` (RFC 9745) and `Link` of a response to an operation that uses
 * deprecated fields or arguments. `Deprecation` is the earliest date of a deprecation. The links
 * lead to the page `/changes`.
 */
export function deprecationHeaders(deprecations: readonly Deprecation[]): HeaderList {
  if (deprecations.length === 0) return [];
  const times = deprecations.flatMap(({ since }) => (since === null ? [] : [Date.parse(since) / 1_000]));
  const links = deprecations
    .slice(0, maxLinks)
    .map(({ coordinate }) => `</changes#${encodeURIComponent(coordinate)}>; rel="deprecation"; type="text/html"`);
  return [...(times.length === 0 ? [] : ['Deprecation', `@${Math.min(...times)}`]), 'Link', links.join(', ')];
}
