import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Html } from './html';
import { html } from './html';
import type { Route } from './page';
import { contentSecurityPolicy, createGetRoute, renderPage } from './page';
import { renderInlineCode } from './reference';
import { createStaticContent, sendStaticContent } from './static';

/** A change of the API: one entry of the section "API" of CHANGELOG.md. */
interface ApiChange {
  /** The date of the entry, as YYYY-MM-DD. */
  readonly date: string;
  /** The text, with inline code between backticks and without other Markdown. */
  readonly text: string;
  /**
   * The schema coordinates that an entry announces for a change or deprecates:
   * `Mutation.testField`, `Query.search(limit:)`. Empty for other entries.
   */
  readonly coordinates: readonly string[];
}

interface Release {
  /** The version, or `Unreleased`. */
  readonly name: string;
  /** The date of the release, as YYYY-MM-DD. Null before the release. */
  readonly date: string | null;
  readonly changes: readonly ApiChange[];
}

const entryForm = '`- YYYY-MM-DD: What changed.`';

/**
 * Reads the section "API" of each release of CHANGELOG.md, in the order of the file. Throws if a
 * date or the form of an entry is invalid, with the number of the line, and if the file has no
 * entry.
 */
export function parseChangelog(markdown: string): Release[] {
  const releases: { name: string; date: string | null; changes: ApiChange[] }[] = [];
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

/**
 * Returns each heading and list item on one line, with the number of its first line in the file.
 */
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
  if (!isDate(date)) throw lineError(number, `an entry of the section "API" has the form ${entryForm}`);
  const text = markdown.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  return { date, text, coordinates: /^(Announced|Deprecated)\b/.test(text) ? coordinatesIn(text) : [] };
}

const coordinatesIn = (text: string): string[] =>
  [...text.matchAll(/`([A-Z]\w*\.\w+(?:\(\w+:\))?)`/g)].map(([, coordinate = '']) => coordinate);

const isDate = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));

const lineError = (number: number, problem: string): Error => new Error(`CHANGELOG.md, line ${number}: ${problem}`);

/** The relative path is the same from `src`, where tests run this file, and from `dist`. */
const changesFile = join(__dirname, '..', 'dist', 'changes.json');

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
