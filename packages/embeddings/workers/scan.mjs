// oxlint-disable unicorn/require-post-message-target-origin -- windows have origins, threads have none
// The thread that compares questions with all verses of an edition. Plain JavaScript, so that sources and compiled files start the same thread.
import { fstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import ort from 'onnxruntime-node';
import { scanModel } from './scan-model.mjs';

/** @type {import('../src/vector-scan').ScanData} */
const { rowsAt, count, dimensions, bonuses } = workerData;
// onnxruntime does not follow a link out of the folder that it was told.
const file = realpathSync(workerData.file);
const handle = openSync(file, 'r');

/** What rounding to four decimals can bring level with the last verse asked for, and a little for sums in 32 bits. */
const level = 1.1e-4;

/** How many verses are looked at beyond those asked for. Those that could be level with the last are seldom more; if they are, more are looked at. */
const spare = 50;

/** Rows that are read at once where all are. */
const rowsTogether = 1024;

const { inverse, largestPair } = readAll();

const session = await ort.InferenceSession.create(scanModel({ file, rowsAt, inverse, dimensions }), {
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  extra: { session: { model_external_initializers_file_folder_path: dirname(file) } },
});

// The session has opened the file by its name: another may have taken its place before.
for (const { ino, size, mtimeMs } of [fstatSync(handle), statSync(file)]) {
  if (`${ino} ${size} ${mtimeMs}` !== workerData.mark)
    throw new Error(`${file} was replaced since it was opened: start the process again`);
}

/**
 * How far a byte of a question may go from its middle, 128. Processors without VNNI add up pairs of products in 16 bits, and
 * what goes over is cut: with bytes no larger than this no pair goes over.
 */
const reach = Math.min(127, Math.floor(32_767 / largestPair) - 128);

/** Rows from the file: the system keeps in memory what is read often, and this process none of it. */
function readRows(first, rows) {
  readSync(handle, rows, 0, rows.length, rowsAt + first * dimensions);
  return rows;
}

function lengthOf(row) {
  let squares = 0;
  for (let at = 0; at < dimensions; at += 1) squares += row[at] * row[at];
  return Math.sqrt(squares);
}

/** One over the length of each row (0 for a row of zeros, which is near to nothing), and the most that two bytes beside each other add up to. */
function readAll() {
  const found = { inverse: new Float32Array(count), largestPair: 1 };
  const rows = new Int8Array(rowsTogether * dimensions);
  for (let first = 0; first < count; first += rowsTogether) {
    const some = readRows(first, rows.subarray(0, Math.min(rowsTogether, count - first) * dimensions));
    for (let at = 0; at + 1 < some.length; at += 2)
      found.largestPair = Math.max(found.largestPair, Math.abs(some[at]) + Math.abs(some[at + 1]));
    for (let verse = 0; verse * dimensions < some.length; verse += 1) {
      const length = lengthOf(some.subarray(verse * dimensions, (verse + 1) * dimensions));
      found.inverse[first + verse] = length > 0 ? 1 / length : 0;
    }
  }
  return found;
}

/**
 * A question in two bytes a dimension: the first byte, and what it left over in a second. One byte alone would leave thousands
 * of verses that could be among the best; two leave hardly more than were asked for.
 */
function quantised(questions) {
  const bytes = new Uint8Array(2 * questions.length * dimensions);
  const scales = new Float32Array(2 * questions.length);
  const left = questions.map(({ vector }, question) => {
    let rest = Float64Array.from(vector);
    for (const row of [2 * question, 2 * question + 1]) {
      const largest = rest.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
      const scale = Math.fround(largest > 0 ? largest / reach : 1);
      rest = rest.map((value, dimension) => {
        const rounded = Math.round(value / scale);
        bytes[row * dimensions + dimension] = rounded + 128;
        return value - rounded * scale;
      });
      scales[row] = scale;
    }
    return Math.hypot(...rest);
  });
  return { bytes, scales, left };
}

/** Beside the shared one, for onnxruntime takes no shared memory. */
const ownBonuses = new Float32Array(bonuses.length);

const row = new Int8Array(dimensions);

function exactCosine(vector, verse) {
  readRows(verse, row);
  let sum = 0;
  for (let at = 0; at < dimensions; at += 1) sum += vector[at] * row[at];
  const length = lengthOf(row);
  return length > 0 ? sum / length : 0;
}

/** What rounding left of the question bounds what a verse's score can be off by: who is further behind than that cannot be among the best. */
function best({ vector, limit }, { left, totals, verses, bonus }) {
  const least = totals[Math.min(limit, count) - 1] - 2 * left - level;
  // More than were looked at could be level.
  if (totals.length < count && totals.at(-1) >= least) return null;
  const indices = Uint32Array.from(verses.slice(0, totals.findLastIndex((total) => total >= least) + 1), Number).sort();
  return {
    indices,
    cosines: Float64Array.from(indices, (verse) => exactCosine(vector, verse)),
    bonuses: Float32Array.from(indices, (verse) => bonus[verse]),
  };
}

async function compare(questions, most) {
  ownBonuses.set(bonuses.subarray(0, questions.length * count));
  const { bytes, scales, left } = quantised(questions);
  const { totals, verses } = await session.run({
    query: new ort.Tensor('uint8', bytes, [2 * questions.length, dimensions]),
    scales: new ort.Tensor('float32', scales, [2 * questions.length, 1]),
    bonus: new ort.Tensor('float32', ownBonuses.subarray(0, questions.length * count), [questions.length, count]),
    most: new ort.Tensor('int64', BigInt64Array.of(BigInt(most)), [1]),
  });
  const found = questions.map((question, at) =>
    best(question, {
      left: left[at],
      totals: totals.data.subarray(at * most, (at + 1) * most),
      verses: verses.data.subarray(at * most, (at + 1) * most),
      bonus: ownBonuses.subarray(at * count, (at + 1) * count),
    }),
  );
  return found.includes(null) ? compare(questions, Math.min(count, most * 4)) : found;
}

parentPort.on('message', async ({ job, questions, close }) => {
  if (close) process.exit();
  try {
    const most = Math.max(...questions.map(({ limit }) => limit)) + spare;
    const found = await compare(questions, Math.min(count, most));
    parentPort.postMessage(
      { job, found },
      found.flatMap((each) => [each.indices.buffer, each.cosines.buffer, each.bonuses.buffer]),
    );
  } catch (error) {
    parentPort.postMessage({ job, failed: error instanceof Error ? error.message : String(error) });
  }
});
parentPort.postMessage({ ready: true });
