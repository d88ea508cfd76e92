import { join } from 'node:path';
import type { Embedder, EmbedOptions } from './embedder';
import type { EncodedText, EncoderLimits, EncoderModel } from './encoder';
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

export interface BuiltInEmbedder extends Embedder {
  /**
   * Embeds texts without adding a prefix. The HTTP endpoint needs this, because its clients write the prefix. If the
   * texts are few and short, each is computed alone, so that the same text always gets exactly the same vector.
   */
  embedTexts(texts: readonly string[], options?: EmbedOptions): Promise<EncodedText[]>;
}

/** The maximum length of a text that `embedTexts` computes like a query, in UTF-16 units. */
const maxQueryCharacters = 250;
const maxQueries = 32;

/** Creates the embedder of the built-in model, which runs in a worker thread and needs no network. */
export function createBuiltInEmbedder(limits: EncoderLimits): BuiltInEmbedder {
  const encoder = createEncoder({ model: builtInEncoderModel, ...limits });
  const { id, passageId, dimensions } = builtInModel;
  return {
    id,
    passageId,
    dimensions,
    parallelQueries: 1,
    ...createPrefixEmbedding(encoder, builtInModel),
    embedTexts(texts, options) {
      const exact = texts.length <= maxQueries && texts.every(({ length }) => length <= maxQueryCharacters);
      return encoder.encode(texts, { ...options, exact });
    },
    warm: async () => void (await encoder.load()),
    close: encoder.close,
  };
}
