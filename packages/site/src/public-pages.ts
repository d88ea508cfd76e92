import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GraphQLSchema } from 'graphql';
import { printSchema } from 'graphql';
import { createExplorerRoutes } from './explorer/explorer-routes';
import type { LandingPageOptions } from './landing/landing-page';
import { createLandingRoute } from './landing/landing-page';
import type { FieldCost } from './reference/field-cost';
import { createReferenceRoutes } from './reference/reference-routes';
import type { Route } from './route';
import { createSiteFilesRoute } from './static-files';
import { createStatusRoute } from './status/status-page';

export interface PublicPagesOptions extends LandingPageOptions {
  /** The public schema, read at each request. */
  schema: () => GraphQLSchema;
  /** The costs of its fields, by coordinate (`Query.search`). A field that is missing costs 1. */
  fieldCosts: () => ReadonlyMap<string, FieldCost>;
  isReady: () => boolean;
}

/** The routes `/`, `/explorer`, `/reference`, `/reference.graphql`, `/up` and their files. */
export function createPublicPages({
  schema,
  fieldCosts,
  isReady,
  environment,
  limits,
  rateLimits,
}: PublicPagesOptions): Route[] {
  const { version } = JSON.parse(readFileSync(join(__dirname, '..', 'package.json'), 'utf8')) as { version: string };
  const schemaDigest = () => createHash('sha256').update(printSchema(schema())).digest('hex').slice(0, 12);
  return [
    createLandingRoute({ environment, limits, rateLimits }),
    ...createExplorerRoutes(),
    ...createReferenceRoutes({ schema, fieldCosts }),
    createStatusRoute({ isReady, environment, version, schemaDigest }),
    createSiteFilesRoute(),
  ];
}
