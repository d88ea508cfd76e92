import { html } from '../html';
import { contentSecurityPolicy, sendPage } from '../page';
import type { Route } from '../route';
import { createGetRoute } from '../static-content';
import { createStaticFilesRoute } from '../static-files';
import { readExplorerBundle } from './explorer-bundle';

/** The explorer and the files that it is made of. */
export function createExplorerRoutes(): Route[] {
  const { script, style, files } = readExplorerBundle();
  const headers = {
    // Monaco and GraphiQL place what they draw with styles in the page; scripts and workers stay files of our own.
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
        main: html`<h1 class="unseen">Explorer</h1>
<div id="explorer"><p class="loading">Loading the explorer ...</p></div>
<noscript><p class="loading">The explorer runs in the browser and needs JavaScript. The <a href="/reference">reference</a> does not.</p></noscript>`,
      },
      headers,
    ),
  );
  const assets = createStaticFilesRoute('/explorer/', files, 'public, max-age=31536000, immutable');
  return [page, assets];
}
