import { printSchema } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import type { Route } from '../http/routes';
import type { Price } from '../limits/prices';
import { createContent, readOnly, sendContent } from './content';
import type { Content } from './content';
import { contentSecurityPolicy, renderPage } from './page';
import { referencePage } from './reference/reference-page';

export interface ReferenceParts {
  schema: () => GraphQLSchema;
  prices: () => ReadonlyMap<string, Price>;
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

const render = (schema: GraphQLSchema, prices: ReadonlyMap<string, Price>): Rendered => ({
  page: createContent({ plain: Buffer.from(renderPage(referencePage(schema, prices))), headers: { ...headers, 'content-type': 'text/html; charset=utf-8' } }),
  sdl: createContent({ plain: Buffer.from(`${printSchema(schema)}\n`), headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' } }),
});
