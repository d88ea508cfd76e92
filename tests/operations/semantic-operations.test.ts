import { createLecternClient, searchVerses, semanticSearch, semanticTopics, similarVerses } from '@lectern/client';
import { createSemanticOptions, semanticSettings } from '@lectern/search';
import { readSettings, silentLogger } from '@lectern/serving';
import { dataDir } from '@lectern/testing';
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
