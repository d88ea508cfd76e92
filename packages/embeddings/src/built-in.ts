import { join } from 'node:path';
import type { Embedder, EmbedOptions } from './embedder';
import type { EncodedText, EncoderLimits, QueryEncoderModel } from './encoder';
import { createEncoder, createPrefixEmbedding } from './encoder';

const modelFolder = join(__dirname, '..', 'model');

/**
 * The model that ships with Lectern: multilingual-e5-small, quantized to four bits, with a question
 * adapter.
 */
export const builtInModel = {
  /** `Embedder.id`. It ends in the first digits of the SHA-256 over model, weights and tokenizer. */
  id: 'multilingual-e5-small-q4-203c0ce5',
  /** `Embedder.passageId`. It does not change with the question adapter, which changes only the vectors of queries. */
  passageId: 'multilingual-e5-small-q4-ba466e37',
  dimensions: 384,
  // The E5 models were trained with these prefixes, and are much worse without them.
  queryPrefix: 'query: ',
  passagePrefix: 'passage: ',
} as const;

export const builtInEncoderModel: QueryEncoderModel = {
  modelFile: join(modelFolder, 'model.onnx'),
  tokenizerFile: join(modelFolder, 'tokenizer.json'),
  tokenizerConfigFile: null,
  pooling: 'mean',
  maxTokens: 512,
  adapterPrefix: builtInModel.queryPrefix,
};

export interface BuiltInEmbedder extends Embedder {
  /**
   * Embeds texts without adding a prefix, for an endpoint whose clients write the prefix. If the
   * texts are as few and short as queries, they are computed like queries: the same text always
   * gets the same vector.
   */
  embedTexts(texts: readonly string[], options?: EmbedOptions): Promise<EncodedText[]>;
}

/** The maximum length, in UTF-16 units, up to which `embedTexts` treats a text as a query. */
const maxQueryCharacters = 250;
const maxQueries = 32;

/** Creates the embedder of the built-in model, which runs offline in a worker thread. */
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
