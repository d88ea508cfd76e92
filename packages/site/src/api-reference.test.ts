import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { Listening } from '@lectern/serving';
import { listen } from '@lectern/serving';
import { send } from '@lectern/testing';
import { buildSchema } from 'graphql';
import { createReferenceRoutes } from './api-reference';

const first = buildSchema(`
  "Where to begin."
  type Query {
    """
    Verses of <b>one</b> word, see \`Verse.text\` and \`grace\`.

    A second paragraph.
    """
    verses(
      "How many."
      first: Int = 25
      order: Order! = BIBLE
      filter: Filter = { books: ["JHN"], exact: true }
      old: String @deprecated(reason: "Use \`filter\`.")
    ): [Verse!]
    hit: Hit
  }
  interface Named { name: String! }
  "A verse."
  type Verse implements Named { name: String!, text: String @deprecated(reason: "Gone soon.") }
  type Note { body: Markup }
  union Hit = Verse | Note
  "An order."
  enum Order { "As in the Bible." BIBLE, RANK @deprecated }
  input Filter { "Which books." books: [String!], exact: Boolean = false }
  scalar Markup @specifiedBy(url: "https://example.org/markup")
`);
const second = buildSchema('type Query { "Newly deployed." fresh: Int }');

const costs = new Map([['Query.verses', 'Costs `first` × 2, see `Query.hit`.']]);

const live = { schema: first };
let server: Listening;
beforeAll(async () => {
  const routes = createReferenceRoutes({
    schema: () => live.schema,
    describeCost: (coordinate) => costs.get(coordinate) ?? null,
  });
  const handle = (request: IncomingMessage, response: ServerResponse) =>
    routes
      .find(({ path }) => path === request.url || (path === '/reference/' && request.url?.startsWith(path)))
      ?.handle(request, response, request.url ?? '');
  server = await listen(
    createServer((request, response) => void handle(request, response)),
    { host: '127.0.0.1', port: 0 },
  );
});
beforeEach(() => {
  live.schema = first;
});
afterAll(() => server.close({ graceMs: 0 }));

const read = async (path = '/reference', headers: string[] = []) =>
  send(`http://127.0.0.1:${server.port}${path}`, { method: 'GET', headers });

/**
 * Returns the text of the page from the element with this id, without tags and with white space
 * collapsed.
 */
async function textAt(id: string): Promise<string> {
  const { text } = await read(`/reference/${id.split('.')[0] ?? ''}`);
  const from = text.indexOf(`id="${id}"`);
  if (from < 0) throw new Error(`no element has the id ${id}`);
  return text
    .slice(from + `id="${id}">`.length, from + 2_000)
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
}

test('the reference page shows the types, defaults and descriptions of arguments and input fields', async () => {
  expect(await textAt('Query.verses.first')).toMatch(/^ ?first : Int = 25 How many\./);
  expect(await textAt('Query.verses.order')).toMatch(/^ ?order : Order ! = BIBLE /);
  expect(await textAt('Query.verses.filter')).toContain('filter : Filter = {books: [&quot;JHN&quot;], exact: true}');
  expect(await textAt('Filter.books')).toMatch(/^ ?books : \[ ?String ! ?\] Which books\./);
  expect(await textAt('Filter.exact')).toMatch(/^ ?exact : Boolean = false /);
});

test('the reference page escapes markup in a description, and links inline code to the schema element', async () => {
  const { text } = await read('/reference/Query');
  expect(text).toContain(
    '<p>Verses of &lt;b&gt;one&lt;/b&gt; word, see <a href="/reference/Verse#Verse.text"><code>Verse.text</code></a> and <code>grace</code>.</p><p>A second paragraph.</p>',
  );
});

test('the reference page states the cost of a field only if the cost is not 1', async () => {
  const { text } = await read('/reference/Query');
  expect(text.match(/<p class="cost">.*?<\/p>/g)).toEqual([
    '<p class="cost">Costs <code>first</code> × 2, see <a href="/reference/Query#Query.hit"><code>Query.hit</code></a>.</p>',
  ]);
});

test('the reference page marks a deprecated element, and gives the reason', async () => {
  expect(await textAt('Verse.text')).toContain('Deprecated. Gone soon.');
  expect(await textAt('Query.verses.old')).toContain('Deprecated. Use filter .');
  expect(await textAt('Order.RANK')).toContain('Deprecated. No longer supported');
});

test('the reference page lists the members of a union, the interfaces of a type and the values of an enum', async () => {
  expect(await textAt('Hit')).toContain('One of Verse , Note .');
  expect(await textAt('Verse')).toContain('Implements Named .');
  expect(await textAt('Order.BIBLE')).toContain('As in the Bible.');
  expect((await read('/reference/Markup')).text).toContain('href="https://example.org/markup"');
});

test('the page /reference lists each type with its fields for the search box, and an unknown type gets 404', async () => {
  const { text } = await read();
  expect(text).toContain('<li data-names="Verse name text"><a href="/reference/Verse">Verse</a></li>');
  expect(text).toContain('<li data-names="verses"><a href="/reference/Query#Query.verses">verses</a></li>');
  expect([(await read('/reference/Nothing')).status, (await read('/reference/')).status]).toEqual([404, 404]);
});

test('the reference page shows a new schema at the next request, although the browser has cached the old page', async () => {
  const before = await read('/reference/Query');
  const etag = String(before.headers.etag);
  expect((await read('/reference/Query', ['If-None-Match', etag])).status).toBe(304);
  live.schema = second;
  const after = await read('/reference/Query', ['If-None-Match', etag]);
  expect(after.status).toBe(200);
  expect(after.text).toContain('Newly deployed.');
  expect(after.text).not.toContain('Query.verses');
  expect((await read('/schema.graphql')).text).toContain('fresh: Int');
});
