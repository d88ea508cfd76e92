import type { LecternClient, RequestOptions } from './client.js';
import { InvalidResponseError } from './errors.js';

interface PageVariables {
  readonly after?: string | null | undefined;
}

/** One page of a connection, or of `concordanceIndex`, which returns a list of entries instead of edges. */
export type Page =
  | {
      readonly edges: readonly unknown[];
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
    }
  | readonly { readonly cursor: string }[];

/** The type of the items of a page: edges, or the entries of `concordanceIndex`. */
export type PageItem<P extends Page> = P extends { readonly edges: readonly (infer Edge)[] }
  ? Edge
  : P extends readonly (infer Entry)[]
    ? Entry
    : never;

/** `searchVerses`, `concordance`, `strongsConcordance`, `concordanceIndex`, `topics` or `namedPassages`. */
export type PageFunction<Variables, P extends Page> = (
  client: LecternClient,
  variables: Variables,
  options?: RequestOptions,
) => Promise<P>;

/** Yields the pages of a query, each requested when the loop needs it, within `deadlineMs`. */
export async function* pages<Variables extends PageVariables, P extends Page>(
  client: LecternClient,
  readPage: PageFunction<Variables, P>,
  variables: Variables,
  options?: RequestOptions,
): AsyncGenerator<P, void, undefined> {
  let after = variables.after;
  for (;;) {
    const page = await readPage(client, { ...variables, after }, options);
    if ('edges' in page || page.length > 0) yield page;
    const next = nextCursor(page);
    if (next === null) return;
    // Prevents an endless loop, for example if a proxy always returns the same page.
    if (next === after)
      throw new InvalidResponseError('Two pages end with the same cursor.', { code: 'INVALID_RESPONSE' });
    after = next;
  }
}

function nextCursor(page: Page): string | null {
  if ('edges' in page) return page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
  return page.at(-1)?.cursor ?? null;
}

/** Yields the edges of all pages, or the entries of `concordanceIndex`. */
export async function* edges<Variables extends PageVariables, P extends Page>(
  client: LecternClient,
  readPage: PageFunction<Variables, P>,
  variables: Variables,
  options?: RequestOptions,
): AsyncGenerator<PageItem<P>, void, undefined> {
  for await (const page of pages(client, readPage, variables, options))
    yield* ('edges' in page ? page.edges : page) as Iterable<PageItem<P>>;
}
