import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { printSchema } from 'graphql';
import { createReferenceRoutes, type ReferenceOptions } from './api-reference';
import { createChangesRoutes } from './changes';
import { createExplorerRoutes } from './explorer';
import { html } from './html';
import { createLandingRoute, type LandingPageOptions } from './landing';
import { createGetRoute, type Route, sendPage } from './page';
import { createSiteFilesRoute } from './static';

interface PublicPagesOptions extends LandingPageOptions, ReferenceOptions {
  isReady: () => boolean;
}

/**
 * Creates the routes `/`, `/explorer`, `/reference`, `/schema.graphql`, `/changes`, `/changes.atom`, `/up` and the
 * files of the site.
 */
export const createPublicPages = (options: PublicPagesOptions): Route[] => [
  createLandingRoute(options),
  ...createExplorerRoutes(),
  ...createReferenceRoutes(options),
  ...createChangesRoutes(),
  createStatusRoute(options),
  createSiteFilesRoute(),
];

/** Creates the route `/up`, which shows people the status of the service. Programs use `/health` and `/ready`. */
function createStatusRoute({ isReady, environment, schema }: PublicPagesOptions): Route {
  const { version } = JSON.parse(readFileSync(join(__dirname, '..', 'package.json'), 'utf8')) as { version: string };
  return createGetRoute('/up', (_, response) => {
    const ready = isReady();
    const schemaDigest = createHash('sha256').update(printSchema(schema())).digest('hex').slice(0, 12);
    sendPage(response, ready ? 200 : 503, {
      title: ready ? 'Up' : 'Not ready',
      main: html`<h1>${ready ? 'Lectern is up' : 'Lectern is not ready'}</h1>
<p class="${ready ? 'success' : 'error'}">${ready ? 'It accepts requests.' : 'It does not accept requests now: try again in a moment.'}</p>
<dl class="details">
<dt>Environment</dt><dd>${environment}</dd>
<dt>Version</dt><dd>${version}</dd>
<dt>Schema</dt><dd><code>${schemaDigest}</code></dd>
</dl>
<p class="quiet">For programs, <a href="/health"><code>/health</code></a> says whether the process is running, and <a href="/ready"><code>/ready</code></a> whether it accepts requests. Both respond in JSON.</p>`,
    });
  });
}
