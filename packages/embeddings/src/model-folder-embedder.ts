import { createHash } from 'node:crypto';
import { createReadStream, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type EncoderLimits, vectorsOf } from './built-in';
import type { Embedder } from './embedder';
import { createEncoder } from './encoder';
import { type EncoderModel, type Pooling, readModelFolder } from './folder';

export interface ModelFolderOptions extends EncoderLimits {
  folder: string;
  /**
   * The pooling of token vectors. By default the pooling that the folder declares, else mean
   * pooling.
   */
  pooling?: Pooling;
  /** The prefix of every query. Some models were trained with a prefix. */
  queryPrefix: string;
  passagePrefix: string;
}

/**
 * Creates an embedder from an ONNX sentence encoder in a folder in Hugging Face layout:
 * `tokenizer.json`, and `model.onnx` or `model_quantized.onnx` in the folder or in its subfolder
 * `onnx/`. Loads the model at once, and rejects if the model cannot be loaded.
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
  const encoder = createEncoder({
    model: { ...model, adapterPrefix: queryPrefix === '' ? null : queryPrefix },
    cores,
    queueLength,
  });
  const dimensions = await encoder.load();
  const id = `${basename(resolve(folder))}-${await fingerprint(model, [queryPrefix, passagePrefix])}`;
  return {
    id,
    passageId: id,
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

/**
 * Hashes everything that changes the vectors. The path is not hashed, because a copy of the folder
 * is the same model.
 */
async function fingerprint(
  { modelFile, tokenizerFile, tokenizerConfigFile, pooling, maxTokens }: EncoderModel,
  prefixes: readonly string[],
): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([pooling, maxTokens, ...prefixes]));
  const tokenizerFiles = tokenizerConfigFile === null ? [tokenizerFile] : [tokenizerFile, tokenizerConfigFile];
  for (const file of [modelFile, ...weightsOf(modelFile), ...tokenizerFiles])
    for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex').slice(0, 8);
}

/**
 * Returns the files with large weights. They are beside the model and begin with its name:
 * model.onnx_data, model.onnx.data and so on.
 */
const weightsOf = (modelFile: string): string[] =>
  readdirSync(dirname(modelFile))
    .filter((name) => name.startsWith(basename(modelFile)) && name !== basename(modelFile))
    .sort()
    .map((name) => join(dirname(modelFile), name));
