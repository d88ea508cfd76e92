// The worker thread that runs a sentence encoder. onnxruntime computes on the thread that calls it,
// so on the main thread it would block the event loop. The file is plain JavaScript, because tests
// (which run the TypeScript sources) and compiled files start the same worker.
import { workerData } from 'node:worker_threads';
import ort from 'onnxruntime-node';
import { openTokenizer } from './open-tokenizer.mjs';
import { serveJobs } from './serve-jobs.mjs';

/** @typedef {import('@huggingface/tokenizers').Tokenizer} Tokenizer */
/**
 * @typedef {{ tokenizer: Tokenizer, session: import('onnxruntime-node').InferenceSession }}
 * OpenModel
 */
/** @typedef {import('../src/encoder.js').EncoderRequest} EncoderRequest */
/** @typedef {import('../src/encoder.js').EncoderResponse} EncoderResponse */

/** @type {import('../src/encoder.js').EncoderData} */
const model = workerData;

/** The maximum number of tokens in a batch. Larger batches are no faster and need more memory. */
const maxTokensPerBatch = 1000;

/**
 * The maximum number of characters that are tokenized. So many characters almost always have more
 * than `maxTokens` tokens. The bound limits the tokenizer's time for a long text.
 */
const maxCharacters = model.maxTokens * 32;

/** Matches lone surrogates, which the tokenizer cannot encode. */
const loneSurrogate = /\p{Surrogate}/gu;

/** @returns {Promise<OpenModel>} */
async function openModel() {
  const tokenizer = openTokenizer(model);
  const session = await ort.InferenceSession.create(model.modelFile, {
    intraOpNumThreads: model.cores,
    interOpNumThreads: 1,
    // A run has hundreds of short parallel parts. If the threads slept between these parts, two
    // threads would take as long as one. They spin for at most 50 microseconds, and only during a
    // run, so that other threads get the cores.
    extra: { session: { force_spinning_stop: '1', intra_op: { allow_spinning: '1', spin_duration_us: '50' } } },
  });
  const knownInputs = new Set(['input_ids', 'attention_mask', 'token_type_ids', 'question']);
  const unknownInputs = session.inputNames.filter((name) => !knownInputs.has(name));
  if (unknownInputs.length > 0)
    throw new Error(`the model wants inputs that a sentence encoder does not have: ${unknownInputs.join(', ')}`);
  return { tokenizer, session };
}

/**
 * @param {Tokenizer} tokenizer
 * @param {string} text
 * @returns {number[]}
 */
function tokenIds(tokenizer, text) {
  const { ids } = tokenizer.encode(text.slice(0, maxCharacters).replace(loneSurrogate, '\ufffd'));
  if (!ids.every(Number.isInteger)) throw new Error('its tokenizer.json is of a kind that cannot be read here');
  // Keeps the closing token of a truncated text, because the model was trained with closing tokens.
  return ids.length <= model.maxTokens ? ids : [...ids.slice(0, model.maxTokens - 1), ids[ids.length - 1]];
}

/**
 * Runs one batch. Shorter texts are padded.
 * @param {import('onnxruntime-node').InferenceSession} session
 * @param {readonly number[][]} rows the token ids of each text
 * @param {boolean} isAdapted whether the question adapter is switched on
 * @returns {Promise<Float32Array>} one vector of length 1 after another
 */
async function runBatch(session, rows, isAdapted) {
  const length = Math.max(...rows.map((ids) => ids.length));
  const shape = [rows.length, length];
  const inputIds = new BigInt64Array(rows.length * length);
  const mask = new BigInt64Array(rows.length * length);
  for (const [row, ids] of rows.entries()) {
    for (const [at, id] of ids.entries()) {
      inputIds[row * length + at] = BigInt(id);
      mask[row * length + at] = 1n;
    }
  }
  const inputs = {
    input_ids: () => new ort.Tensor('int64', inputIds, shape),
    attention_mask: () => new ort.Tensor('int64', mask, shape),
    question: () => new ort.Tensor('float32', Float32Array.of(isAdapted ? 1 : 0), []),
    token_type_ids: () => new ort.Tensor('int64', new BigInt64Array(inputIds.length), shape),
  };
  const outputs = await session.run(Object.fromEntries(session.inputNames.map((name) => [name, inputs[name]()])));
  return normalize(pool(outputs, rows, length), rows.length);
}

/**
 * Returns the vectors of the texts. If the model returns the vectors of tokens, combines them into
 * one vector per text (pooling).
 * @param {import('onnxruntime-node').InferenceSession.OnnxValueMapType} outputs
 * @param {readonly number[][]} rows
 * @param {number} length the number of tokens in the longest row
 */
function pool(outputs, rows, length) {
  const tensors = Object.values(outputs);
  const tokens = tensors.find(({ dims }) => dims.length === 3);
  if (!tokens) {
    const sentence = tensors.find(({ dims }) => dims.length === 2);
    if (!sentence) throw new Error('the model gives neither token vectors nor a sentence vector');
    return Float32Array.from(floatData(sentence));
  }
  const size = tokens.dims[2];
  const data = floatData(tokens);
  const vectors = new Float32Array(rows.length * size);
  for (const [row, ids] of rows.entries()) {
    const pooledTokens = model.pooling === 'cls' ? 1 : ids.length;
    for (let at = 0; at < pooledTokens; at += 1) {
      const from = (row * length + at) * size;
      for (let dimension = 0; dimension < size; dimension += 1)
        vectors[row * size + dimension] += data[from + dimension];
    }
  }
  return vectors;
}

/**
 * @param {import('onnxruntime-node').OnnxValue} tensor
 * @returns {Float32Array}
 */
const floatData = (tensor) => /** @type {Float32Array} */ (tensor.data);

/**
 * Scales each vector to length 1, in place.
 * @param {Float32Array} vectors
 * @param {number} count
 */
function normalize(vectors, count) {
  const size = vectors.length / count;
  for (let from = 0; from < vectors.length; from += size) {
    let squares = 0;
    for (let at = from; at < from + size; at += 1) squares += vectors[at] * vectors[at];
    const length = Math.sqrt(squares);
    if (!(length > 0 && Number.isFinite(length)))
      throw new Error('the model gave a vector of length 0, or with an infinite component');
    for (let at = from; at < from + size; at += 1) vectors[at] /= length;
  }
  return vectors;
}

/**
 * Divides texts into batches. Exact texts are computed one by one: padding changes the last bits of
 * a vector, and a query must always get the same vector. This costs no time, because short texts
 * are not computed faster together. Other texts are computed together with texts of similar length.
 * @param {readonly number[]} indexes the indexes of the texts
 * @param {readonly number[]} lengths the number of tokens of each text
 * @param {boolean} exact
 * @returns {number[][]} batches of indexes
 */
function batches(indexes, lengths, exact) {
  if (exact) return indexes.map((index) => [index]);
  const order = indexes.toSorted((a, b) => lengths[a] - lengths[b]);
  const complete = [];
  let batch = [];
  for (const index of order) {
    if (batch.length > 0 && (batch.length + 1) * lengths[index] > maxTokensPerBatch) {
      complete.push(batch);
      batch = [];
    }
    batch.push(index);
  }
  return batch.length > 0 ? [...complete, batch] : complete;
}

/**
 * @param {OpenModel} openedModel
 * @param {EncoderRequest} request
 * @returns {Promise<Omit<EncoderResponse, 'ms'>>}
 */
async function encode({ tokenizer, session }, { texts, exact }) {
  const rows = texts.map((text) => tokenIds(tokenizer, text));
  const tokenCounts = rows.map((ids) => ids.length);
  const isAdapted = texts.map((text) => model.adapterPrefix !== null && text.startsWith(model.adapterPrefix));
  let vectors = new Float32Array(0);
  for (const adapted of [true, false]) {
    const indexes = rows.flatMap((_, index) => (isAdapted[index] === adapted ? [index] : []));
    for (const batch of batches(indexes, tokenCounts, exact)) {
      const batchVectors = await runBatch(
        session,
        batch.map((index) => rows[index]),
        adapted,
      );
      const size = batchVectors.length / batch.length;
      if (vectors.length === 0) vectors = new Float32Array(texts.length * size);
      for (const [at, index] of batch.entries())
        vectors.set(batchVectors.subarray(at * size, (at + 1) * size), index * size);
    }
  }
  return { vectors };
}

const opened = await openModel();
// The model runs once now, because the first run is slow, and to know the dimensions of its vectors.
const { vectors } = await encode(opened, { texts: ['a'], exact: true });
serveJobs(
  async (/** @type {EncoderRequest} */ request) => {
    const response = await encode(opened, request);
    return { response, transfer: [/** @type {ArrayBuffer} */ (response.vectors.buffer)] };
  },
  { dimensions: vectors.length },
);
