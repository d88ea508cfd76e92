import { builtInModel, createBuiltInEmbedder } from './built-in-embedder';
import { type Embedder, embedderError } from './embedder';
import { createEndpointEmbedder } from './endpoint-embedder';
import { createFolderEmbedder } from './folder-embedder';
import type { Pooling } from './read-model-folder';
import type { embeddingsSettings } from './settings';

/** The values that `settings` describes, as envalid hands them over. */
export type EmbeddingsSettings = {
  readonly [Name in keyof typeof embeddingsSettings]: ReturnType<(typeof embeddingsSettings)[Name]['_parse']>;
};

/** The embedder that the settings choose: a folder, an endpoint, or without either the built-in model. */
export async function createEmbedder(chosen: EmbeddingsSettings): Promise<Embedder> {
  const { EMBEDDINGS_MODEL_DIR: folder, EMBEDDINGS_URL: url, EMBEDDINGS_POOLING: pooling } = chosen;
  const limits = { cores: chosen.EMBEDDINGS_THREADS, queueLength: chosen.EMBEDDINGS_QUEUE };
  if (folder !== '' && url !== '')
    throw embedderError('misconfigured', 'EMBEDDINGS_MODEL_DIR and EMBEDDINGS_URL are both set: choose one');
  if (url !== '') return endpoint(chosen);
  if (folder === '') return createBuiltInEmbedder(limits);
  return createFolderEmbedder({
    ...limits,
    folder,
    queryPrefix: chosen.EMBEDDINGS_QUERY_PREFIX,
    passagePrefix: chosen.EMBEDDINGS_PASSAGE_PREFIX,
    ...(pooling !== '' && { pooling: pooling as Pooling }),
  });
}

function endpoint(chosen: EmbeddingsSettings): Embedder {
  const model = chosen.EMBEDDINGS_MODEL === '' ? builtInModel.id : chosen.EMBEDDINGS_MODEL;
  const common = {
    url: chosen.EMBEDDINGS_URL,
    model,
    sendDimensions: chosen.EMBEDDINGS_SEND_DIMENSIONS,
    timeoutMs: chosen.EMBEDDINGS_TIMEOUT_MS,
    ...(chosen.EMBEDDINGS_API_KEY !== '' && { apiKey: chosen.EMBEDDINGS_API_KEY }),
  };
  // What the built-in model wants is known, and its vectors are only its own with these prefixes.
  if (model === builtInModel.id) return createEndpointEmbedder({ ...common, ...builtInModel });
  if (chosen.EMBEDDINGS_DIMENSIONS === 0) {
    throw embedderError(
      'misconfigured',
      `EMBEDDINGS_DIMENSIONS must say how many dimensions the vectors of ${model} have`,
    );
  }
  return createEndpointEmbedder({
    ...common,
    dimensions: chosen.EMBEDDINGS_DIMENSIONS,
    queryPrefix: chosen.EMBEDDINGS_QUERY_PREFIX,
    passagePrefix: chosen.EMBEDDINGS_PASSAGE_PREFIX,
  });
}
