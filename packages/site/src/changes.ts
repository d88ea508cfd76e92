import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Route } from '@lectern/serving';
import { renderInlineCode } from './api-reference';
import { createGetRoute, type Html, html, renderPage } from './page';
import { anyOrigin, createStaticPage, sendStaticContent } from './static';

/** An entry of the section "API" of CHANGELOG.md. Dates are YYYY-MM-DD. */
interface ApiChange {
  date: string;
  /** The text of the entry. Inline code is between backticks. There is no other Markdown. */
  text: string;
  /** The coordinates that the entry announces or deprecates, such as `Query.search(limit:)`. */
  coordinates: string[];
}

interface Release {
  /** The version of the release, or `Unreleased`. */
  name: string;
  /** The date of the release. Null if it is not released yet. */
  date: string | null;
  changes: ApiChange[];
}

/** Parses CHANGELOG.md. Returns the releases in its order. Throws if an entry is malformed or there is none. */
export function parseChangelog(markdown: string): Release[] {
  const releases: Release[] = [];
  let isApi = false;
  for (const { line, number } of itemsAndHeadings(markdown)) {
    const [, name, date = null] = /^## (\S+)(?: - (\S+))?$/.exec(line) ?? [];
    if (name !== undefined) {
      if (date !== null && !isDate(date)) throw lineError(number, `'${date}' is not a date of the form YYYY-MM-DD`);
      releases.push({ name, date, changes: [] });
    }
    if (line.startsWith('#')) isApi = line === '### API';
    else if (isApi) releases.at(-1)?.changes.push(parseEntry(line, number));
  }
  if (releases.every(({ changes }) => changes.length === 0))
    throw new Error('CHANGELOG.md has no entry under "### API"');
  return releases;
}

/** Returns each heading and list item on one line, with the number of its first line. */
function itemsAndHeadings(markdown: string): { line: string; number: number }[] {
  const found: { line: string; number: number }[] = [];
  for (const [index, line] of markdown.split('\n').entries()) {
    const last = found.at(-1);
    if (/^(#|- )/.test(line)) found.push({ line: line.trimEnd(), number: index + 1 });
    else if (/^ {2}\S/.test(line) && last?.line.startsWith('- ')) last.line += ` ${line.trim()}`;
  }
  return found;
}

function parseEntry(item: string, number: number): ApiChange {
  const [, date = '', markdown = ''] = /^- (\d{4}-\d\d-\d\d): (\S.*)$/.exec(item) ?? [];
  if (!isDate(date))
    throw lineError(number, 'an entry of the section "API" has the form `- YYYY-MM-DD: What changed.`');
  const text = markdown.replace(/\[([^[\]]*)\]\([^()]*\)/g, '$1');
  const coordinates = [...text.matchAll(/`([A-Z]\w*\.\w+(?:\(\w+:\))?)`/g)].map(([, coordinate = '']) => coordinate);
  return { date, text, coordinates: /^(Announced|Deprecated)\b/.test(text) ? coordinates : [] };
}

const isDate = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

const lineError = (number: number, problem: string): Error => new Error(`CHANGELOG.md, line ${number}: ${problem}`);

/**
 * The section "API" of CHANGELOG.md as JSON, which write-changelog-json.mjs writes. The path is valid from `src`, where
 * tests run this module, and from `dist`.
 */
const changesFile = join(__dirname, '..', 'dist', 'changes.json');

const maxTitleCharacters = 80;

/** Creates the routes `/changes` (HTML) and `/changes.atom` (RFC 4287). Throws if the site is not built. */
export function createChangesRoutes(): Route[] {
  const releases = JSON.parse(readFileSync(changesFile, 'utf8')) as Release[];
  const html = renderPage({ title: 'Changes of the API', main: renderReleases(releases) });
  const page = createStaticPage(html, 'text/html');
  const feed = createStaticPage(renderFeed(releases), 'application/atom+xml', anyOrigin);
  return [
    createGetRoute('/changes', (request, response) => sendStaticContent(request, response, page)),
    createGetRoute('/changes.atom', (request, response) => sendStaticContent(request, response, feed)),
  ];
}

function renderReleases(releases: readonly Release[]): Html {
  // The gateway's response header Link leads to `/changes#` and a schema coordinate. An id must be
  // unique on a page, so only the newest entry about a coordinate gets the coordinate as its id.
  const linked = new Set<string>();
  const renderChange = (change: ApiChange): Html => {
    const targets = change.coordinates.filter((coordinate) => !linked.has(coordinate));
    for (const target of targets) linked.add(target);
    return html`<li id="${elementId(change)}">${targets.map((target) => html`<a id="${target}"></a>`)}<time datetime="${change.date}">${change.date}</time>: ${renderInlineCode(change.text, () => false)}</li>\n`;
  };
  const renderRelease = ({ name, date, changes }: Release): Html =>
    html`<h2>${name}${date !== null && html` (<time datetime="${date}">${date}</time>)`}</h2>
<ul>
${changes.map(renderChange)}</ul>\n`;
  return html`<h1>Changes of the API</h1>
<p>The schema only grows: no field is removed and no type changes without notice on this page. Follow it as an <a href="/changes.atom">Atom feed</a>. A response to an operation that uses a deprecated field or argument has the headers <code>Deprecation</code> and <code>Link</code>, and the link leads to this page.</p>
${releases.filter(({ changes }) => changes.length > 0).map(renderRelease)}`;
}

/** Renders the Atom feed, the newest entries first. The content does not depend on the host that serves it. */
function renderFeed(releases: readonly Release[]): string {
  const changes = releases
    .flatMap((release) => release.changes)
    .sort((a, b) => b.date.localeCompare(a.date))
    .slice(0, 100);
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
  const start = text.slice(0, maxTitleCharacters - 1).replace(/(?<!\s)\s+\S*$/, '');
  return html`<entry>
<title>${text.length > maxTitleCharacters ? `${start}…` : text}</title>
<id>${uuidOf(change.date + change.text)}</id>
<link rel="alternate" type="text/html" href="/changes#${elementId(change)}"/>
<updated>${change.date}T00:00:00Z</updated>
<content type="text">${text}</content>
</entry>
`;
}

const elementId = (change: ApiChange): string => `${change.date}-${digestOf(change.date + change.text).slice(0, 8)}`;

/** Derives a UUID of version 8 (RFC 9562) from the text. */
function uuidOf(text: string): string {
  const digest = digestOf(text);
  return `urn:uuid:${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}

const digestOf = (text: string): string => hash('sha256', text);
