import { builtInModel, createBuiltInEmbedder } from './built-in';
import type { EmbeddingsSettings } from './config';
import { type Embedder, embedderError } from './embedder';
import type { Pooling } from './encoder';
import { createEndpointEmbedder } from './endpoint-embedder';
import { createFolderEmbedder } from './folder-embedder';

/** Creates the embedder that the settings select: a model folder, an endpoint, or else the built-in model. */
export async function createEmbedder(settings: EmbeddingsSettings): Promise<Embedder> {
  const { EMBEDDINGS_MODEL_DIR: folder, EMBEDDINGS_URL: url, EMBEDDINGS_POOLING: pooling } = settings;
  const limits = { cores: settings.EMBEDDINGS_THREADS, queueLength: settings.EMBEDDINGS_QUEUE };
  const prefixes = {
    queryPrefix: settings.EMBEDDINGS_QUERY_PREFIX,
    passagePrefix: settings.EMBEDDINGS_PASSAGE_PREFIX,
  };
  if (folder !== '' && url !== '')
    throw embedderError('misconfigured', 'EMBEDDINGS_MODEL_DIR and EMBEDDINGS_URL are both set: choose one');
  if (folder !== '')
    return createFolderEmbedder({
      ...limits,
      ...prefixes,
      folder,
      ...(pooling !== '' && { pooling: pooling as Pooling }),
    });
  if (url === '') return createBuiltInEmbedder(limits);

  const { EMBEDDINGS_MODEL: model, EMBEDDINGS_DIMENSIONS: dimensions } = settings;
  if (model === '')
    throw embedderError(
      'misconfigured',
      'EMBEDDINGS_URL needs EMBEDDINGS_MODEL, the name of the model at the endpoint',
    );
  const problem = `EMBEDDINGS_DIMENSIONS must say how many dimensions the vectors of ${model} have`;
  if (model !== builtInModel.id && dimensions === 0) throw embedderError('misconfigured', problem);
  return createEndpointEmbedder({
    url,
    model,
    apiKey: settings.EMBEDDINGS_API_KEY,
    sendDimensions: settings.EMBEDDINGS_SEND_DIMENSIONS,
    timeoutMs: settings.EMBEDDINGS_TIMEOUT_MS,
    // These are ignored for the built-in model, whose vectors must be comparable with those that ship with Lectern.
    ...(model === builtInModel.id ? builtInModel : { dimensions, ...prefixes }),
  });
}
