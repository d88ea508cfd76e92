import type { GraphQLSchema } from 'graphql';
import { printSchema } from 'graphql';
import type { StaticContent } from '../precompressed-content';
import { createStaticContent, sendStaticContent } from '../precompressed-content';
import { renderPage } from '../render-page';
import type { Route } from '../route-type-and-get-route';
import { createGetRoute } from '../route-type-and-get-route';
import { contentSecurityPolicy } from '../send-page-with-security-headers';
import type { FieldCost } from './describe-field-cost';
import { createReferencePage } from './reference-page';

export interface ReferenceOptions {
  schema: () => GraphQLSchema;
  /** Returns the costs of fields by coordinate (`Query.search`). */
  fieldCosts: () => ReadonlyMap<string, FieldCost>;
  /** Returns the names of subgraphs whose deployed schema differs from that in `schema`. */
  schemaDifferences: () => readonly string[];
}

interface RenderedReference {
  readonly page: StaticContent;
  readonly sdl: StaticContent;
}

/**
 * The headers of the reference. Browsers revalidate at each request, so that readers see a new
 * schema at once.
 */
const headers = { 'cache-control': 'no-cache', 'content-security-policy': contentSecurityPolicy() };

/**
 * The routes `/reference` (HTML) and `/schema.graphql` (SDL) for the current schema. Both are
 * rendered again only if the schema or the list of differing subgraphs changes.
 */
export function createReferenceRoutes({ schema, fieldCosts, schemaDifferences }: ReferenceOptions): Route[] {
  let latest: { schema: GraphQLSchema; differences: string; rendered: RenderedReference } | null = null;

  const rendered = (): RenderedReference => {
    const current = schema();
    const differences = schemaDifferences().join(', ');
    if (latest?.schema !== current || latest.differences !== differences)
      latest = { schema: current, differences, rendered: render(current, fieldCosts(), differences) };
    return latest.rendered;
  };

  return [
    createGetRoute('/reference', (request, response) => sendStaticContent(request, response, rendered().page)),
    createGetRoute('/schema.graphql', (request, response) => sendStaticContent(request, response, rendered().sdl)),
  ];
}

const render = (
  schema: GraphQLSchema,
  fieldCosts: ReadonlyMap<string, FieldCost>,
  differences: string,
): RenderedReference => ({
  page: createStaticContent({
    plain: Buffer.from(renderPage(createReferencePage(schema, fieldCosts, differences))),
    headers: { ...headers, 'content-type': 'text/html; charset=utf-8' },
  }),
  sdl: createStaticContent({
    plain: Buffer.from(`${printSchema(schema)}\n`),
    headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' },
  }),
});
