import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { graphqlHeaders, repositoryRoot, send } from '@lectern/testing';
import { parseItem } from 'structured-headers';
import type { EmbeddedLectern } from '../support/embedded-lectern';
import { startEmbeddedLectern } from '../support/embedded-lectern';

const abbrevReason = 'Since 2026-12-01: use `identifier`.';
const languageReason = 'Since 2026-11-01: use `languages`.';
const argumentReason = 'Every day has one verse.';

/**
 * Returns the supergraph with two deprecated fields, and a deprecated argument whose reason has no
 * date.
 */
function deprecatingSupergraph(): string {
  let supergraph = readFileSync(join(repositoryRoot, 'supergraph.graphql'), 'utf8');
  const deprecate = (element: RegExp, reason: string) => {
    if (!element.test(supergraph)) throw new Error(`the supergraph has no ${element.source}`);
    supergraph = supergraph.replace(element, `$& @deprecated(reason: "${reason}")`);
  };
  deprecate(/\n {2}abbrev: String(?= @join__field)/, abbrevReason);
  deprecate(/\ntype Translation\b[^}]*?\n {2}language: String!(?= @join__field)/, languageReason);
  deprecate(/\n {4}date: ISO8601Date(?=\n)/, argumentReason);
  return supergraph;
}

let folder: string;
let lectern: EmbeddedLectern;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lectern-'));
  const supergraph = join(folder, 'supergraph.graphql');
  writeFileSync(supergraph, deprecatingSupergraph());
  lectern = await startEmbeddedLectern({ supergraph });
});
afterAll(async () => {
  await lectern.close();
  rmSync(folder, { recursive: true, force: true });
});

async function request(
  query: string,
  { operationName, report = false }: { operationName?: string; report?: boolean } = {},
) {
  const { headers, json } = await send(lectern.url, {
    headers: [...graphqlHeaders(lectern.token), ...(report ? ['Lectern-Report', 'cost'] : [])],
    body: JSON.stringify({ query, operationName }),
  });
  return {
    deprecation: headers['deprecation'],
    link: headers['link'],
    body: json() as { data?: unknown; errors?: unknown; extensions?: Record<string, unknown> },
  };
}

test('a response with a deprecated field has the headers Deprecation and Link, even from the response cache', async () => {
  const query = '{ translation(identifier: "eng-web") { abbrev name } }';
  const [first, cached] = [await request(query), await request(query)];
  expect(first.link).toBe('</changes#Translation.abbrev>; rel="deprecation"; type="text/html"');
  expect(parseItem(String(first.deprecation))[0]).toEqual(new Date('2026-12-01T00:00:00Z'));
  expect(cached).toEqual(first);
  expect(first.body).toMatchObject({ data: { translation: { abbrev: expect.any(String) } } });
  expect(first.body).not.toHaveProperty('extensions');
});

test('with several deprecated fields, Deprecation has the earliest date, and Link names each field once', async () => {
  const { deprecation, link } = await request(
    'query { translation(identifier: "eng-web") { abbrev ...Language } } fragment Language on Translation { language again: abbrev }',
  );
  expect(parseItem(String(deprecation))[0]).toEqual(new Date('2026-11-01T00:00:00Z'));
  expect(link).toBe(
    '</changes#Translation.abbrev>; rel="deprecation"; type="text/html", </changes#Translation.language>; rel="deprecation"; type="text/html"',
  );
});

test('a response has no Deprecation or Link if only an operation that is not executed uses a deprecated field', async () => {
  const query =
    'query Old { ...Old } query New { translation(identifier: "eng-web") { name } } fragment Old on Query { translation(identifier: "eng-web") { abbrev } }';
  expect(await request(query, { operationName: 'New' })).toMatchObject({ deprecation: undefined, link: undefined });
  expect((await request(query, { operationName: 'Old' })).deprecation).toMatch(/^@\d+$/);
});

test('a deprecated argument whose reason has no date adds the header Link to the response but not Deprecation', async () => {
  expect(await request('{ verseOfTheDay(date: "2026-12-24") { reference } }')).toMatchObject({
    deprecation: undefined,
    link: '</changes#Query.verseOfTheDay(date%3A)>; rel="deprecation"; type="text/html"',
  });
  expect(await request('{ verseOfTheDay { reference } }')).toMatchObject({ deprecation: undefined, link: undefined });
});

test('Lectern-Report: cost lists the deprecated fields and arguments of the operation, with reason and date', async () => {
  const { body } = await request(
    '{ translation(identifier: "eng-web") { abbrev } verseOfTheDay(date: "2026-12-24") { reference } }',
    { report: true },
  );
  expect(body.extensions).toMatchObject({
    cost: { complexity: 4 },
    deprecations: [
      { coordinate: 'Translation.abbrev', reason: abbrevReason, since: '2026-12-01' },
      { coordinate: 'Query.verseOfTheDay(date:)', reason: argumentReason, since: null },
    ],
  });
  const { body: current } = await request('{ translation(identifier: "eng-web") { name } }', { report: true });
  expect(current.extensions).not.toHaveProperty('deprecations');
});

test('an invalid operation with a deprecated field gets its validation errors without the headers Deprecation and Link', async () => {
  const { deprecation, link, body } = await request('{ translation(identifier: "eng-web") { abbrev unknown } }');
  expect([deprecation, link]).toEqual([undefined, undefined]);
  expect(body).toMatchObject({ errors: [{ extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } }] });
});
