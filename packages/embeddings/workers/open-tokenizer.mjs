// Opens a model's tokenizer with a third of the memory that the library @huggingface/tokenizers
// needs. For a vocabulary with scores (Unigram), the library builds a trie of Maps, one Map per
// letter of each piece of the vocabulary. That takes 25 MB for the built-in model, more than its
// weights. The library asks the trie only which pieces a text continues with. The library's map
// from pieces to ids can answer this too, so this map replaces the trie.
import { readFileSync } from 'node:fs';
import { Tokenizer } from '@huggingface/tokenizers';

/** @param {string | null} file */
const readJson = (file) => (file === null ? {} : JSON.parse(readFileSync(file, 'utf8')));

/** @typedef {import('../src/encoder.js').EncoderModel} EncoderModel */

/** @param {Pick<EncoderModel, 'tokenizerFile' | 'tokenizerConfigFile'>} files */
export function openTokenizer({ tokenizerFile, tokenizerConfigFile }) {
  const json = readJson(tokenizerFile);
  const config = readJson(tokenizerConfigFile);
  return json.model?.type === 'Unigram' && Array.isArray(json.model.vocab)
    ? createUnigramTokenizer(json, config)
    : new Tokenizer(json, config);
}

/**
 * The members of the library's Unigram model that are replaced here. The library does not declare
 * them.
 * @typedef {object} UnigramModel
 * @property {number} unk_score
 * @property {ArrayLike<number>} scores
 * @property {Map<string, number>} tokens_to_ids
 * @property {{ common_prefix_search(characters: ArrayLike<string>, start: number): Iterable<string> }} trie
 */

/**
 * Creates the library's tokenizer with a minimal vocabulary, then adds the whole vocabulary without
 * a trie.
 */
function createUnigramTokenizer(json, config) {
  const { vocab, unk_id: unknownId } = json.model;
  const tokenizer = new Tokenizer({ ...json, model: { ...json.model, vocab: vocab.slice(0, unknownId + 1) } }, config);
  const model = /** @type {UnigramModel} */ (/** @type {unknown} */ (tokenizer['model']));
  const addedTokens = new Set(json.added_tokens.map(({ content }) => content));
  const scores = Float64Array.from(vocab, ([, score]) => score);
  model.unk_score = scores.reduce((min, score) => Math.min(min, score)) - 10;
  scores[unknownId] = model.unk_score;
  model.scores = scores;
  // The maximum length of the pieces that begin with the same two characters. It limits how far
  // `common_prefix_search` has to look.
  const maxLengths = new Map();
  for (const [id, [piece]] of vocab.entries()) {
    if (!addedTokens.has(piece)) model.tokens_to_ids.set(piece, id);
    const [first, second = ''] = piece;
    maxLengths.set(first + second, Math.max(maxLengths.get(first + second) ?? 0, piece.length));
  }
  model.trie = {
    /** Yields each piece of the vocabulary with which the text continues at `start`. */
    *common_prefix_search(characters, start) {
      let piece = '';
      const end = start + Math.max(1, maxLengths.get(characters[start] + (characters[start + 1] ?? '')) ?? 0);
      for (let at = start; at < Math.min(characters.length, end); at += 1) {
        piece += characters[at];
        if (model.tokens_to_ids.has(piece)) yield piece;
      }
    },
  };
  return tokenizer;
}
