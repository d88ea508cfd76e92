import { createHash } from 'node:crypto';
import { createReadStream, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type EncoderLimits, vectorsOf } from './built-in-embedder';
import type { Embedder } from './embedder';
import { createEncoder } from './encoder';
import { type EncoderModel, type Pooling, readModelFolder } from './read-model-folder';

export interface ModelFolderOptions extends EncoderLimits {
  folder: string;
  /** What the folder says, else mean. */
  pooling?: Pooling;
  /** Written before every question; some models were trained with one. */
  queryPrefix: string;
  passagePrefix: string;
}

/**
 * Any ONNX sentence encoder in a folder laid out as Hugging Face does: `tokenizer.json`, and `model.onnx` there or in `onnx/`.
 * The model is loaded at once, so that a folder that does not work says so at start.
 */
export async function createFolderEmbedder({
  folder,
  pooling,
  queryPrefix,
  passagePrefix,
  cores,
  queueLength,
}: ModelFolderOptions): Promise<Embedder> {
  const model = readModelFolder(folder, pooling);
  const encoder = createEncoder({ model, cores, queueLength });
  const dimensions = await encoder.load();
  return {
    id: `${basename(resolve(folder))}-${await fingerprint(model, [queryPrefix, passagePrefix])}`,
    dimensions,
    embedQueries: async (texts, options = {}) =>
      vectorsOf(
        await encoder.encode(
          texts.map((text) => queryPrefix + text),
          { ...options, exact: true },
        ),
      ),
    embedPassages: async (texts, options = {}) =>
      vectorsOf(
        await encoder.encode(
          texts.map((text) => passagePrefix + text),
          { ...options, exact: false },
        ),
      ),
    warm: () => Promise.resolve(),
    close: () => encoder.close(),
  };
}

/** Of everything that changes the vectors, and of nothing else: a copy of the folder elsewhere is the same model. */
async function fingerprint(
  { modelFile, tokenizerFile, pooling, maxTokens }: EncoderModel,
  prefixes: readonly string[],
): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([pooling, maxTokens, ...prefixes]));
  for (const file of [modelFile, ...weightsOf(modelFile), tokenizerFile])
    for await (const piece of createReadStream(file)) hash.update(piece as Buffer);
  return hash.digest('hex').slice(0, 8);
}

/** Large weights lie in files beside the model, which are named after it: model.onnx_data, model.onnx.data ... */
const weightsOf = (modelFile: string): string[] =>
  readdirSync(dirname(modelFile))
    .filter((name) => name.startsWith(basename(modelFile)) && name !== basename(modelFile))
    .sort()
    .map((name) => join(dirname(modelFile), name));
