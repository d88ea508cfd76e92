import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GraphQLSchema } from 'graphql';
import { printSchema } from 'graphql';
import { createChangesRoutes } from './changes/changes-routes';
import { createExplorerRoutes } from './explorer/explorer-routes';
import type { LandingPageOptions } from './landing/landing-page';
import { createLandingRoute } from './landing/landing-page';
import type { FieldCost } from './reference/describe-field-cost';
import { createReferenceRoutes } from './reference/reference-routes';
import type { Route } from './route-type-and-get-route';
import { createSiteFilesRoute } from './static-files';
import { createStatusRoute } from './status/readiness-page';

export interface PublicPagesOptions extends LandingPageOptions {
  /** Returns the public schema. Called at each request. */
  schema: () => GraphQLSchema;
  /**
   * Returns the costs of the schema's fields, by coordinate (`Query.search`). A missing field costs
   * 1.
   */
  fieldCosts: () => ReadonlyMap<string, FieldCost>;
  /**
   * Returns the names of subgraphs whose deployed schema differs from that in the public schema.
   */
  schemaDifferences: () => readonly string[];
  isReady: () => boolean;
}

/**
 * Creates the routes `/`, `/explorer`, `/reference`, `/schema.graphql`, `/changes`,
 * `/changes.atom`, `/up` and their files.
 */
export function createPublicPages({
  schema,
  fieldCosts,
  schemaDifferences,
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
    ...createReferenceRoutes({ schema, fieldCosts, schemaDifferences }),
    ...createChangesRoutes(),
    createStatusRoute({ isReady, environment, version, schemaDigest }),
    createSiteFilesRoute(),
  ];
}
