import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot, send } from '@lectern/testing';
import { buildSchema, isInterfaceType, isObjectType } from 'graphql';
import { SaxesParser } from 'saxes';
import type { EmbeddedLectern } from '../support/embedded-lectern';
import { startEmbeddedLectern } from '../support/embedded-lectern';

let lectern: EmbeddedLectern;
let page: string;
beforeAll(async () => {
  lectern = await startEmbeddedLectern();
  page = (await get('/changes')).text;
});
afterAll(() => lectern.close());

const get = (path: string) => send(lectern.origin + path, { method: 'GET' });
const changelog = readFileSync(join(repositoryRoot, 'CHANGELOG.md'), 'utf8');
/** The entries of the first section "API" of CHANGELOG.md. */
const entries = (/^### API$([^]*?)^###? /m.exec(changelog)?.[1] ?? '').trim().split(/\n(?=- )/);

interface FeedElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly parent: FeedElement | null;
  text: string;
}

/** Parses the feed. Throws if the feed is not well-formed XML. */
async function readFeed(path = '/changes.atom') {
  const { text, headers } = await get(path);
  const elements: FeedElement[] = [];
  const open: FeedElement[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes, parent: open.at(-1) ?? null, text: '' };
    elements.push(element);
    open.push(element);
  });
  parser.on('text', (characters) => {
    const element = open.at(-1);
    if (element) element.text += characters;
  });
  parser.on('closetag', () => open.pop());
  parser.write(text).close();
  return { headers, elements, childrenOf: (parent: FeedElement) => elements.filter((each) => each.parent === parent) };
}

test('the page /changes lists each API entry of CHANGELOG.md with its date, in the same order', () => {
  const dates = [...page.matchAll(/<li id="[^"]+">.*?<time datetime="(\d{4}-\d\d-\d\d)">/g)].map(([, date]) => date);
  expect(dates).toEqual(entries.map((entry) => entry.slice(2, 12)));
  expect(dates.length).toBeGreaterThan(10);
});

test('the page /changes has exactly one element for each changed field or argument, with its schema coordinate as HTML id', () => {
  for (const coordinate of [
    'Mutation.testField',
    'Query.concordance(testament:)',
    'Query.randomVerse(testament:)',
    'Book.testament',
    'LocalizedBook.testament',
  ])
    expect(page.split(`id="${coordinate}"`)).toHaveLength(2);
});

test('each HTML id on the page /changes is unique', () => {
  const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('the feed /changes.atom has the elements of RFC 4287, and an entry for each of the 100 newest API changes', async () => {
  const { headers, elements, childrenOf } = await readFeed();
  expect(headers['content-type']).toBe('application/atom+xml; charset=utf-8');
  const [feed] = elements;
  if (!feed) throw new Error('the feed is empty');
  expect([feed.name, feed.attributes['xmlns']]).toEqual(['feed', 'http://www.w3.org/2005/Atom']);
  const feedEntries = elements.filter(({ name }) => name === 'entry');
  expect(feedEntries).toHaveLength(Math.min(100, entries.length));
  expect(childrenOf(feed).map(({ name }) => name)).toContain('author');
  for (const parent of [feed, ...feedEntries]) {
    const textOf = (name: string) => childrenOf(parent).find((each) => each.name === name)?.text ?? '';
    expect(textOf('title')).not.toBe('');
    expect(textOf('id')).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(new Date(textOf('updated')).toISOString()).toMatch(/T00:00:00\.000Z$/);
  }
  const ids = elements.filter(({ name }) => name === 'id').map(({ text }) => text);
  expect(new Set(ids).size).toBe(ids.length);
});

test('each entry of the feed /changes.atom links to the item at the same position of the page /changes', async () => {
  const { elements } = await readFeed();
  const links = elements
    .filter(({ name, parent }) => name === 'link' && parent?.name === 'entry')
    .map(({ attributes }) => attributes['href'] ?? '');
  const items = [...page.matchAll(/<li id="([^"]+)">.*?<time datetime=/g)].map(([, id]) => id);
  expect(links).toEqual(items.slice(0, 100).map((id) => `/changes#${id}`));
});

test('the feed /texts.atom has an entry for each translation, with the version and the time that the API returns', async () => {
  const { elements, childrenOf } = await readFeed('/texts.atom');
  const { data } = (await lectern.client('{ translations { identifier name version changedAt } }')) as unknown as {
    data: { translations: { identifier: string; name: string; version: string; changedAt: string }[] };
  };
  const feedEntries = elements
    .filter(({ name }) => name === 'entry')
    .map((entry) => Object.fromEntries(childrenOf(entry).map(({ name, text }) => [name, text])));
  const newest = data.translations.toSorted((a, b) => b.changedAt.localeCompare(a.changedAt));
  expect(feedEntries.map(({ title, updated, content }) => ({ title, updated, content }))).toEqual(
    newest.map(({ identifier, name, version, changedAt }) => ({
      title: `${name} (${identifier})`,
      updated: changedAt,
      content: `The text of ${identifier} has the version ${version}.`,
    })),
  );
  expect(new Set(feedEntries.map(({ id }) => id)).size).toBe(newest.length);
  expect(childrenOf(elements[0] as FeedElement).find(({ name }) => name === 'updated')?.text).toBe(
    newest[0]?.changedAt,
  );
});

test.each(['/', '/explorer', '/reference', '/up', '/api-keys/request'])(
  'the page %s links to the page /changes and to the feed /changes.atom',
  async (path) => {
    const { text } = await get(path);
    expect(text).toContain('<a href="/changes">');
    expect(text).toMatch(/<link rel="alternate" type="application\/atom\+xml" [^>]*href="\/changes\.atom">/);
  },
);

test('each deprecated field and argument of the schema has a date in its deprecation reason, and an entry in CHANGELOG.md', async () => {
  const schema = buildSchema((await get('/schema.graphql')).text);
  const deprecated = Object.values(schema.getTypeMap())
    .flatMap((type) => (isObjectType(type) || isInterfaceType(type) ? [type] : []))
    .flatMap((type) =>
      Object.values(type.getFields()).map((field) => ({ coordinate: `${type.name}.${field.name}`, field })),
    )
    .flatMap(({ coordinate, field }) => [
      { coordinate, reason: field.deprecationReason },
      ...field.args.map((argument) => ({
        coordinate: `${coordinate}(${argument.name}:)`,
        reason: argument.deprecationReason,
      })),
    ])
    .filter(({ reason }) => typeof reason === 'string');
  for (const { coordinate, reason } of deprecated) {
    const [, since] = /^Since (\d{4}-\d\d-\d\d): ./.exec(reason ?? '') ?? [];
    expect({ coordinate, since }).toEqual({ coordinate, since: expect.any(String) });
    expect(changelog).toMatch(
      new RegExp(`^- ${since}: Deprecated\\b.*\`${coordinate.replace(/[.()]/g, '\\$&')}\``, 'm'),
    );
  }
});
