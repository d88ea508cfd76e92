import { join } from 'node:path';
import type { Embedder, EmbedOptions } from './embedder';
import type { EncodedText, EncoderLimits, QueryEncoderModel } from './encoder';
import { createEncoder, createPrefixEmbedding } from './encoder';

const modelFolder = join(__dirname, '..', 'model');

const queryPrefix = 'query: ';

/**
 * The model that ships with Lectern: multilingual-e5-small, quantized to four bits, with a question
 * adapter.
 */
export const builtInModel = {
  /**
   * The id of the model. It ends in the first digits of the SHA-256 over model, weights and
   * tokenizer, so that other files have another id.
   */
  id: 'multilingual-e5-small-q4-203c0ce5',
  /**
   * The id of the vectors of passages. It stays the same if another question adapter is added,
   * because the adapter only changes the vectors of queries. So the vectors of verses stay valid.
   */
  passageId: 'multilingual-e5-small-q4-ba466e37',
  dimensions: 384,
  // The E5 models were trained with these prefixes, and are much worse without them.
  queryPrefix,
  passagePrefix: 'passage: ',
} as const;

export const builtInEncoderModel: QueryEncoderModel = {
  modelFile: join(modelFolder, 'model.onnx'),
  tokenizerFile: join(modelFolder, 'tokenizer.json'),
  tokenizerConfigFile: null,
  pooling: 'mean',
  maxTokens: 512,
  adapterPrefix: queryPrefix,
};

export interface BuiltInEmbedder extends Embedder {
  /**
   * Embeds texts without adding a prefix, for an endpoint whose clients write the prefix. If the
   * texts are as few and short as queries, they are computed like queries: the same text always
   * gets the same vector.
   */
  embedTexts(texts: readonly string[], options?: EmbedOptions): Promise<EncodedText[]>;
}

/**
 * The bounds within which `embedTexts` treats texts as queries: the characters of each text, and
 * the number of texts.
 */
const maxQueryCharacters = 250;
const maxQueries = 32;

/**
 * Creates the embedder of the built-in model. Runs offline, in a worker thread that the first call
 * starts.
 */
export function createBuiltInEmbedder(limits: EncoderLimits): BuiltInEmbedder {
  const encoder = createEncoder({ model: builtInEncoderModel, ...limits });
  return {
    id: builtInModel.id,
    passageId: builtInModel.passageId,
    dimensions: builtInModel.dimensions,
    ...createPrefixEmbedding(encoder, builtInModel),
    embedTexts: (texts, options = {}) =>
      encoder.encode(texts, {
        ...options,
        exact: texts.every(({ length }) => length <= maxQueryCharacters) && texts.length <= maxQueries,
      }),
    warm: async () => {
      await encoder.load();
    },
    close: () => encoder.close(),
  };
}
