import type { Environment } from '@lectern/keys';
import { html } from '../html';
import type { Route } from '../route-type-and-get-route';
import { createGetRoute } from '../route-type-and-get-route';
import { sendPage } from '../send-page-with-security-headers';

export interface StatusPageOptions {
  isReady: () => boolean;
  environment: Environment;
  version: string;
  /** Returns a short digest of the schema that is served. */
  schemaDigest: () => string;
}

/**
 * Creates the route `/up`: the service's status for people. Programs use `/health` and `/ready`.
 */
export const createStatusRoute = ({ isReady, environment, version, schemaDigest }: StatusPageOptions): Route =>
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
