import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { printSchema } from 'graphql';
import type { GraphQLSchema } from 'graphql';
import type { Route } from '../http/routes';
import type { Price } from '../limits/prices';
import { createSiteAssets } from './assets';
import { createExplorer } from './explorer';
import { createLanding } from './landing';
import type { LandingParts } from './landing';
import { createReference } from './reference';
import { createUp } from './up';

export interface PublicPagesParts extends LandingParts {
  /** What clients see of the schema, and the prices of its fields, as they are at the moment of asking. */
  schema: () => GraphQLSchema;
  prices: () => ReadonlyMap<string, Price>;
  isReady: () => boolean;
}

/** The pages that need no key: what is served beside the API for whoever comes by. */
export function createPublicPages({ schema, prices, isReady, environment, limits, rates }: PublicPagesParts): Route[] {
  const { version } = JSON.parse(readFileSync(join(__dirname, '..', '..', 'package.json'), 'utf8')) as { version: string };
  const fingerprint = () => createHash('sha256').update(printSchema(schema())).digest('hex').slice(0, 12);
  return [
    createLanding({ environment, limits, rates }),
    ...createExplorer(),
    ...createReference({ schema, prices }),
    createUp({ isReady, environment, version, fingerprint }),
    createSiteAssets(),
  ];
}
