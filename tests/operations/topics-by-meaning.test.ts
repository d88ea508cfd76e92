import { createSemanticOptions, semanticSettings } from '@lectern/search';
import { readSettings, silentLogger } from '@lectern/serving';
import { dataDir } from '@lectern/testing';
import { startEmbeddedLectern } from '../support/embedded-lectern';

test('semanticTopics returns topics of the search subgraph that the study subgraph resolves', async () => {
  const settings = readSettings({ SEMANTIC_TIMEOUT_MS: '60000' }, semanticSettings);
  const lectern = await startEmbeddedLectern({
    semantic: await createSemanticOptions({ settings, dataDir, log: silentLogger }),
  });
  try {
    const { data, errors } = await lectern.client(
      '{ semanticTopics(query: "paying taxes", limit: 3) { similarity topic { id name verseCount seeAlso(first: 1) { id } } } }',
    );
    expect(errors).toBeUndefined();
    expect(data?.['semanticTopics']).toHaveLength(3);
    expect(data?.['semanticTopics']).toContainEqual({
      similarity: expect.any(Number),
      topic: { id: expect.any(String), name: 'TAX', verseCount: expect.any(Number), seeAlso: expect.any(Array) },
    });
  } finally {
    await lectern.close();
  }
});
