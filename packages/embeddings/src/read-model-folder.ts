import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { embedderError } from './embedder';

export type Pooling = 'mean' | 'cls';

/** What a thread needs to know to run a sentence encoder. */
export interface EncoderModel {
  modelFile: string;
  tokenizerFile: string;
  tokenizerConfigFile: string | null;
  /** How token vectors become one; without meaning for a model that pools by itself. */
  pooling: Pooling;
  maxTokens: number;
}

/** What a text may be at most, whatever the model could take: work for one text has a bound. */
const mostTokens = 512;

const modelFiles = ['onnx/model.onnx', 'model.onnx', 'onnx/model_quantized.onnx', 'model_quantized.onnx'];

/**
 * Finds the parts of a sentence encoder in a folder laid out as Hugging Face does. What is not said is read from the files
 * beside the model: the pooling from `1_Pooling/config.json` (else mean), the greatest length from its configuration.
 */
export function readModelFolder(folder: string, pooling?: Pooling): EncoderModel {
  const within = (file: string): string => join(folder, file);
  if (!existsSync(folder)) throw embedderError('misconfigured', `EMBEDDINGS_MODEL_DIR: there is no folder ${folder}`);
  const tokenizerFile = within('tokenizer.json');
  if (!existsSync(tokenizerFile))
    throw embedderError(
      'misconfigured',
      `EMBEDDINGS_MODEL_DIR: ${folder} has no tokenizer.json, without which a model cannot read text`,
    );
  const modelFile = modelFiles.map(within).find((file) => existsSync(file));
  if (modelFile === undefined)
    throw embedderError(
      'misconfigured',
      `EMBEDDINGS_MODEL_DIR: ${folder} holds no model; looked for ${modelFiles.join(', ')}`,
    );
  const tokenizerConfigFile = existsSync(within('tokenizer_config.json')) ? within('tokenizer_config.json') : null;
  return {
    modelFile,
    tokenizerFile,
    tokenizerConfigFile,
    pooling: pooling ?? declaredPooling(within('1_Pooling/config.json')),
    maxTokens: declaredLength(within),
  };
}

const declaredPooling = (file: string): Pooling => (readJson(file)['pooling_mode_cls_token'] === true ? 'cls' : 'mean');

function declaredLength(within: (file: string) => string): number {
  const { max_position_embeddings: positions, model_type: type } = readJson(within('config.json'));
  // The RoBERTa family counts its positions from 2.
  const roberta = typeof type === 'string' && type.includes('roberta');
  const lengths = [
    typeof positions === 'number' ? positions - (roberta ? 2 : 0) : mostTokens,
    readJson(within('sentence_bert_config.json'))['max_seq_length'],
    readJson(within('tokenizer_config.json'))['model_max_length'],
  ];
  return Math.min(
    mostTokens,
    ...lengths.filter((length): length is number => typeof length === 'number' && length > 1),
  );
}

/** Empty for a file that is not there: all of these are optional. */
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
