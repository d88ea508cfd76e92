import type { Environment } from '@lectern/keys';
import { html } from '../html';
import { sendPage } from '../page';
import type { Route } from '../route';
import { createGetRoute } from '../static-content';

export interface StatusPageOptions {
  isReady: () => boolean;
  environment: Environment;
  version: string;
  /** Tells one schema from another. */
  fingerprint: () => string;
}

/** For people. Programs ask /health and /ready. */
export const createStatusRoute = ({ isReady, environment, version, fingerprint }: StatusPageOptions): Route =>
  createGetRoute('/up', (_, response) => {
    const ready = isReady();
    sendPage(response, ready ? 200 : 503, {
      title: ready ? 'Up' : 'Not ready',
      main: html`<h1>${ready ? 'Lectern is up' : 'Lectern is not ready'}</h1>
<p class="${ready ? 'good' : 'error'}">${ready ? 'It takes requests.' : 'It is starting or stopping: try again in a moment.'}</p>
<dl class="facts">
<dt>Environment</dt><dd>${environment}</dd>
<dt>Version</dt><dd>${version}</dd>
<dt>Schema</dt><dd><code>${fingerprint()}</code></dd>
</dl>
<p class="quiet">Programs ask <a href="/health"><code>/health</code></a>, whether the process lives, and <a href="/ready"><code>/ready</code></a>, whether it takes requests; both answer in JSON.</p>`,
    });
  });
