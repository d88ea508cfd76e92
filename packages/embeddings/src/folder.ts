import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { type Embedder, embedderError } from './embedder';
import { createEncoder, createPrefixEmbedding, type EncoderLimits, type EncoderModel, type Pooling } from './encoder';

/**
 * The maximum number of tokens in a text, for every model, so that the time for one text is
 * bounded.
 */
const maxTokens = 512;

const modelFiles = ['onnx/model.onnx', 'model.onnx', 'onnx/model_quantized.onnx', 'model_quantized.onnx'];

/**
 * Finds the files of a sentence encoder in a folder in Hugging Face layout. If `pooling` is absent,
 * it is read from `1_Pooling/config.json`, and is `mean` if that file does not exist. The maximum
 * length comes from the model's configuration files, and is at most 512 tokens. Throws an
 * EmbedderError with the failure `misconfigured` if the tokenizer or the model is missing, or if a
 * configuration file is not JSON.
 */
function readModelFolder(folder: string, pooling?: Pooling): EncoderModel {
  const pathOf = (file: string): string => join(folder, file);
  if (!existsSync(folder)) throw embedderError('misconfigured', `EMBEDDINGS_MODEL_DIR: there is no folder ${folder}`);
  const tokenizerFile = pathOf('tokenizer.json');
  if (!existsSync(tokenizerFile))
    throw embedderError(
      'misconfigured',
      `EMBEDDINGS_MODEL_DIR: ${folder} has no tokenizer.json, without which a model cannot read text`,
    );
  const modelFile = modelFiles.map(pathOf).find((file) => existsSync(file));
  if (modelFile === undefined)
    throw embedderError(
      'misconfigured',
      `EMBEDDINGS_MODEL_DIR: ${folder} holds no model; looked for ${modelFiles.join(', ')}`,
    );
  const tokenizerConfigFile = existsSync(pathOf('tokenizer_config.json')) ? pathOf('tokenizer_config.json') : null;
  return {
    modelFile,
    tokenizerFile,
    tokenizerConfigFile,
    pooling: pooling ?? declaredPooling(pathOf('1_Pooling/config.json')),
    maxTokens: declaredMaxTokens(pathOf),
  };
}

const declaredPooling = (file: string): Pooling => (readJson(file)['pooling_mode_cls_token'] === true ? 'cls' : 'mean');

function declaredMaxTokens(pathOf: (file: string) => string): number {
  const { max_position_embeddings: positions, model_type: type } = readJson(pathOf('config.json'));
  // Models of the RoBERTa family number their positions from 2, so two positions hold no token.
  const roberta = typeof type === 'string' && type.includes('roberta');
  const lengths = [
    typeof positions === 'number' ? positions - (roberta ? 2 : 0) : maxTokens,
    readJson(pathOf('sentence_bert_config.json'))['max_seq_length'],
    readJson(pathOf('tokenizer_config.json'))['model_max_length'],
  ];
  return Math.min(maxTokens, ...lengths.filter((length): length is number => typeof length === 'number' && length > 1));
}

/**
 * Reads a configuration file of the model. Returns an empty object if the file does not exist,
 * because all configuration files are optional.
 */
function readJson(file: string): Record<string, unknown> {
  if (!existsSync(file)) return {};
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  } catch (error) {
    throw embedderError(
      'misconfigured',
      `${file} is not readable JSON: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

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
    ...createPrefixEmbedding(encoder, { queryPrefix, passagePrefix }),
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
