// The worker thread that compares queries with all rows of a table, such as the verses of a
// translation. The file is plain JavaScript, because tests (which run the TypeScript sources) and
// compiled files start the same worker.
import { fstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { workerData } from 'node:worker_threads';
import ort from 'onnxruntime-node';
import { scanModel } from './create-vector-scan-onnx.mjs';
import { serveJobs } from './serve-jobs.mjs';

/** @typedef {import('../src/vector-scan.js').ScanRequest['queries'][number]} Query */
/** @typedef {import('../src/vector-scan.js').ScanMatches} ScanMatches */

/** @type {import('../src/vector-scan.js').ScanData} */
const { file: linkedFile, fileIdentity, dimensions } = workerData;
// The path without symbolic links, because onnxruntime does not follow a link out of the folder
// that the session names.
const file = realpathSync(linkedFile);
const handle = openSync(file, 'r');

/**
 * The maximum difference of scores that may be equal after rounding to four decimals. The tolerance
 * includes the error of sums in 32 bits.
 */
const tieTolerance = 1.1e-4;

/**
 * The number of candidates that are examined beyond the limit. Rarely, even more candidates may
 * have the same score as the last one. Then `compare` examines more.
 */
const extraCandidates = 50;

/** The maximum number of rows in one read of the file. */
const rowsPerRead = 1024;

/** The maximum number of unneeded rows between two rows that are read together. */
const maxGap = 8;

const rows = new Int8Array(rowsPerRead * dimensions);

/** @param {Int8Array} row */
function lengthOf(row) {
  let squares = 0;
  for (let at = 0; at < dimensions; at += 1) squares += row[at] * row[at];
  return Math.sqrt(squares);
}

/**
 * Opens a table: consecutive rows of the file that are compared with queries.
 * @param {import('../src/vector-scan.js').ScanTable & { bonuses: Float32Array }} table
 */
async function openTable({ rowsAt, count, bonuses }) {
  const { inverseLengths, maxPairSum } = readAllRows();

  const session = await ort.InferenceSession.create(scanModel({ file, rowsAt, inverseLengths, dimensions }), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    extra: { session: { model_external_initializers_file_folder_path: dirname(file) } },
  });

  /**
   * The maximum distance of a query's byte from 128, which stands for 0. Processors without the
   * instructions VNNI add pairs of products in 16 bits and clamp larger sums. With this bound no
   * sum is larger.
   */
  const maxQueryByte = Math.min(127, Math.floor(32_767 / maxPairSum) - 128);

  /** A copy of the shared bonuses, because onnxruntime does not accept shared memory. */
  const ownBonuses = new Float32Array(bonuses.length);

  /**
   * Reads rows from the file. The process keeps no copy of the rows, because the page cache of the
   * operating system already has them in memory.
   * @param {number} first
   * @param {Int8Array} rows
   */
  function readRows(first, rows) {
    readSync(handle, rows, 0, rows.length, rowsAt + first * dimensions);
    return rows;
  }

  /**
   * Returns 1 / length of each row, 0 for a row of zeros, and the maximum sum of the absolute
   * values of two adjacent bytes.
   */
  function readAllRows() {
    const found = { inverseLengths: new Float32Array(count), maxPairSum: 1 };
    for (let first = 0; first < count; first += rowsPerRead) {
      const chunk = readRows(first, rows.subarray(0, Math.min(rowsPerRead, count - first) * dimensions));
      for (let at = 0; at + 1 < chunk.length; at += 2)
        found.maxPairSum = Math.max(found.maxPairSum, Math.abs(chunk[at]) + Math.abs(chunk[at + 1]));
      for (let verse = 0; verse * dimensions < chunk.length; verse += 1) {
        const length = lengthOf(chunk.subarray(verse * dimensions, (verse + 1) * dimensions));
        found.inverseLengths[first + verse] = length > 0 ? 1 / length : 0;
      }
    }
    return found;
  }

  /**
   * Quantizes each query to two rows of bytes: the rounded vector, and its rounded remainder. With
   * one row, the rounding error would leave thousands of verses that may be among the best. With
   * two rows, it leaves hardly more than the limit.
   * @param {readonly Query[]} queries
   */
  function quantize(queries) {
    const bytes = new Uint8Array(2 * queries.length * dimensions);
    const scales = new Float32Array(2 * queries.length);
    const errors = queries.map(({ vector }, query) => {
      let remainder = Float64Array.from(vector);
      for (const row of [2 * query, 2 * query + 1]) {
        const largest = remainder.reduce((max, value) => Math.max(max, Math.abs(value)), 0);
        const scale = Math.fround(largest > 0 ? largest / maxQueryByte : 1);
        remainder = remainder.map((value, dimension) => {
          const rounded = Math.round(value / scale);
          bytes[row * dimensions + dimension] = rounded + 128;
          return value - rounded * scale;
        });
        scales[row] = scale;
      }
      return Math.hypot(...remainder);
    });
    /**
     * `errors` has the length of each query's final remainder, which bounds the error of its
     * scores.
     */
    return { bytes, scales, errors };
  }

  /**
   * Near rows are read together, because a read takes longer than to copy a few rows.
   * @param {Float32Array} vector
   * @param {Uint32Array} verses ascending
   */
  function exactCosines(vector, verses) {
    const cosines = new Float64Array(verses.length);
    let [first, end] = [0, 0];
    for (const [at, verse] of verses.entries()) {
      if (verse >= end) {
        [first, end] = [verse, verse + 1];
        for (let next = at + 1; verses[next] - end < maxGap && verses[next] - first < rowsPerRead; next += 1)
          end = verses[next] + 1;
        readRows(first, rows.subarray(0, (end - first) * dimensions));
      }
      const from = (verse - first) * dimensions;
      let [sum, squares] = [0, 0];
      for (let dimension = 0; dimension < dimensions; dimension += 1) {
        const value = rows[from + dimension];
        sum += vector[dimension] * value;
        squares += value * value;
      }
      cosines[at] = squares > 0 ? sum / Math.sqrt(squares) : 0;
    }
    return cosines;
  }

  /**
   * Selects the verses that may be among the best, and computes their exact cosines. Each score may
   * be wrong by `error`. Returns null if verses that were not examined may be among the best too.
   * @param {Query} query
   * @param {{ error: number, scores: Float32Array, verses: BigInt64Array, bonus: Float32Array }}
   *   candidates best first
   * @returns {ScanMatches | null}
   */
  function selectBest({ vector, limit }, { error, scores, verses, bonus }) {
    const minScore = scores[Math.min(limit, count) - 1] - 2 * error - tieTolerance;
    if (scores.length < count && scores[scores.length - 1] >= minScore) return null;
    const matchCount = scores.findLastIndex((score) => score >= minScore) + 1;
    const indices = Uint32Array.from(verses.slice(0, matchCount), Number).sort();
    return {
      indices,
      cosines: exactCosines(vector, indices),
      bonuses: Float32Array.from(indices, (verse) => bonus[verse]),
    };
  }

  /**
   * @param {readonly Query[]} queries
   * @param {number} candidates how many verses to examine per query
   * @returns {Promise<ScanMatches[]>}
   */
  async function compare(queries, candidates) {
    ownBonuses.set(bonuses.subarray(0, queries.length * count));
    const { bytes, scales, errors } = quantize(queries);
    const outputs = await session.run({
      query: new ort.Tensor('uint8', bytes, [2 * queries.length, dimensions]),
      scales: new ort.Tensor('float32', scales, [2 * queries.length, 1]),
      bonus: new ort.Tensor('float32', ownBonuses.subarray(0, queries.length * count), [queries.length, count]),
      limit: new ort.Tensor('int64', BigInt64Array.of(BigInt(candidates)), [1]),
    });
    const scores = /** @type {Float32Array} */ (outputs.totals.data);
    const verses = /** @type {BigInt64Array} */ (outputs.verses.data);
    const matches = [];
    for (const [at, query] of queries.entries()) {
      const best = selectBest(query, {
        error: errors[at],
        scores: scores.subarray(at * candidates, (at + 1) * candidates),
        verses: verses.subarray(at * candidates, (at + 1) * candidates),
        bonus: ownBonuses.subarray(at * count, (at + 1) * count),
      });
      if (best === null) return compare(queries, Math.min(count, candidates * 4));
      matches.push(best);
    }
    return matches;
  }

  return { count, compare };
}

/** @type {(Awaited<ReturnType<typeof openTable>> | null)[]} */
const tables = [];
// onnxruntime cannot multiply with an empty table, so an empty table is not opened.
for (const table of workerData.tables) tables.push(table.count > 0 ? await openTable(table) : null);
// The sessions opened the file by its path. If another file had replaced the expected file before
// that, the result would be wrong, so this throws an error.
for (const { ino, size, mtimeMs } of [fstatSync(handle), statSync(file)]) {
  if (`${ino} ${size} ${mtimeMs}` !== fileIdentity)
    throw new Error(`${file} was replaced since it was opened: start the process again`);
}
serveJobs(async (/** @type {import('../src/vector-scan.js').ScanRequest} */ { table, queries }) => {
  const opened = tables[table];
  if (!opened) throw new Error(`table ${table} is empty`);
  const maxLimit = Math.max(...queries.map(({ limit }) => limit));
  const matches = await opened.compare(queries, Math.min(opened.count, maxLimit + extraCandidates));
  const transfer = matches.flatMap(({ indices, cosines, bonuses }) => [indices.buffer, cosines.buffer, bonuses.buffer]);
  return { response: { matches }, transfer };
}, {});
