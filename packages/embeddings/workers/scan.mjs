// oxlint-disable unicorn/require-post-message-target-origin -- windows have origins, threads have none
// The thread that compares questions with all verses of an edition. Plain JavaScript, so that sources and compiled files start the same thread.
import { parentPort, workerData } from 'node:worker_threads';
import ort from 'onnxruntime-node';
import { scanModel } from './scan-model.mjs';

/** @type {import('../src/vector-scan').ScanData} */
const { rows, count, dimensions } = workerData;

/** What rounding to four decimals can bring level with the last verse asked for. */
const level = 1e-4;

const session = await ort.InferenceSession.create(scanModel({ columns: transposed(), count, dimensions }), { intraOpNumThreads: 1, interOpNumThreads: 1 });
/** One over the length of each row; 0 for a row of zeros, which is near to nothing. */
const inverse = new Float64Array(count);
for (let verse = 0; verse < count; verse += 1) {
  let squares = 0;
  for (let at = verse * dimensions; at < (verse + 1) * dimensions; at += 1) squares += rows[at] * rows[at];
  inverse[verse] = squares > 0 ? 1 / Math.sqrt(squares) : 0;
}

/**
 * How far a byte of a question may go from its middle, 128. Processors without VNNI add up pairs of products in 16 bits, and
 * what goes over is cut: with bytes no larger than this no pair goes over.
 */
const reach = Math.min(127, Math.floor(32_767 / largestPair()) - 128);

function largestPair() {
  let largest = 1;
  for (let at = 0; at + 1 < rows.length; at += 2) largest = Math.max(largest, Math.abs(rows[at]) + Math.abs(rows[at + 1]));
  return largest;
}

function transposed() {
  const columns = new Int8Array(rows.length);
  for (let verse = 0; verse < count; verse += 1) {
    for (let dimension = 0; dimension < dimensions; dimension += 1) columns[dimension * count + verse] = rows[verse * dimensions + dimension];
  }
  return columns;
}

/**
 * A question in two bytes a dimension: the first byte, and what it left over in a second. One byte alone would leave thousands
 * of verses that could be among the best; two leave hardly more than were asked for.
 */
function quantised(questions) {
  const bytes = new Uint8Array(2 * questions.length * dimensions);
  const scales = questions.map(({ vector }, question) => {
    let rest = Float64Array.from(vector);
    return [0, 1].map((part) => {
      const largest = rest.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
      const scale = largest > 0 ? largest / reach : 1;
      const from = (2 * question + part) * dimensions;
      rest = rest.map((value, dimension) => {
        const rounded = Math.round(value / scale);
        bytes[from + dimension] = rounded + 128;
        return value - rounded * scale;
      });
      return scale;
    }).concat(Math.hypot(...rest));
  });
  return { bytes, scales };
}

/** Reused from question to question: one is worked on at a time. `added` is left all zeros. */
const totals = new Float64Array(count);
const added = new Float32Array(count);

/** The `limit`th largest total: the top of a heap that holds the largest seen, the least of them above. */
function leastOfLargest(limit) {
  const heap = totals.slice(0, limit).sort();
  for (let verse = limit; verse < count; verse += 1) {
    const value = totals[verse];
    if (value <= heap[0]) continue;
    let at = 0;
    for (let child = 1; child < limit; child = 2 * at + 1) {
      if (child + 1 < limit && heap[child + 1] < heap[child]) child += 1;
      if (heap[child] >= value) break;
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = value;
  }
  return heap[0];
}

function exactCosine(vector, verse) {
  let sum = 0;
  const from = verse * dimensions;
  for (let dimension = 0; dimension < dimensions; dimension += 1) sum += vector[dimension] * rows[from + dimension];
  return sum * inverse[verse];
}

/** What rounding left of the question bounds what a verse's score can be off by: who is further behind than that cannot be among the best. */
function best({ vector, limit, bonus }, [first, second, left], scores, offset) {
  for (let verse = 0; verse < count; verse += 1) totals[verse] = (scores[offset + verse] * first + scores[offset + count + verse] * second) * inverse[verse];
  bonus?.positions.forEach((verse, at) => {
    added[verse] = bonus.values[at];
    totals[verse] += bonus.values[at];
  });
  const least = leastOfLargest(Math.min(limit, count)) - 2 * left - level;
  const indices = [];
  for (let verse = 0; verse < count; verse += 1) if (totals[verse] >= least) indices.push(verse);
  const found = { indices: Uint32Array.from(indices), cosines: Float64Array.from(indices, (verse) => exactCosine(vector, verse)), bonuses: Float32Array.from(indices, (verse) => added[verse]) };
  bonus?.positions.forEach((verse) => {
    added[verse] = 0;
  });
  return found;
}

parentPort.on('message', async ({ job, questions, close }) => {
  if (close) process.exit();
  try {
    const { bytes, scales } = quantised(questions);
    const query = new ort.Tensor('uint8', bytes, [2 * questions.length, dimensions]);
    const { scores } = await session.run({ query });
    const found = questions.map((question, at) => best(question, scales[at], scores.data, 2 * at * count));
    parentPort.postMessage({ job, found }, found.flatMap(({ indices, cosines, bonuses }) => [indices.buffer, cosines.buffer, bonuses.buffer]));
  } catch (error) {
    parentPort.postMessage({ job, failed: error instanceof Error ? error.message : String(error) });
  }
});
parentPort.postMessage({ ready: true });
