import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { embedderError } from './embedder';

export type Pooling = 'mean' | 'cls';

/** The files and parameters of a sentence encoder. */
export interface EncoderModel {
  modelFile: string;
  tokenizerFile: string;
  tokenizerConfigFile: string | null;
  /**
   * The pooling, which makes one vector from the vectors of tokens. Ignored for a model that pools
   * by itself.
   */
  pooling: Pooling;
  maxTokens: number;
}

/** A sentence encoder with the prefix that marks the texts that are queries. */
export interface QueryEncoderModel extends EncoderModel {
  /**
   * The prefix of queries. A question adapter is an additional set of weights for queries: a model
   * that has one has the input `question`, which is 1 for texts with this prefix and 0 for other
   * texts. Null if all texts are embedded alike.
   */
  adapterPrefix: string | null;
}

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
export function readModelFolder(folder: string, pooling?: Pooling): EncoderModel {
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
