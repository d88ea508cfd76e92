// oxlint-disable unicorn/require-post-message-target-origin -- windows have origins, threads have none
// The thread in which a model runs: onnxruntime computes on the thread that asks, and the event loop must not be that one.
// Plain JavaScript, so that sources and compiled files start the same thread.
import { parentPort, workerData } from 'node:worker_threads';
import ort from 'onnxruntime-node';
import { openTokenizer } from './open-tokenizer.mjs';

/** @type {import('../src/encoder').EncoderData} */
const model = workerData;

/** Texts of like length that run together hold about this many tokens: more is no faster and takes memory. */
const tokensTogether = 1000;

/** No vocabulary has pieces that fill `maxTokens` tokens with more characters, and a long text must not cost the tokenizer its time. */
const charactersRead = model.maxTokens * 32;

async function open() {
  const tokenizer = openTokenizer(model);
  const session = await ort.InferenceSession.create(model.modelFile, {
    // Threads that spin while they wait take the core from the others.
    intraOpNumThreads: model.cores,
    interOpNumThreads: 1,
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  });
  const unknown = session.inputNames.filter(
    (name) => !['input_ids', 'attention_mask', 'token_type_ids'].includes(name),
  );
  if (unknown.length > 0)
    throw new Error(`the model wants inputs that a sentence encoder does not have: ${unknown.join(', ')}`);
  return { tokenizer, session };
}

function tokenIds(tokenizer, text) {
  const { ids } = tokenizer.encode(text.slice(0, charactersRead).toWellFormed());
  if (!ids.every(Number.isInteger)) throw new Error('its tokenizer.json is of a kind that cannot be read here');
  // The last token closes the text; a model that saw it in training wants it also after a cut.
  return ids.length <= model.maxTokens ? ids : [...ids.slice(0, model.maxTokens - 1), ids.at(-1)];
}

/** Runs some texts as one batch. -> one vector after another, of length 1 */
async function run(session, rows) {
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
  const available = {
    input_ids: () => new ort.Tensor('int64', inputIds, shape),
    attention_mask: () => new ort.Tensor('int64', mask, shape),
    token_type_ids: () => new ort.Tensor('int64', new BigInt64Array(inputIds.length), shape),
  };
  const outputs = await session.run(Object.fromEntries(session.inputNames.map((name) => [name, available[name]()])));
  return normalised(pooled(outputs, rows, length), rows.length);
}

/** A model that pools by itself gives one vector a text; else its token vectors are pooled here. */
function pooled(outputs, rows, length) {
  const tensors = Object.values(outputs);
  const tokens = tensors.find(({ dims }) => dims.length === 3);
  if (!tokens) {
    const sentence = tensors.find(({ dims }) => dims.length === 2);
    if (!sentence) throw new Error('the model gives neither token vectors nor a sentence vector');
    return Float32Array.from(sentence.data);
  }
  const size = tokens.dims[2];
  const vectors = new Float32Array(rows.length * size);
  for (const [row, ids] of rows.entries()) {
    const taken = model.pooling === 'cls' ? 1 : ids.length;
    for (let at = 0; at < taken; at += 1) {
      const from = (row * length + at) * size;
      for (let dimension = 0; dimension < size; dimension += 1)
        vectors[row * size + dimension] += tokens.data[from + dimension];
    }
  }
  return vectors;
}

function normalised(vectors, count) {
  const size = vectors.length / count;
  for (let from = 0; from < vectors.length; from += size) {
    let squares = 0;
    for (let at = from; at < from + size; at += 1) squares += vectors[at] * vectors[at];
    const length = Math.sqrt(squares);
    if (!(length > 0 && Number.isFinite(length))) throw new Error('the model gave a vector without direction');
    for (let at = from; at < from + size; at += 1) vectors[at] /= length;
  }
  return vectors;
}

/**
 * Texts that are to be exact run one by one: padding and company change the last bits of a vector, and a question must always
 * get the same answer. (It costs nothing: short texts are no faster together.) The others run with texts of like length.
 */
function batches(lengths, exact) {
  const order = lengths.map((_, index) => index);
  if (exact) return order.map((index) => [index]);
  order.sort((a, b) => lengths[a] - lengths[b]);
  const made = [];
  let batch = [];
  for (const index of order) {
    if (batch.length > 0 && (batch.length + 1) * lengths[index] > tokensTogether) {
      made.push(batch);
      batch = [];
    }
    batch.push(index);
  }
  return batch.length > 0 ? [...made, batch] : made;
}

async function encode({ tokenizer, session }, { texts, exact }) {
  const rows = texts.map((text) => tokenIds(tokenizer, text));
  let vectors = null;
  for (const batch of batches(
    rows.map((ids) => ids.length),
    exact,
  )) {
    const found = await run(
      session,
      batch.map((index) => rows[index]),
    );
    const size = found.length / batch.length;
    vectors ??= new Float32Array(texts.length * size);
    for (const [at, index] of batch.entries()) vectors.set(found.subarray(at * size, (at + 1) * size), index * size);
  }
  return { vectors, tokenCounts: rows.map((ids) => ids.length) };
}

const reason = (error) => (error instanceof Error ? error.message : String(error));

try {
  const opened = await open();
  // Says what the model's dimensions are, and takes the costs of a first run before anybody waits for it.
  const { vectors } = await encode(opened, { texts: ['a'], exact: true });
  parentPort.on('message', async ({ job, texts, exact, close }) => {
    if (close) process.exit();
    try {
      const { vectors, tokenCounts } = await encode(opened, { texts, exact });
      parentPort.postMessage({ job, vectors, tokenCounts }, [vectors.buffer]);
    } catch (error) {
      parentPort.postMessage({ job, failed: reason(error) });
    }
  });
  parentPort.postMessage({ ready: true, dimensions: vectors.length });
} catch (error) {
  parentPort.postMessage({ failed: reason(error) });
}
