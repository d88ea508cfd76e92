import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createLecternClient, searchVerses, semanticSearch, semanticTopics, similarVerses } from '@lectern/client';
import { createSemanticOptions, semanticSettings } from '@lectern/search';
import { readSettings, silentLogger } from '@lectern/serving';
import {
  dataDir,
  elementsWithoutDescription,
  fieldsWithoutExample,
  graphqlHeaders,
  readExamples,
  repositoryRoot,
  send,
  useStarted,
} from '@lectern/testing';
import { buildASTSchema, buildSchema, parse } from 'graphql';
import { startEmbeddedLectern } from '../support/embedded-lectern';
import { repositorySubgraphs } from '../support/supergraph-yaml';

const lectern = useStarted(async () => {
  const settings = readSettings({ SEMANTIC_TIMEOUT_MS: '60000' }, semanticSettings);
  return startEmbeddedLectern({
    semantic: await createSemanticOptions({ settings, dataDir, log: silentLogger }),
  });
});

test('the search subgraph finds the topics of the field semanticTopics, and the study subgraph resolves their other fields', async () => {
  const { data, errors } = await lectern.client(
    '{ semanticTopics(query: "paying taxes", limit: 3) { similarity topic { id name verseCount seeAlso(first: 1) { id } } } }',
  );
  expect(errors).toBeUndefined();
  expect(data?.['semanticTopics']).toHaveLength(3);
  expect(data?.['semanticTopics']).toContainEqual({
    similarity: expect.any(Number),
    topic: { id: expect.any(String), name: 'TAX', verseCount: expect.any(Number), seeAlso: expect.any(Array) },
  });
});

test('with the largest limit, the functions of @lectern/client for semantic search return as many results as the limit', async () => {
  const client = createLecternClient({ url: lectern.url, key: lectern.token });
  const verses = await semanticSearch(client, { query: 'ansiedad', limit: 50 });
  expect(verses).toHaveLength(50);
  expect(await semanticTopics(client, { query: 'paying taxes', limit: 20 })).toHaveLength(20);
  const page = { query: 'pan', translation: 'spa-rv1909', mode: 'BEST', first: 100 } as const;
  expect((await searchVerses(client, page)).edges).toHaveLength(100);
  const psalm = { book: 'Salmos', chapter: 23, verse: 1, translation: 'spa-rv1909' };
  expect(await similarVerses(client, { ...psalm, limit: 50 })).toHaveLength(50);
});

/**
 * Sends a query with the header `Lectern-Report: cost`, or without the header if `report` is null.
 * Resolves with the members of the response.
 */
async function extensionsOf(query: string, report: 'cost' | null = 'cost') {
  const { json } = await send(lectern.url, {
    headers: [...graphqlHeaders(lectern.token), ...(report === null ? [] : ['Lectern-Report', report])],
    body: JSON.stringify({ query }),
  });
  const { data, errors, extensions } = json() as Record<string, Record<string, unknown> | undefined>;
  return { data, errors, extensions };
}

const noVectors =
  'No verse is found by meaning in eng-kjv, because there are no vectors. Use a translation with vectors (spa-rv1909), or ask the operator to add one to SEMANTIC_TRANSLATIONS.';

test.each([
  [
    'semanticSearch',
    'semanticSearch(query: "ansiedad", translation: "eng-kjv") { similarity }',
    'Query.semanticSearch',
  ],
  [
    'similar',
    'verse(book: "JHN", chapter: 3, verse: 16, translation: "eng-kjv") { similar(limit: 1) { similarity } }',
    'Verse.similar',
  ],
])(
  'Lectern-Report has one hint if the field %s searches a translation without verse vectors',
  async (_, field, coordinate) => {
    for (const query of [`{ ${field} }`, `{ ${field} }`, `{ again: ${field} languages { code } }`]) {
      const { errors, extensions } = await extensionsOf(query);
      expect([errors, extensions?.['hints']]).toEqual([undefined, [{ coordinate, message: noVectors }]]);
    }
    expect((await extensionsOf(`{ ${field} }`, null)).extensions).toBeUndefined();
  },
);

test('Lectern-Report has no hint if each searched translation has the vectors that the query needs', async () => {
  for (const query of [
    '{ semanticSearch(query: "ansiedad", limit: 1) { similarity } }',
    '{ searchVerses(query: "shepherd", translation: "eng-kjv", mode: BEST, first: 1) { mode } }',
    '{ semanticSearch(query: " ", translation: "eng-kjv") { similarity } }',
  ])
    expect((await extensionsOf(query)).extensions).toEqual({ cost: expect.any(Object) });
});

test.each(repositorySubgraphs)(
  'every field of the $name subgraph is selected by its examples.graphql, and every element has a description',
  async ({ folder, schemaFile }) => {
    const graph = buildSchema(await (await fetch(`${lectern.origin}/schema.graphql`)).text());
    const schema = buildASTSchema(parse(readFileSync(schemaFile, 'utf8')), { assumeValidSDL: true });
    const examples = readExamples(join(repositoryRoot, folder, 'examples.graphql'));
    expect(fieldsWithoutExample(schema, examples, graph)).toEqual([]);
    expect(elementsWithoutDescription(schema)).toEqual([]);
  },
);

/** Returns the requests that `npm run docs` writes to docs/examples.http, with the URL and the API key of the tested service. */
async function readHttpCollection() {
  const script = pathToFileURL(join(repositoryRoot, 'scripts/generate-http-collection.mjs')).href;
  const { generateHttpCollection } = (await import(script)) as { generateHttpCollection: () => Promise<string> };
  const text = (await generateHttpCollection()).replaceAll('{{url}}', lectern.url).replaceAll('{{key}}', lectern.token);
  return text
    .split(/^### /m)
    .slice(1)
    .map((request) => {
      const [title = '', ...lines] = request.split('\n').filter((line) => !line.startsWith('#'));
      const [, method = '', url = ''] = /^(\S+) (\S+)$/.exec(lines[0] ?? '') ?? [];
      const end = lines.indexOf('');
      const headers = Object.fromEntries(lines.slice(1, end).map((line) => line.split(': ') as [string, string]));
      return { title, url, method, headers, body: lines.slice(end).join('\n') };
    });
}

test('every request in the file docs/examples.http, which has the examples of all subgraphs, gets data without errors', async () => {
  const requests = await readHttpCollection();
  expect(requests.length).toBeGreaterThan(40);
  // Only imported translations have documents.
  for (const { title, url, ...request } of requests.filter((each) => each.title !== 'Text: Translation documents')) {
    const response = await fetch(url, request);
    const { data = {}, errors } = (await response.json()) as { data?: object; errors?: object[] };
    const empty = Object.values(data).filter((value) => JSON.stringify(value).length < 30);
    expect({ title, status: response.status, errors, empty }).toEqual({ title, status: 200, empty: [] });
  }
});
