import { createAssetsRoute } from '../assets';
import { readOnly } from '../content';
import { html } from '../html';
import { contentSecurityPolicy, sendPage } from '../page';
import type { Route } from '../route';
import { readExplorerAssets } from './explorer-assets';

/** The explorer and the files that it is made of. */
export function createExplorer(): Route[] {
  const { script, style, files } = readExplorerAssets();
  const headers = {
    // Monaco and GraphiQL place what they draw with styles in the page; scripts and workers stay files of our own.
    'content-security-policy': contentSecurityPolicy({ 'style-src': "'self' 'unsafe-inline'", 'worker-src': "'self'" }),
  };
  const page = readOnly('/explorer', (_, response) =>
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
  const assets = createAssetsRoute('/explorer/', files, 'public, max-age=31536000, immutable');
  return [page, assets];
}
