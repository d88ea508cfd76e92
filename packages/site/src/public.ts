import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '@lectern/keys';
import type { GraphQLSchema } from 'graphql';
import { printSchema } from 'graphql';
import { createChangesRoutes } from './changes';
import { createExplorerRoutes } from './explorer';
import { html } from './html';
import type { LandingPageOptions } from './landing';
import { createLandingRoute } from './landing';
import type { Route } from './page';
import { createGetRoute, sendPage } from './page';
import type { FieldCost } from './reference';
import { createReferenceRoutes } from './reference';
import { createSiteFilesRoute } from './static';

interface PublicPagesOptions extends LandingPageOptions {
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

interface StatusPageOptions {
  isReady: () => boolean;
  environment: Environment;
  version: string;
  /** Returns a short digest of the schema that is served. */
  schemaDigest: () => string;
}

/**
 * Creates the route `/up`: the service's status for people. Programs use `/health` and `/ready`.
 */
const createStatusRoute = ({ isReady, environment, version, schemaDigest }: StatusPageOptions): Route =>
  createGetRoute('/up', (_, response) => {
    const ready = isReady();
    sendPage(response, ready ? 200 : 503, {
      title: ready ? 'Up' : 'Not ready',
      main: html`<h1>${ready ? 'Lectern is up' : 'Lectern is not ready'}</h1>
<p class="${ready ? 'success' : 'error'}">${ready ? 'It accepts requests.' : 'It does not accept requests now: try again in a moment.'}</p>
<dl class="details">
<dt>Environment</dt><dd>${environment}</dd>
<dt>Version</dt><dd>${version}</dd>
<dt>Schema</dt><dd><code>${schemaDigest()}</code></dd>
</dl>
<p class="quiet">For programs, <a href="/health"><code>/health</code></a> says whether the process is running, and <a href="/ready"><code>/ready</code></a> whether it accepts requests. Both respond in JSON.</p>`,
    });
  });
