import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Route } from '@lectern/serving';
import { printSchema } from 'graphql';
import { createReferenceRoutes, type ReferenceOptions } from './api-reference';
import { createChangesRoutes, createTextsRoute, type TextState } from './changes';
import { createLandingRoute } from './landing';
import { describeAsOpenApi, type PublishedDocument } from './open-api';
import { contentSecurityPolicy, createGetRoute, html, sendPage } from './page';
import {
  anyOrigin,
  createSiteFilesRoute,
  createStaticFilesRoute,
  createStaticPage,
  type StaticContent,
  sendStaticContent,
} from './static';
import { createWellKnownRoutes, type WellKnownOptions } from './well-known';

interface PublicPagesOptions extends WellKnownOptions, ReferenceOptions {
  isReady: () => boolean;
  /** Resolves with the state of all texts that need no key, or null if they cannot be read at the moment. */
  readTexts: () => Promise<readonly TextState[] | null>;
  /** Returns the documents that `GET /documents/ID` serves. Null if it serves none. */
  documents: (() => readonly PublishedDocument[]) | null;
}

/** Creates the routes of all public pages, of the files of the site, and of those that programs look for. */
export const createPublicPages = (options: PublicPagesOptions): Route[] => [
  createLandingRoute(options),
  ...createExplorerRoutes(),
  ...createReferenceRoutes(options),
  ...createChangesRoutes(),
  createTextsRoute(options.readTexts),
  ...createOpenApiRoutes(options),
  ...createWellKnownRoutes(options),
  createStatusRoute(options),
  createSiteFilesRoute(),
];

/** Creates the route `/openapi.json`, which describes the documents. It is written again if they or the schema change. */
function createOpenApiRoutes({ schema, documents }: PublicPagesOptions): Route[] {
  if (!documents) return [];
  let latest: { from: readonly unknown[]; page: StaticContent } | null = null;
  const handle: Route['handle'] = (request, response) => {
    const [current, published] = [schema(), documents()];
    if (latest?.from[0] !== current || latest.from[1] !== published) {
      const text = JSON.stringify(describeAsOpenApi(current, published));
      latest = { from: [current, published], page: createStaticPage(text, 'application/json', anyOrigin) };
    }
    sendStaticContent(request, response, latest.page);
  };
  return [createGetRoute('/openapi.json', handle)];
}

/** Creates the route `/up`, which shows people the status of the service. Programs use `/health` and `/ready`. */
function createStatusRoute({ isReady, environment, schema }: PublicPagesOptions): Route {
  const { version } = JSON.parse(readFileSync(join(__dirname, '..', 'package.json'), 'utf8')) as { version: string };
  return createGetRoute('/up', (_, response) => {
    const ready = isReady();
    const schemaDigest = hash('sha256', printSchema(schema())).slice(0, 12);
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

/** Creates the routes of the page and of the files that `bundle-explorer.mjs` builds. */
function createExplorerRoutes(): Route[] {
  const { script, style, files } = readManifest();
  const headers = {
    // Monaco and GraphiQL add inline styles. Scripts and web workers must be files of this site.
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
