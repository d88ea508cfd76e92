import { withoutCredentials } from '@lectern/serving';

/**
 * Parses the setting SUBGRAPH_URLS:
 * `text=http://a:4001/graphql,text=http://b:4001/graphql,search=...`. A subgraph that is listed
 * twice has two replicas. Throws an error that names the invalid pair.
 */
export function parseSubgraphUrls(setting: string): ReadonlyMap<string, readonly string[]> {
  const urls = new Map<string, string[]>();
  for (const pair of setting
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')) {
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
