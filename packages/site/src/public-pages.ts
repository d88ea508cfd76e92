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
  /** What clients see of the schema, and the prices of its fields, as they are at the moment of asking. */
  schema: () => GraphQLSchema;
  fieldCosts: () => ReadonlyMap<string, FieldCost>;
  isReady: () => boolean;
}

/** The pages that need no key: what is served beside the API for whoever comes by. */
export function createPublicPages({
  schema,
  fieldCosts,
  isReady,
  environment,
  limits,
  rateLimits,
}: PublicPagesOptions): Route[] {
  const { version } = JSON.parse(readFileSync(join(__dirname, '..', 'package.json'), 'utf8')) as { version: string };
  const fingerprint = () => createHash('sha256').update(printSchema(schema())).digest('hex').slice(0, 12);
  return [
    createLandingRoute({ environment, limits, rateLimits }),
    ...createExplorerRoutes(),
    ...createReferenceRoutes({ schema, fieldCosts }),
    createStatusRoute({ isReady, environment, version, fingerprint }),
    createSiteFilesRoute(),
  ];
}
