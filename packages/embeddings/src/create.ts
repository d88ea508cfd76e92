import { builtInModel, createBuiltInEmbedder } from './built-in';
import type { embeddingsSettings } from './config';
import { type Embedder, embedderError } from './embedder';
import type { Pooling } from './encoder';
import { createEndpointEmbedder } from './endpoint';
import { createFolderEmbedder } from './folder';

/** The values of `embeddingsSettings`, as envalid returns them. */
export type EmbeddingsSettings = {
  readonly [Name in keyof typeof embeddingsSettings]: ReturnType<(typeof embeddingsSettings)[Name]['_parse']>;
};

/**
 * Creates the embedder that the settings choose: a model folder, an endpoint, or else the built-in
 * model.
 */
export async function createEmbedder(settings: EmbeddingsSettings): Promise<Embedder> {
  const { EMBEDDINGS_MODEL_DIR: folder, EMBEDDINGS_URL: url, EMBEDDINGS_POOLING: pooling } = settings;
  const limits = { cores: settings.EMBEDDINGS_THREADS, queueLength: settings.EMBEDDINGS_QUEUE };
  if (folder !== '' && url !== '')
    throw embedderError('misconfigured', 'EMBEDDINGS_MODEL_DIR and EMBEDDINGS_URL are both set: choose one');
  if (url !== '') return createConfiguredEndpoint(settings);
  if (folder === '') return createBuiltInEmbedder(limits);
  return createFolderEmbedder({
    ...limits,
    folder,
    queryPrefix: settings.EMBEDDINGS_QUERY_PREFIX,
    passagePrefix: settings.EMBEDDINGS_PASSAGE_PREFIX,
    ...(pooling !== '' && { pooling: pooling as Pooling }),
  });
}

function createConfiguredEndpoint(settings: EmbeddingsSettings): Embedder {
  const model = settings.EMBEDDINGS_MODEL === '' ? builtInModel.id : settings.EMBEDDINGS_MODEL;
  const common = {
    url: settings.EMBEDDINGS_URL,
    model,
    sendDimensions: settings.EMBEDDINGS_SEND_DIMENSIONS,
    timeoutMs: settings.EMBEDDINGS_TIMEOUT_MS,
    ...(settings.EMBEDDINGS_API_KEY !== '' && { apiKey: settings.EMBEDDINGS_API_KEY }),
  };
  // The built-in model always uses its own dimensions and prefixes: with others, its vectors would
  // differ.
  if (model === builtInModel.id) return createEndpointEmbedder({ ...common, ...builtInModel });
  if (settings.EMBEDDINGS_DIMENSIONS === 0) {
    throw embedderError(
      'misconfigured',
      `EMBEDDINGS_DIMENSIONS must say how many dimensions the vectors of ${model} have`,
    );
  }
  return createEndpointEmbedder({
    ...common,
    dimensions: settings.EMBEDDINGS_DIMENSIONS,
    queryPrefix: settings.EMBEDDINGS_QUERY_PREFIX,
    passagePrefix: settings.EMBEDDINGS_PASSAGE_PREFIX,
  });
}
