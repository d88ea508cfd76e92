import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { errorMessage } from '@lectern/serving';
import { type Embedder, embedderError } from './embedder';
import { createEncoder, createPrefixEmbedding, type EncoderLimits, type EncoderModel, type Pooling } from './encoder';

/** The maximum number of tokens of a text that are read, with any model. It limits the time for one text. */
const maxTokens = 512;

const modelFiles = ['onnx/model.onnx', 'model.onnx', 'onnx/model_quantized.onnx', 'model_quantized.onnx'];

const misconfigured = (problem: string) => embedderError('misconfigured', problem);

function readModelFolder({ folder, pooling, queryPrefix }: ModelFolderOptions): EncoderModel {
  if (!existsSync(folder)) throw misconfigured(`EMBEDDINGS_MODEL_DIR: there is no folder ${folder}`);
  const present = (name: string): string | null => (existsSync(join(folder, name)) ? join(folder, name) : null);
  const tokenizerFile = present('tokenizer.json');
  if (tokenizerFile === null)
    throw misconfigured(
      `EMBEDDINGS_MODEL_DIR: ${folder} has no tokenizer.json, without which a model cannot read text`,
    );
  const modelFile = modelFiles.map(present).find((file) => file !== null);
  if (!modelFile)
    throw misconfigured(`EMBEDDINGS_MODEL_DIR: ${folder} holds no model; looked for ${modelFiles.join(', ')}`);
  const readConfig = (name: string): Record<string, unknown> => {
    const file = present(name);
    try {
      return file === null ? {} : (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>);
    } catch (error) {
      throw misconfigured(`${file} is not readable JSON: ${errorMessage(error)}`);
    }
  };
  const { max_position_embeddings: positions, model_type: type } = readConfig('config.json');
  // The RoBERTa family numbers positions from 2, and so accepts two tokens fewer than `max_position_embeddings`.
  const unusedPositions = typeof type === 'string' && type.includes('roberta') ? 2 : 0;
  const lengths = [
    typeof positions === 'number' ? positions - unusedPositions : maxTokens,
    readConfig('sentence_bert_config.json')['max_seq_length'],
    readConfig('tokenizer_config.json')['model_max_length'],
  ].filter((length): length is number => typeof length === 'number' && length > 1);
  const declaredPooling = readConfig('1_Pooling/config.json')['pooling_mode_cls_token'] === true ? 'cls' : 'mean';
  return {
    modelFile,
    tokenizerFile,
    tokenizerConfigFile: present('tokenizer_config.json'),
    pooling: pooling ?? declaredPooling,
    maxTokens: Math.min(maxTokens, ...lengths),
    adapterPrefix: queryPrefix || null,
  };
}

export interface ModelFolderOptions extends EncoderLimits {
  folder: string;
  /** How the vectors of tokens become one. By default as `1_Pooling/config.json` says, or else `mean`. */
  pooling?: Pooling;
  queryPrefix: string;
  passagePrefix: string;
}

/**
 * Loads an ONNX sentence encoder in the Hugging Face layout: `tokenizer.json`, and `model.onnx` or
 * `model_quantized.onnx`, which may be in `onnx/`. Reads at most 512 tokens of a text, or fewer by its configuration.
 * Rejects with a `misconfigured` EmbedderError if this fails.
 */
export async function createFolderEmbedder(options: ModelFolderOptions): Promise<Embedder> {
  const { folder, queryPrefix, passagePrefix, cores, queueLength } = options;
  const model = readModelFolder(options);
  const encoder = createEncoder({ model, cores, queueLength });
  const dimensions = await encoder.load();
  const id = `${basename(resolve(folder))}-${await fingerprint(model, [queryPrefix, passagePrefix])}`;
  return {
    id,
    passageId: id,
    dimensions,
    parallelQueries: 1,
    ...createPrefixEmbedding(encoder, options),
    warm: () => Promise.resolve(),
    close: encoder.close,
  };
}

/**
 * Hashes all that changes the vectors, also further files with weights, whose names begin with that of the model file.
 * Leaves out the path, because a copy is the same model.
 */
async function fingerprint(
  { modelFile, tokenizerFile, tokenizerConfigFile, pooling, maxTokens }: EncoderModel,
  prefixes: readonly string[],
): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([pooling, maxTokens, ...prefixes]));
  const folder = dirname(modelFile);
  const names = readdirSync(folder).filter((name) => name.startsWith(basename(modelFile)));
  const files = names.sort().map((name) => join(folder, name));
  for (const file of [...files, tokenizerFile, ...(tokenizerConfigFile === null ? [] : [tokenizerConfigFile])])
    for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex').slice(0, 8);
}
