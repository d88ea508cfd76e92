import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const words = ['[CLS]', '[PAD]', '[SEP]', '[UNK]', 'love', 'hate', 'q', 'p'];

/** The vector of each word of the tiny model. */
export const wordVectors: readonly (readonly number[])[] = [
  [1, 0, 0, 0],
  [9, 9, 9, 9],
  [0, 1, 0, 0],
  [0, 0, 1, 1],
  [0, 0, 3, 0],
  [0, 0, 0, 3],
  [2, 2, 0, 0],
  [0, 2, 2, 0],
];

/**
 * Writes a sentence encoder of eight words in Hugging Face layout. Returns the folder. The vector
 * of a token is its row of `wordVectors`, whatever the other tokens are.
 */
export function writeTinyModel(
  folder: string,
  { tokenizer = true, config = {} }: { tokenizer?: boolean; config?: Readonly<Record<string, object>> } = {},
): string {
  mkdirSync(join(folder, 'onnx'), { recursive: true });
  mkdirSync(join(folder, '1_Pooling'), { recursive: true });
  writeFileSync(join(folder, 'onnx', 'model.onnx'), lookUpModel());
  if (tokenizer) writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify(wordTokenizer()));
  for (const [name, content] of Object.entries(config)) writeFileSync(join(folder, name), JSON.stringify(content));
  return folder;
}

function wordTokenizer(): object {
  const special = (word: string): object => ({ id: word, ids: [words.indexOf(word)], tokens: [word] });
  const token = (id: string): object => ({ SpecialToken: { id, type_id: 0 } });
  const around = [token('[CLS]'), { Sequence: { id: 'A', type_id: 0 } }, token('[SEP]')];
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [],
    normalizer: { type: 'Lowercase' },
    pre_tokenizer: { type: 'Whitespace' },
    post_processor: {
      type: 'TemplateProcessing',
      single: around,
      pair: around,
      special_tokens: { '[CLS]': special('[CLS]'), '[SEP]': special('[SEP]') },
    },
    decoder: null,
    model: {
      type: 'WordPiece',
      vocab: Object.fromEntries(words.map((word, id) => [word, id])),
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
    },
  };
}

/**
 * Returns an ONNX model as a protocol buffer. The model has one operation: it looks up the vector
 * of each token in a table. It ignores the attention mask.
 */
function lookUpModel(): Buffer {
  const table = Float32Array.from(wordVectors.flat());
  const [int64, float] = [7, 1];
  const tensor = [
    number(1, words.length),
    number(1, 4),
    number(2, float),
    text(8, 'table'),
    field(9, Buffer.from(table.buffer)),
  ];
  const value = (name: string, type: number, shape: readonly string[]): Buffer => {
    const sizes = shape.map((size) => field(1, text(2, size)));
    return Buffer.concat([
      text(1, name),
      field(2, field(1, Buffer.concat([number(1, type), field(2, Buffer.concat(sizes))]))),
    ]);
  };
  const graph = Buffer.concat([
    field(1, Buffer.concat([text(1, 'table'), text(1, 'input_ids'), text(2, 'last_hidden_state'), text(4, 'Gather')])),
    text(2, 'tiny'),
    field(5, Buffer.concat(tensor)),
    ...['input_ids', 'attention_mask', 'token_type_ids'].map((name) =>
      field(11, value(name, int64, ['batch', 'length'])),
    ),
    field(12, value('last_hidden_state', float, ['batch', 'length', 'size'])),
  ]);
  return Buffer.concat([number(1, 8), field(7, graph), field(8, number(2, 17))]);
}

const field = (tag: number, bytes: Buffer): Buffer => Buffer.concat([varint(tag * 8 + 2), varint(bytes.length), bytes]);
const text = (tag: number, characters: string): Buffer => field(tag, Buffer.from(characters));
const number = (tag: number, whole: number): Buffer => Buffer.concat([varint(tag * 8), varint(whole)]);
const varint = (whole: number): Buffer =>
  whole > 127 ? Buffer.concat([Buffer.of((whole % 128) + 128), varint(Math.floor(whole / 128))]) : Buffer.of(whole);
