import { join } from 'node:path';
import { type Embedder, type EmbedOptions } from './embedder';
import type { EncoderModel } from './encoder-model';
import { createEncoderPool, type Encoded } from './encoder-pool';

const folder = join(__dirname, '..', 'model');

/** The model that comes with Lectern: multilingual-e5-small in four bits. */
export const builtInModel = {
  /** Ends in the first digits of the sha256 over model and tokenizer: other files are another model. */
  id: 'multilingual-e5-small-q4-35a0d2ce',
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
  /** Threads that run the model at most, each on one core and with a copy of the model. */
  threads: number;
  /** Texts that may wait at most. */
  queueLength: number;
}

export interface BuiltInEmbedder extends Embedder {
  /** Without any prefix: for an endpoint whose callers write their own. Exact when all are short, as questions are. */
  embedTexts(texts: readonly string[], options?: EmbedOptions): Promise<Encoded[]>;
}

/** A text of up to so many characters is taken for a question. */
const questionLength = 250;

/** Loads nothing before it is asked. Runs offline, in threads of its own. */
export function createBuiltInEmbedder(limits: EncoderLimits): BuiltInEmbedder {
  const pool = createEncoderPool({ model: encoderModel, ...limits });
  return {
    id: builtInModel.id,
    dimensions: builtInModel.dimensions,
    embedQueries: async (texts, options = {}) => vectorsOf(await pool.encode(texts.map((text) => builtInModel.queryPrefix + text), { ...options, exact: true })),
    embedPassages: async (texts, options = {}) => vectorsOf(await pool.encode(texts.map((text) => builtInModel.passagePrefix + text), { ...options, exact: false })),
    embedTexts: (texts, options = {}) => pool.encode(texts, { ...options, exact: texts.every(({ length }) => length <= questionLength) && texts.length <= 32 }),
    warm: async () => {
      await pool.load();
    },
    close: () => pool.close(),
  };
}

export const vectorsOf = (encoded: readonly Encoded[]): Float32Array[] => encoded.map(({ vector }) => vector);
