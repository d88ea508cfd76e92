import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { Tokenizer } from '@huggingface/tokenizers';
import { isLongRun } from '@lectern/testing';
import { builtInEncoderModel } from './built-in';
import { createEncoder } from './encoder';
import { builtInModel, createBuiltInEmbedder, isEmbedderError } from './index';

const folder = join(__dirname, '..', 'model');
const readGolden = (file: string) =>
  JSON.parse(readFileSync(join(folder, file), 'utf8')) as { text: string; ids: number[]; vector: number[] }[];
const golden = readGolden('golden.json');
const goldenQuestions = readGolden('golden-questions.json');

const embedder = createBuiltInEmbedder({ cores: 2, queueLength: 600 });
afterAll(() => embedder.close());

function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [product, ofA, ofB] = [0, 0, 0];
  for (let at = 0; at < a.length; at += 1) {
    product += (a[at] ?? 0) * (b[at] ?? 0);
    ofA += (a[at] ?? 0) ** 2;
    ofB += (b[at] ?? 0) ** 2;
  }
  return product / Math.sqrt(ofA * ofB);
}

test('the tokenizer of the built-in embedding model returns the same token ids as the original tokenizer for recorded texts', () => {
  const tokenizer = new Tokenizer(JSON.parse(readFileSync(join(folder, 'tokenizer.json'), 'utf8')), {});
  for (const { text, ids } of [...golden, ...goldenQuestions]) expect(tokenizer.encode(text).ids).toEqual(ids);
});

test("without Lectern's adapter, vectors of the built-in model have a cosine of 0.999 with those of the published model", async () => {
  const model = { ...builtInEncoderModel, adapterPrefix: null };
  const encoder = createEncoder({ model, cores: 2, queueLength: 600 });
  const texts = golden.map(({ text }) => text);
  const one = await encoder.encode(texts, { exact: true });
  const together = await encoder.encode(texts, { exact: false });
  await encoder.close();
  for (const [at, { vector }] of golden.entries()) {
    expect(cosine(one[at] ?? [], vector)).toBeGreaterThanOrEqual(0.999);
    expect(cosine(together[at] ?? [], vector)).toBeGreaterThanOrEqual(0.999);
  }
});

test('the vectors of the built-in embedder for recorded questions have a cosine of at least 0.999 with the recorded vectors', async () => {
  const questions = goldenQuestions.map(({ text }) => text);
  const alone = await embedder.embedQueries(questions.map((text) => text.slice(builtInModel.queryPrefix.length)));
  for (const [at, { vector }] of goldenQuestions.entries())
    expect(cosine(alone[at] ?? [], vector)).toBeGreaterThanOrEqual(0.999);
});

test('the id of the built-in embedding model ends in the first 8 digits of the digest of its files', () => {
  const hash = createHash('sha256');
  for (const name of ['model.onnx', 'model.onnx_data', 'tokenizer.json']) hash.update(readFileSync(join(folder, name)));
  expect(builtInModel.id.endsWith(hash.digest('hex').slice(0, 8))).toBe(true);
});

test('the built-in embedder rates a verse about forgiveness nearer to a query about it than a verse about measures', async () => {
  const [query] = await embedder.embedQueries(['cómo perdonar a quien me hizo daño']);
  const [near, far] = await embedder.embedPassages([
    'Perdonad, y seréis perdonados',
    'Y la longitud de la cortina será de veintiocho codos',
  ]);
  expect(cosine(query ?? [], near ?? [])).toBeGreaterThan(cosine(query ?? [], far ?? []) + 0.05);
});

const concurrentQueries = isLongRun ? 500 : 100;

test(`the built-in embedder returns exactly the same vector for a query alone as among ${concurrentQueries} concurrent queries`, async () => {
  const queries = Array.from(
    { length: concurrentQueries },
    (_, at) => `question number ${at} about ${['love', 'la fe', 'Hoffnung'][at % 3]}`,
  );
  const all = await Promise.all(queries.map((query) => embedder.embedQueries([query])));
  for (const at of [0, 73, concurrentQueries - 1]) {
    const [alone] = await embedder.embedQueries([queries[at] ?? '']);
    expect(Array.from(all[at]?.[0] ?? [])).toEqual(Array.from(alone ?? [1]));
  }
  expect(new Set(all.map(([vector]) => String(vector))).size).toBe(concurrentQueries);
});

test('the built-in embedder returns a vector for an empty, malformed or very long text', async () => {
  const odd = [
    '',
    ' ',
    '\0',
    'a\0b',
    '\ud800',
    'x\udc00y',
    '😀👨‍👩‍👧',
    'בראשית ברא אלהים',
    'a'.repeat(10_000),
    'palabra '.repeat(5_000),
    '\u0301\u0301',
    '<s></s><pad>',
  ];
  for (const vector of await embedder.embedQueries(odd)) {
    expect(vector).toHaveLength(384);
    expect(cosine(vector, vector)).toBeCloseTo(1);
  }
});

test('embedQueries of the built-in embedder returns [] for an empty list of texts', async () => {
  const unused = createBuiltInEmbedder({ cores: 1, queueLength: 1 });
  expect(await unused.embedQueries([])).toEqual([]);
  await unused.close();
});

test('the built-in embedder rejects queries with the failure `busy` while its queue is full, and completes the queued queries', async () => {
  const small = createBuiltInEmbedder({ cores: 1, queueLength: 3 });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 10 }, (_, at) => small.embedQueries([`question ${at}`])),
  );
  const rejected = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
  expect(rejected.length).toBeGreaterThan(0);
  for (const error of rejected) expect(isEmbedderError(error) && error.failure).toBe('busy');
  expect(outcomes.length - rejected.length).toBeGreaterThanOrEqual(3);
  expect(await small.embedQueries(['afterwards'])).toHaveLength(1);
  await small.close();
});

test('the built-in embedder rejects an aborted call with the reason of the abort, and completes concurrent calls', async () => {
  const abort = new AbortController();
  const aborted = embedder.embedQueries(
    Array.from({ length: 50 }, (_, at) => `aborted ${at}`),
    { signal: abort.signal },
  );
  const other = embedder.embedQueries(['other']);
  abort.abort(new Error('gone'));
  await expect(aborted).rejects.toThrow('gone');
  expect(await other).toHaveLength(1);
  await expect(embedder.embedQueries(['never'], { signal: abort.signal })).rejects.toThrow('gone');
});

test('after close, the built-in embedder rejects waiting and new queries with the failure `unavailable`', async () => {
  const closing = createBuiltInEmbedder({ cores: 1, queueLength: 10 });
  const waiting = closing.embedQueries(['a', 'b', 'c']);
  const [outcome] = await Promise.allSettled([waiting, closing.close()]);
  expect(outcome).toMatchObject({ status: 'rejected', reason: { failure: 'unavailable' } });
  await expect(closing.embedQueries(['later'])).rejects.toMatchObject({
    failure: 'unavailable',
    message: expect.stringContaining('closed'),
  });
  await expect(closing.warm()).rejects.toThrow('closed');
});

test('the built-in embedder does not block the event loop while the model computes', async () => {
  await embedder.warm();
  let turns = 0;
  const timer = setInterval(() => (turns += 1), 1);
  const began = performance.now();
  await embedder.embedPassages(
    Array.from({ length: 64 }, (_, at) => `passage ${at} ${'and he said unto them '.repeat(8)}`),
  );
  clearInterval(timer);
  // If the event loop were blocked, the timer would fire once or twice. The bound is low, so that
  // the test also passes on a busy machine.
  expect(turns).toBeGreaterThan(Math.min(100, (performance.now() - began) / 10));
});

test('close of the built-in embedder aborts a long computation and ends the worker thread', async () => {
  const started: Worker[] = [];
  const onWorker = (worker: Worker): void => void started.push(worker);
  process.on('worker', onWorker);
  const closing = createBuiltInEmbedder({ cores: 2, queueLength: 1000 });
  await closing.warm();
  process.off('worker', onWorker);
  expect(started).toHaveLength(1);
  const working = closing.embedPassages(Array.from({ length: 300 }, (_, at) => `passage ${at} ${'word '.repeat(50)}`));
  await new Promise((resolve) => setTimeout(resolve, 100));
  const [outcome] = await Promise.allSettled([working, closing.close()]);
  expect(outcome).toMatchObject({ status: 'rejected', reason: { failure: 'unavailable' } });
  // A thread that has ended has the id -1.
  expect(started[0]?.threadId).toBe(-1);
});
