import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { Listening } from '@lectern/serving';
import { listen } from '@lectern/serving';
import { send } from '@lectern/testing';
import type { GraphQLSchema } from 'graphql';
import { buildSchema } from 'graphql';
import type { FieldCost } from './field-cost';
import { createReferenceRoutes } from './reference-routes';

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

const prices = new Map<string, FieldCost>([
  ['Query.verses', { base: 10, perItem: 'first', divide: 25, max: 100 }],
  ['Query.hit', { base: 3, perItem: null, divide: 1, max: Number.MAX_SAFE_INTEGER }],
]);

const live: { schema: GraphQLSchema } = { schema: first };
let server: Listening;
beforeAll(async () => {
  const routes = createReferenceRoutes({ schema: () => live.schema, fieldCosts: () => prices });
  const handle = (request: IncomingMessage, response: ServerResponse) =>
    routes.find(({ path }) => path === request.url)?.handle(request, response, request.url ?? '');
  server = await listen(
    createServer((request, response) => void handle(request, response)),
    { host: '127.0.0.1', port: 0 },
  );
});
beforeEach(() => {
  live.schema = first;
});
afterAll(() => server.close(0));

const read = async (path = '/reference', headers: string[] = []) =>
  send(`http://127.0.0.1:${server.port}${path}`, { method: 'GET', headers });

/** What a reader sees of the element with this id and what is in it, blanks made one. */
async function shown(id: string): Promise<string> {
  const { text } = await read();
  const from = text.indexOf(`id="${id}"`);
  if (from < 0) throw new Error(`nothing has the id ${id}`);
  return text
    .slice(from + `id="${id}">`.length, from + 2_000)
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ');
}

test('an argument is shown with its type, its default and its description', async () => {
  expect(await shown('Query.verses.first')).toMatch(/^ ?first : Int = 25 How many\./);
  expect(await shown('Query.verses.order')).toMatch(/^ ?order : Order ! = BIBLE /);
  expect(await shown('Query.verses.filter')).toContain('filter : Filter = {books: [&quot;JHN&quot;], exact: true}');
  expect(await shown('Filter.exact')).toMatch(/^ ?exact : Boolean = false /);
});

test('a description keeps its paragraphs, cannot bring markup, and its code leads to what it names', async () => {
  const { text } = await read();
  expect(text).toContain(
    '<p>Verses of &lt;b&gt;one&lt;/b&gt; word, see <a href="#Verse.text"><code>Verse.text</code></a> and <code>grace</code>.</p><p>A second paragraph.</p>',
  );
});

test('a price is named where it is not 1', async () => {
  expect(await shown('Query.verses')).toContain(
    'Costs first (1 to 100) × what is selected in it ÷ 25, rounded down; at least 10.',
  );
  expect(await shown('Query.hit')).toContain('Costs 3, and what is selected in it.');
  expect((await read()).text.match(/class="price"/g)).toHaveLength(2);
});

test('what is deprecated says so, with the reason', async () => {
  expect(await shown('Verse.text')).toContain('Deprecated. Gone soon.');
  expect(await shown('Query.verses.old')).toContain('Deprecated. Use filter .');
  expect(await shown('Order.RANK')).toContain('Deprecated. No longer supported');
});

test('unions, interfaces, enums and scalars say what they are made of', async () => {
  expect(await shown('Hit')).toContain('One of Verse , Note .');
  expect(await shown('Verse')).toContain('Implements Named .');
  expect(await shown('Order.BIBLE')).toContain('As in the Bible.');
  expect((await read()).text).toContain('href="https://example.org/markup"');
});

test('a new schema is there at the next request, and who holds the old page gets the new one', async () => {
  const before = await read();
  const etag = String(before.headers.etag);
  expect((await read('/reference', ['If-None-Match', etag])).status).toBe(304);
  live.schema = second;
  const after = await read('/reference', ['If-None-Match', etag]);
  expect(after.status).toBe(200);
  expect(after.text).toContain('Newly deployed.');
  expect(after.text).not.toContain('Query.verses');
  expect((await read('/reference.graphql')).text).toContain('fresh: Int');
});
