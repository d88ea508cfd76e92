import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errors } from '@lectern/errors';
import type { Route } from '@lectern/serving';
import { renderInlineCode } from './api-reference';
import { createGetRoute, type Html, html, renderPage, sendUnavailable } from './page';
import { anyOrigin, createStaticPage, type StaticContent, sendStaticContent } from './static';

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

/** The section "API" of CHANGELOG.md, by write-changelog-json.mjs. The path is valid from `src` and from `dist`. */
const changesFile = join(__dirname, '..', 'dist', 'changes.json');

const maxTitleCharacters = 80;

/** Creates the routes `/changes` (HTML) and `/changes.atom` (RFC 4287). Throws if the site is not built. */
export function createChangesRoutes(): Route[] {
  const releases = JSON.parse(readFileSync(changesFile, 'utf8')) as Release[];
  const html = renderPage({ title: 'Changes of the API', main: renderReleases(releases) });
  const page = createStaticPage(html, 'text/html');
  const entries = releases.flatMap(({ changes }) => changes.map(toFeedEntry));
  const feedPage = createFeedPage({
    title: 'Changes of the Lectern API',
    path: '/changes.atom',
    page: '/changes',
    entries,
  });
  return [
    createGetRoute('/changes', (request, response) => sendStaticContent(request, response, page)),
    createGetRoute('/changes.atom', (request, response) => sendStaticContent(request, response, feedPage)),
  ];
}

function renderReleases(releases: readonly Release[]): Html {
  // The header Link leads to `/changes#` and a coordinate. Ids are unique, so the newest entry gets the coordinate.
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

interface Feed {
  title: string;
  path: string;
  /** The path of the page that lists the same entries. Null if there is none. */
  page: string | null;
  entries: readonly FeedEntry[];
}

interface FeedEntry {
  title: string;
  /** A text that no other entry has. */
  id: string;
  /** The path of a page about the entry. Null if there is none. */
  page: string | null;
  /** ISO 8601 in UTC. */
  updated: string;
  content: string;
}

/** Creates an Atom feed (RFC 4287) of the 100 newest entries, which does not depend on the host that serves it. */
function createFeedPage({ title, path, page, entries }: Feed): StaticContent {
  const newest = entries.toSorted((a, b) => b.updated.localeCompare(a.updated)).slice(0, 100);
  const feed = html`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<title>${title}</title>
<id>${uuidOf(title)}</id>
<link rel="self" type="application/atom+xml" href="${path}"/>
${renderPageLink(page)}<updated>${newest[0]?.updated ?? '1970-01-01T00:00:00Z'}</updated>
<author><name>Lectern</name></author>
${newest.map(renderFeedEntry)}</feed>
`;
  return createStaticPage(feed.markup, 'application/atom+xml', anyOrigin);
}

const renderPageLink = (page: string | null): Html | false =>
  page !== null && html`<link rel="alternate" type="text/html" href="${page}"/>\n`;

const renderFeedEntry = ({ title, id, page, updated, content }: FeedEntry): Html => html`<entry>
<title>${title}</title>
<id>${uuidOf(id)}</id>
${renderPageLink(page)}<updated>${updated}</updated>
<content type="text">${content}</content>
</entry>
`;

function toFeedEntry(change: ApiChange): FeedEntry {
  const content = change.text.replaceAll('`', '');
  const start = content.slice(0, maxTitleCharacters - 1).replace(/(?<!\s)\s+\S*$/, '');
  const title = content.length > maxTitleCharacters ? `${start}…` : content;
  const page = `/changes#${elementId(change)}`;
  return { title, id: change.date + change.text, page, updated: `${change.date}T00:00:00Z`, content };
}

/** The state of a translation's text: see `Translation.version` in the schema. */
export interface TextState {
  identifier: string;
  name: string;
  version: string;
  changedAt: string;
}

/** How long the state of the texts is not read again, in milliseconds, because reading needs no key. */
const textsMaxAgeMs = 1_000;

/** Lists the translations by their last change. `readTexts` resolves with null if they cannot be read now. */
export function createTextsRoute(readTexts: () => Promise<readonly TextState[] | null>, now = Date.now): Route {
  let last: { readonly at: number; readonly page: Promise<StaticContent | null> } | null = null;
  const readPage = async (): Promise<StaticContent | null> => {
    const texts = await readTexts();
    const entries = texts?.map(({ identifier, name, version, changedAt }) => ({
      title: `${name} (${identifier})`,
      id: `text ${identifier} ${version}`,
      page: null,
      updated: changedAt,
      content: `The text of ${identifier} has the version ${version}.`,
    }));
    return entries
      ? createFeedPage({ title: 'Changes of Bible texts', path: '/texts.atom', page: null, entries })
      : null;
  };
  return createGetRoute('/texts.atom', async (request, response) => {
    if (!last || now() - last.at >= textsMaxAgeMs) last = { at: now(), page: readPage() };
    const page = await last.page;
    if (page) sendStaticContent(request, response, page);
    else sendUnavailable(request, response, errors.subgraphUnavailable());
  });
}

const elementId = (change: ApiChange): string => `${change.date}-${digestOf(change.date + change.text).slice(0, 8)}`;

/** Derives a UUID of version 8 (RFC 9562) from the text. */
function uuidOf(text: string): string {
  const digest = digestOf(text);
  return `urn:uuid:${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}

const digestOf = (text: string): string => hash('sha256', text);
