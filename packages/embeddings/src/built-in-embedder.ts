import { join } from 'node:path';
import { type Embedder, type EmbedOptions } from './embedder';
import { createEncoder, type Encoded } from './encoder';
import type { EncoderModel } from './read-model-folder';

const folder = join(__dirname, '..', 'model');

/** The model that comes with Lectern: multilingual-e5-small in four bits. */
export const builtInModel = {
  /** Ends in the first digits of the sha256 over model, weights and tokenizer: other files are another model. */
  id: 'multilingual-e5-small-q4-ba466e37',
  dimensions: 384,
  // The family was trained with these in front of every text, and is much worse without.
  queryPrefix: 'query: ',
  passagePrefix: 'passage: ',
} as const;

const encoderModel: EncoderModel = {
  modelFile: join(folder, 'model.onnx'),
  tokenizerFile: join(folder, 'tokenizer.json'),
  tokenizerConfigFile: null,
  pooling: 'mean',
  maxTokens: 512,
};

export interface EncoderLimits {
  /** Cores that share the model's work on a text. */
  cores: number;
  /** Texts that may wait at most. */
  queueLength: number;
}

export interface BuiltInEmbedder extends Embedder {
  /** Without any prefix: for an endpoint whose callers write their own. Exact when all are short, as questions are. */
  embedTexts(texts: readonly string[], options?: EmbedOptions): Promise<Encoded[]>;
}

/** A text of up to so many characters is taken for a question. */
const questionLength = 250;

/** Loads nothing before it is asked. Runs offline, in a thread of its own. */
export function createBuiltInEmbedder(limits: EncoderLimits): BuiltInEmbedder {
  const encoder = createEncoder({ model: encoderModel, ...limits });
  return {
    id: builtInModel.id,
    dimensions: builtInModel.dimensions,
    embedQueries: async (texts, options = {}) =>
      vectorsOf(
        await encoder.encode(
          texts.map((text) => builtInModel.queryPrefix + text),
          { ...options, exact: true },
        ),
      ),
    embedPassages: async (texts, options = {}) =>
      vectorsOf(
        await encoder.encode(
          texts.map((text) => builtInModel.passagePrefix + text),
          { ...options, exact: false },
        ),
      ),
    embedTexts: (texts, options = {}) =>
      encoder.encode(texts, {
        ...options,
        exact: texts.every(({ length }) => length <= questionLength) && texts.length <= 32,
      }),
    warm: async () => {
      await encoder.load();
    },
    close: () => encoder.close(),
  };
}

export const vectorsOf = (encoded: readonly Encoded[]): Float32Array[] => encoded.map(({ vector }) => vector);
