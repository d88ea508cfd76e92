// Measures the latency and the throughput of queries.
// Usage: node packages/embeddings/evaluation/measure-query-speed.mjs [DATA_DIR [CORES]]
import { join } from 'node:path';
import { readQueries } from './measure-ndcg-and-success.mjs';
import { openSemanticSearch } from './open-semantic-search.mjs';

const cores = Number(process.argv[3] ?? 2);
const { search, loadMs, close } = await openSemanticSearch(process.argv[2] ?? join(process.cwd(), 'data'), { cores });
const queries = readQueries();
/**
 * @param {readonly number[]} values
 * @param {number} share from 0 to below 1, such as 0.5 for the median
 */
const percentile = (values, share) => values.toSorted((a, b) => a - b)[Math.floor(values.length * share)].toFixed(1);

/**
 * Starts to measure the longest gap between two turns of the event loop. Returns a function that
 * ends the measurement and returns the gap in milliseconds.
 */
function watchEventLoop() {
  let longest = 0;
  let last = performance.now();
  let isWatching = true;
  const onTurn = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (isWatching) setImmediate(onTurn);
  };
  setImmediate(onTurn);
  return () => {
    isWatching = false;
    return longest.toFixed(1);
  };
}

console.log(`${cores} cores; everything loaded in ${loadMs.toFixed(0)} ms`);
for (const callers of [1, 8, 32]) {
  const times = [];
  let next = 0;
  const total = callers === 1 ? queries.length : queries.length * 2;
  // The gaps of the event loop are measured afterwards, because measuring them keeps a core busy.
  const startedAt = performance.now();
  await Promise.all(
    Array.from({ length: callers }, async () => {
      while (next < total) {
        const { text } = queries[next++ % queries.length];
        const sentAt = performance.now();
        await search(text);
        times.push(performance.now() - sentAt);
      }
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  console.log(
    `${String(callers).padStart(3)} callers: p50 ${percentile(times, 0.5)} ms, p99 ${percentile(times, 0.99)} ms, ${(total / seconds).toFixed(0)} queries a second`,
  );
}
const stopWatching = watchEventLoop();
for (let from = 0; from < 96; from += 32)
  await Promise.all(queries.slice(from, from + 32).map(({ text }) => search(text)));
console.log(`longest gap of the event loop with 32 callers: ${stopWatching()} ms`);
console.log(`resident: ${(process.memoryUsage.rss() / 1e6).toFixed(0)} MB`);
await close();
