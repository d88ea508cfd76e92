import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLecternClient, searchVerses, semanticSearch, semanticTopics, similarVerses } from '@lectern/client';
import { createSemanticOptions, semanticSettings } from '@lectern/search';
import { readSettings, silentLogger } from '@lectern/serving';
import { dataDir, repositoryRoot } from '@lectern/testing';
import type { EmbeddedLectern } from '../support/embedded-lectern';
import { startEmbeddedLectern } from '../support/embedded-lectern';

let lectern: EmbeddedLectern;
beforeAll(async () => {
  const settings = readSettings({ SEMANTIC_TIMEOUT_MS: '60000' }, semanticSettings);
  lectern = await startEmbeddedLectern({
    semantic: await createSemanticOptions({ settings, dataDir, log: silentLogger }),
  });
});
afterAll(() => lectern.close());

test('semanticTopics returns topics of the search subgraph that the study subgraph resolves', async () => {
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

test('the functions of the client package for semantic search return their largest pages', async () => {
  const client = createLecternClient({ url: lectern.url, key: lectern.token });
  const verses = await semanticSearch(client, { query: 'ansiedad', limit: 50 });
  expect(verses).toHaveLength(50);
  expect(await semanticTopics(client, { query: 'paying taxes', limit: 20 })).toHaveLength(20);
  const page = { query: 'ansiedad', translation: 'spa-rv1909', mode: 'HYBRID', first: 100 } as const;
  expect((await searchVerses(client, page)).edges).toHaveLength(100);
  const psalm = { book: 'Salmos', chapter: 23, verse: 1, translation: 'spa-rv1909' };
  expect(await similarVerses(client, { ...psalm, limit: 50 })).toHaveLength(50);
});

/** Reads the requests of docs/examples.http, with the address and the key of the service. */
function readHttpCollection() {
  const text = readFileSync(join(repositoryRoot, 'docs/examples.http'), 'utf8')
    .replaceAll('{{url}}', lectern.url)
    .replaceAll('{{key}}', lectern.token);
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

test('every request of docs/examples.http has a response without errors', async () => {
  const requests = readHttpCollection();
  expect(requests.length).toBeGreaterThan(40);
  for (const { title, url, ...request } of requests) {
    const response = await fetch(url, request);
    const { data, errors } = (await response.json()) as { data?: object; errors?: object[] };
    expect({ title, status: response.status, data, errors }).toEqual({ title, status: 200, data: expect.any(Object) });
  }
});
