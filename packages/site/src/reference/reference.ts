import type { GraphQLSchema } from 'graphql';
import { printSchema } from 'graphql';
import type { Content } from '../content';
import { createContent, readOnly, sendContent } from '../content';
import { contentSecurityPolicy, renderPage } from '../page';
import type { Route } from '../route';
import type { FieldCost } from './cost-in-words';
import { referencePage } from './reference-page';

export interface ReferenceParts {
  schema: () => GraphQLSchema;
  prices: () => ReadonlyMap<string, FieldCost>;
}

interface Rendered {
  readonly page: Content;
  readonly sdl: Content;
}

/** Asked after each time, so that a reader sees a new schema at once. */
const headers = { 'cache-control': 'no-cache', 'content-security-policy': contentSecurityPolicy() };

/** The reference of the schema that is live when somebody asks, as a page and as SDL. Rendered once for each schema; the last is kept. */
export function createReference({ schema, prices }: ReferenceParts): Route[] {
  let last: { of: GraphQLSchema; rendered: Rendered } | null = null;

  const rendered = (): Rendered => {
    const now = schema();
    if (last?.of !== now) last = { of: now, rendered: render(now, prices()) };
    return last.rendered;
  };

  return [
    readOnly('/reference', (request, response) => sendContent(request, response, rendered().page)),
    readOnly('/reference.graphql', (request, response) => sendContent(request, response, rendered().sdl)),
  ];
}

const render = (schema: GraphQLSchema, prices: ReadonlyMap<string, FieldCost>): Rendered => ({
  page: createContent({
    plain: Buffer.from(renderPage(referencePage(schema, prices))),
    headers: { ...headers, 'content-type': 'text/html; charset=utf-8' },
  }),
  sdl: createContent({
    plain: Buffer.from(`${printSchema(schema)}\n`),
    headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' },
  }),
});
