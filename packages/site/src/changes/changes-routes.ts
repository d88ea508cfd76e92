import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Html } from '../html';
import { html } from '../html';
import { createStaticContent, sendStaticContent } from '../precompressed-content';
import { renderInlineCode } from '../reference/render-description';
import { renderPage } from '../render-page';
import type { Route } from '../route-type-and-get-route';
import { createGetRoute } from '../route-type-and-get-route';
import { contentSecurityPolicy } from '../send-page-with-security-headers';
import type { ApiChange, Release } from './parse-changelog';

/** The relative path is the same from `src`, where tests run this file, and from `dist`. */
const changesFile = join(__dirname, '..', '..', 'dist', 'changes.json');

const maxFeedEntries = 100;
const maxTitleCharacters = 80;

const headers = { 'cache-control': 'no-cache', 'content-security-policy': contentSecurityPolicy() };

/**
 * The routes `/changes` (HTML) and `/changes.atom` (an Atom feed, RFC 4287): the changes of the
 * API, from the section "API" of CHANGELOG.md. Throws if the site is not built.
 */
export function createChangesRoutes(): Route[] {
  const releases = JSON.parse(readFileSync(changesFile, 'utf8')) as Release[];
  const page = createStaticContent({
    plain: Buffer.from(renderPage({ title: 'Changes of the API', main: renderReleases(releases) })),
    headers: { ...headers, 'content-type': 'text/html; charset=utf-8' },
  });
  const feed = createStaticContent({
    plain: Buffer.from(renderFeed(releases)),
    headers: { ...headers, 'content-type': 'application/atom+xml; charset=utf-8' },
  });
  return [
    createGetRoute('/changes', (request, response) => sendStaticContent(request, response, page)),
    createGetRoute('/changes.atom', (request, response) => sendStaticContent(request, response, feed)),
  ];
}

function renderReleases(releases: readonly Release[]): Html {
  // The gateway's response header Link leads to `/changes#` and a schema coordinate. An id must be
  // unique on a page, so only the newest entry about a coordinate gets the coordinate as its id.
  const linked = new Set<string>();
  const renderTargets = ({ coordinates }: ApiChange): Html[] =>
    coordinates.flatMap((coordinate) => {
      if (linked.has(coordinate)) return [];
      linked.add(coordinate);
      return [html`<a id="${coordinate}"></a>`];
    });
  const renderChange = (change: ApiChange): Html =>
    html`<li id="${elementId(change)}">${renderTargets(change)}<time datetime="${change.date}">${change.date}</time>: ${renderInlineCode(change.text, () => false)}</li>
`;
  return html`<h1>Changes of the API</h1>
<p>The schema only grows: no field is removed and no type changes without notice on this page. Follow it as an <a href="/changes.atom">Atom feed</a>. A response to an operation that uses a deprecated field or argument has the headers <code>Deprecation</code> and <code>Link</code>, and the link leads to this page.</p>
${releases
  .filter(({ changes }) => changes.length > 0)
  .map(
    ({
      name,
      date,
      changes,
    }) => html`<h2>${name}${date === null ? null : html` (<time datetime="${date}">${date}</time>)`}</h2>
<ul>
${changes.map(renderChange)}</ul>
`,
  )}`;
}

/**
 * Renders the feed, newest entries first. Its content does not depend on the host that serves it.
 */
function renderFeed(releases: readonly Release[]): string {
  const changes = releases
    .flatMap((release) => release.changes)
    .sort((a, b) => b.date.localeCompare(a.date))
    .slice(0, maxFeedEntries);
  return html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<title>Changes of the Lectern API</title>
<id>${uuidOf('Changes of the Lectern API')}</id>
<link rel="self" type="application/atom+xml" href="/changes.atom"/>
<link rel="alternate" type="text/html" href="/changes"/>
<updated>${changes[0]?.date ?? ''}T00:00:00Z</updated>
<author><name>Lectern</name></author>
${changes.map(renderFeedEntry)}</feed>
`.markup;
}

function renderFeedEntry(change: ApiChange): Html {
  const text = change.text.replaceAll('`', '');
  return html`<entry>
<title>${text.length > maxTitleCharacters ? `${text.slice(0, maxTitleCharacters - 1).replace(/\s+\S*$/, '')}…` : text}</title>
<id>${uuidOf(change.date + change.text)}</id>
<link rel="alternate" type="text/html" href="/changes#${elementId(change)}"/>
<updated>${change.date}T00:00:00Z</updated>
<content type="text">${text}</content>
</entry>
`;
}

const elementId = (change: ApiChange): string => `${change.date}-${digestOf(change.date + change.text).slice(0, 8)}`;

/** Returns a UUID of version 8 (RFC 9562), which is derived from the text. */
function uuidOf(text: string): string {
  const digest = digestOf(text);
  return `urn:uuid:${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');
