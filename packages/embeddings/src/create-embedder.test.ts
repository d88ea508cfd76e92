import { readSettings } from '@lectern/serving';
import { builtInModel, createEmbedder, embeddingsSettings } from './index';

const read = async (env: Record<string, string>) => createEmbedder(readSettings(env, embeddingsSettings));

test('createEmbedder uses the built-in embedding model if no setting names another model', async () => {
  const embedder = await read({});
  expect(embedder).toMatchObject({ id: builtInModel.id, dimensions: 384 });
  await embedder.close();
});

test('for an endpoint that serves the built-in model, createEmbedder knows the dimensions', async () => {
  const shared = await read({ EMBEDDINGS_URL: 'http://embeddings.example/v1', EMBEDDINGS_MODEL: builtInModel.id });
  expect(shared).toMatchObject({ id: builtInModel.id, dimensions: 384 });
  await shared.close();
});

test('the id of an embedder for an endpoint depends on its model name, dimensions and prefixes', async () => {
  const of = async (env: Record<string, string>) => {
    const embedder = await read({
      EMBEDDINGS_URL: 'https://example.org/v1',
      EMBEDDINGS_MODEL: 'some-model',
      EMBEDDINGS_DIMENSIONS: '768',
      ...env,
    });
    await embedder.close();
    return embedder;
  };
  expect(await of({})).toMatchObject({ dimensions: 768, id: expect.stringMatching(/^some-model-768-[0-9a-f]{8}$/) });
  const ids = [
    await of({}),
    await of({ EMBEDDINGS_QUERY_PREFIX: 'query: ' }),
    await of({ EMBEDDINGS_PASSAGE_PREFIX: 'passage: ' }),
    await of({ EMBEDDINGS_DIMENSIONS: '256' }),
    await of({ EMBEDDINGS_MODEL: 'other' }),
  ].map(({ id }) => id);
  expect(new Set(ids).size).toBe(5);
});

test('createEmbedder rejects invalid or contradictory settings, and names the setting', async () => {
  await expect(read({ EMBEDDINGS_URL: 'http://x/v1', EMBEDDINGS_MODEL: 'm' })).rejects.toThrow(
    /^EMBEDDINGS_DIMENSIONS must say/,
  );
  await expect(read({ EMBEDDINGS_URL: 'http://x/v1' })).rejects.toThrow(/^EMBEDDINGS_URL needs EMBEDDINGS_MODEL/);
  await expect(read({ EMBEDDINGS_URL: 'example.org' })).rejects.toThrow(
    /^EMBEDDINGS_URL must be a URL that begins with http/,
  );
  await expect(read({ EMBEDDINGS_URL: 'http://x/v1', EMBEDDINGS_MODEL_DIR: '/models/x' })).rejects.toThrow(
    /^EMBEDDINGS_MODEL_DIR and EMBEDDINGS_URL are both set/,
  );
  await expect(read({ EMBEDDINGS_MODEL_DIR: '/nowhere/at/all' })).rejects.toThrow(
    /^EMBEDDINGS_MODEL_DIR: there is no folder/,
  );
  await expect(read({ EMBEDDINGS_THREADS: '0' })).rejects.toThrow(/^EMBEDDINGS_THREADS must be a whole number/);
  await expect(read({ EMBEDDINGS_QUEUE: '1.5' })).rejects.toThrow(/^EMBEDDINGS_QUEUE/);
});

test('every setting of embeddingsSettings has a description', () => {
  for (const [name, setting] of Object.entries(embeddingsSettings))
    expect([name, setting.desc]).toEqual([name, expect.stringMatching(/\w.*\.$/)]);
});
