import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { html } from './html';
import type { Route } from './page';
import { contentSecurityPolicy, createGetRoute, sendPage } from './page';
import type { StaticFile } from './static';
import { createStaticFilesRoute } from './static';

/** The files that `bundle-explorer.mjs` built. */
interface ExplorerBundle {
  /**
   * The file name of the page's script, an ES module. The script loads further files of the bundle
   * from `/explorer/`.
   */
  readonly script: string;
  /** The file name of the page's style sheet. */
  readonly style: string;
  /**
   * The files of the bundle. Each name carries a digest of the file's content, so browsers may
   * cache the file forever.
   */
  readonly files: readonly StaticFile[];
}

/** The relative path is the same from `src`, where tests run this file, and from `dist`. */
const bundleFolder = join(__dirname, '..', 'dist', 'assets');

/** Reads the bundle's manifest. Throws if the explorer is not built. */
function readExplorerBundle(): ExplorerBundle {
  const { script, style, files } = JSON.parse(readManifest()) as { script: string; style: string; files: string[] };
  const read = (name: string) => readFileSync(join(bundleFolder, name));
  return {
    script,
    style,
    files: files.map((name) => ({
      name,
      load: () => ({ plain: read(name), gzip: read(`${name}.gz`), brotli: read(`${name}.br`) }),
    })),
  };
}

function readManifest(): string {
  try {
    return readFileSync(join(bundleFolder, 'manifest.json'), 'utf8');
  } catch (error) {
    throw new Error('The explorer is not built: run `npm run build`.', { cause: error });
  }
}

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
