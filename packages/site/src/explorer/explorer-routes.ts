import { html } from '../html';
import type { Route } from '../route-type-and-get-route';
import { createGetRoute } from '../route-type-and-get-route';
import { contentSecurityPolicy, sendPage } from '../send-page-with-security-headers';
import { createStaticFilesRoute } from '../static-files';
import { readExplorerBundle } from './read-explorer-bundle';

/**
 * The page `/explorer` and the files of its bundle below `/explorer/`.
 * Throws if the explorer is not built.
 */
export function createExplorerRoutes(): Route[] {
  const { script, style, files } = readExplorerBundle();
  const headers = {
    // Monaco and GraphiQL add inline styles. Scripts and web workers are files of this site.
    'content-security-policy': contentSecurityPolicy({ 'style-src': "'self' 'unsafe-inline'", 'worker-src': "'self'" }),
  };
  const page = createGetRoute('/explorer', (_, response) =>
    sendPage(
      response,
      200,
      {
        title: 'Explorer',
        styles: [`/explorer/${style}`],
        scripts: [`/explorer/${script}`],
        main: html`<h1 class="visually-hidden">Explorer</h1>
<div id="explorer"><p class="loading">Loading the explorer ...</p></div>
<noscript><p class="loading">The explorer runs in the browser and needs JavaScript. The <a href="/reference">reference</a> does not.</p></noscript>`,
      },
      headers,
    ),
  );
  return [page, createStaticFilesRoute('/explorer/', files, 'public, max-age=31536000, immutable')];
}
