// The tokenizer of a model, in a third of the memory. For a vocabulary of pieces with scores (Unigram) the library builds a tree of Maps, a
// Map for each letter of each piece: 25 MB for the built-in model, which would be more than its weights take. It wants of the tree only
// which pieces a text goes on with, and the map from pieces to numbers that it has besides can say that too.
import { readFileSync } from 'node:fs';
import { Tokenizer } from '@huggingface/tokenizers';

const readJson = (file) => (file === null ? {} : JSON.parse(readFileSync(file, 'utf8')));

export function openTokenizer({ tokenizerFile, tokenizerConfigFile }) {
  const json = readJson(tokenizerFile);
  const config = readJson(tokenizerConfigFile);
  return json.model?.type === 'Unigram' && Array.isArray(json.model.vocab)
    ? unigramTokenizer(json, config)
    : new Tokenizer(json, config);
}

/** What the library makes of an empty vocabulary, and then what it would have made of the whole one, but for the tree. */
function unigramTokenizer(json, config) {
  const { vocab, unk_id: unknown } = json.model;
  const tokenizer = new Tokenizer({ ...json, model: { ...json.model, vocab: vocab.slice(0, unknown + 1) } }, config);
  const { model } = tokenizer;
  const added = new Set(json.added_tokens.map(({ content }) => content));
  const scores = Float64Array.from(vocab, ([, score]) => score);
  model.unk_score = scores.reduce((least, score) => Math.min(least, score)) - 10;
  scores[unknown] = model.unk_score;
  model.scores = scores;
  // How long the pieces are that begin with the same two characters: nothing longer need be looked for.
  const longest = new Map();
  for (const [id, [piece]] of vocab.entries()) {
    if (!added.has(piece)) model.tokens_to_ids.set(piece, id);
    const [first, second = ''] = piece;
    longest.set(first + second, Math.max(longest.get(first + second) ?? 0, piece.length));
  }
  model.trie = {
    *common_prefix_search(characters, start) {
      let piece = '';
      const end = start + Math.max(1, longest.get(characters[start] + (characters[start + 1] ?? '')) ?? 0);
      for (let at = start; at < Math.min(characters.length, end); at += 1) {
        piece += characters[at];
        if (model.tokens_to_ids.has(piece)) yield piece;
      }
    },
  };
  return tokenizer;
}
