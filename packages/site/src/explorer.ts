import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { html } from './html';
import { contentSecurityPolicy, createGetRoute, type Route, sendPage } from './page';
import { createStaticFilesRoute } from './static';

/** The folder of the explorer's files. The path is valid from `src`, where tests run this file, and from `dist`. */
const bundleFolder = join(__dirname, '..', 'dist', 'assets');

const readBundled = (name: string): Buffer => readFileSync(join(bundleFolder, name));

/** Reads the list of the explorer's files. Throws if the explorer is not built. */
function readManifest(): { script: string; style: string; files: string[] } {
  try {
    return JSON.parse(readBundled('manifest.json').toString()) as ReturnType<typeof readManifest>;
  } catch (error) {
    throw new Error('The explorer is not built: run `npm run build`.', { cause: error });
  }
}

/**
 * Creates the routes of the page `/explorer` and of the files below `/explorer/`, which `bundle-explorer.mjs` builds.
 */
export function createExplorerRoutes(): Route[] {
  const { script, style, files } = readManifest();
  const headers = {
    // Inline styles are allowed, because Monaco and GraphiQL add them. Scripts and web workers must be files of this
    // site.
    'content-security-policy': contentSecurityPolicy({ 'style-src': "'self' 'unsafe-inline'", 'worker-src': "'self'" }),
  };
  const page = {
    title: 'Explorer',
    styles: [`/explorer/${style}`],
    scripts: [`/explorer/${script}`],
    main: html`<h1 class="visually-hidden">Explorer</h1>
<div id="explorer"><p class="loading">Loading the explorer ...</p></div>
<noscript><p class="loading">The explorer runs in the browser and needs JavaScript. The <a href="/reference">reference</a> does not.</p></noscript>`,
  };
  const load = (name: string) => ({
    plain: readBundled(name),
    gzip: readBundled(`${name}.gz`),
    brotli: readBundled(`${name}.br`),
  });
  return [
    createGetRoute('/explorer', (_, response) => sendPage(response, 200, page, headers)),
    // Each file name has a digest of the content, so browsers may cache the file forever.
    createStaticFilesRoute('/explorer/', files, load, 'public, max-age=31536000, immutable'),
  ];
}
