import { join } from 'node:path';
import type { Embedder } from './embedder';
import type { EncoderLimits, EncoderModel } from './encoder';
import { createEncoder, createPrefixEmbedding } from './encoder';

const modelFolder = join(__dirname, '..', 'model');

/** The model that ships with Lectern: multilingual-e5-small in four bits, and additional weights for queries. */
export const builtInModel = {
  /** `Embedder.id`. It ends in the first digits of the SHA-256 of model, weights and tokenizer. */
  id: 'multilingual-e5-small-q4-203c0ce5',
  /** `Embedder.passageId`. A new question adapter changes only queries, and leaves this id unchanged. */
  passageId: 'multilingual-e5-small-q4-ba466e37',
  dimensions: 384,
  // The E5 models were trained with these prefixes. Without them, results are much worse.
  queryPrefix: 'query: ',
  passagePrefix: 'passage: ',
} as const;

export const builtInEncoderModel: EncoderModel = {
  modelFile: join(modelFolder, 'model.onnx'),
  tokenizerFile: join(modelFolder, 'tokenizer.json'),
  tokenizerConfigFile: null,
  pooling: 'mean',
  maxTokens: 512,
  adapterPrefix: builtInModel.queryPrefix,
};

/** Creates the embedder of the built-in model, which runs in a worker thread and needs no network. */
export function createBuiltInEmbedder(limits: EncoderLimits): Embedder {
  const encoder = createEncoder({ model: builtInEncoderModel, ...limits });
  const { id, passageId, dimensions } = builtInModel;
  return {
    id,
    passageId,
    dimensions,
    parallelQueries: 1,
    ...createPrefixEmbedding(encoder, builtInModel),
    warm: async () => void (await encoder.load()),
    close: encoder.close,
  };
}
