import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GraphQLSchema } from 'graphql';
import { printSchema } from 'graphql';
import { createSiteAssets } from './assets';
import { createExplorer } from './explorer/explorer';
import type { LandingParts } from './landing-page';
import { createLanding } from './landing-page';
import type { FieldCost } from './reference/cost-in-words';
import { createReference } from './reference/reference';
import type { Route } from './route';
import { createUp } from './up-page';

export interface PublicPagesParts extends LandingParts {
  /** What clients see of the schema, and the prices of its fields, as they are at the moment of asking. */
  schema: () => GraphQLSchema;
  prices: () => ReadonlyMap<string, FieldCost>;
  isReady: () => boolean;
}

/** The pages that need no key: what is served beside the API for whoever comes by. */
export function createPublicPages({ schema, prices, isReady, environment, limits, rates }: PublicPagesParts): Route[] {
  const { version } = JSON.parse(readFileSync(join(__dirname, '..', 'package.json'), 'utf8')) as { version: string };
  const fingerprint = () => createHash('sha256').update(printSchema(schema())).digest('hex').slice(0, 12);
  return [
    createLanding({ environment, limits, rates }),
    ...createExplorer(),
    ...createReference({ schema, prices }),
    createUp({ isReady, environment, version, fingerprint }),
    createSiteAssets(),
  ];
}
