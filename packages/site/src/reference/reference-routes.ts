import type { GraphQLSchema } from 'graphql';
import { printSchema } from 'graphql';
import { contentSecurityPolicy, renderPage } from '../page';
import type { Route } from '../route';
import type { StaticContent } from '../static-content';
import { createGetRoute, createStaticContent, sendStaticContent } from '../static-content';
import type { FieldCost } from './field-cost';
import { createReferencePage } from './reference-page';

export interface ReferenceOptions {
  schema: () => GraphQLSchema;
  fieldCosts: () => ReadonlyMap<string, FieldCost>;
}

interface Rendered {
  readonly page: StaticContent;
  readonly sdl: StaticContent;
}

/** Asked after each time, so that a reader sees a new schema at once. */
const headers = { 'cache-control': 'no-cache', 'content-security-policy': contentSecurityPolicy() };

/** The reference of the schema that is live when somebody asks, as a page and as SDL. Rendered once for each schema; the last is kept. */
export function createReferenceRoutes({ schema, fieldCosts }: ReferenceOptions): Route[] {
  let last: { of: GraphQLSchema; rendered: Rendered } | null = null;

  const rendered = (): Rendered => {
    const now = schema();
    if (last?.of !== now) last = { of: now, rendered: render(now, fieldCosts()) };
    return last.rendered;
  };

  return [
    createGetRoute('/reference', (request, response) => sendStaticContent(request, response, rendered().page)),
    createGetRoute('/reference.graphql', (request, response) => sendStaticContent(request, response, rendered().sdl)),
  ];
}

const render = (schema: GraphQLSchema, prices: ReadonlyMap<string, FieldCost>): Rendered => ({
  page: createStaticContent({
    plain: Buffer.from(renderPage(createReferencePage(schema, prices))),
    headers: { ...headers, 'content-type': 'text/html; charset=utf-8' },
  }),
  sdl: createStaticContent({
    plain: Buffer.from(`${printSchema(schema)}\n`),
    headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' },
  }),
});
