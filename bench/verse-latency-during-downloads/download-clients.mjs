// Downloads a file again and again over many connections, in a worker thread of bench/downloads.mjs.
import { Agent, get } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
const { url, clients, megabits, startWithinMs } = workerData;
const agent = new Agent({ keepAlive: true, maxSockets: clients });
const stopped = new AbortController();
let bytes = 0;
let downloads = 0;

port.on('message', () => stopped.abort());
await Promise.all(Array.from({ length: clients }, (_, index) => client((index * startWithinMs) / clients)));
agent.destroy();
port.postMessage({ bytes, downloads });
port.close();

/** Downloads again and again. Each client starts at another time, so that downloads do not end at the same time. */
async function client(afterMs) {
  await wait(afterMs);
  while (!stopped.signal.aborted) {
    await download();
    downloads += 1;
  }
}

/** Reads the file, at most at the speed of `megabits`. Stops early at the end of the measurement. */
async function download() {
  const response = await new Promise((resolve, reject) => get(url, { agent }, resolve).on('error', reject));
  if (response.statusCode !== 200) throw new Error(`A download got status ${response.statusCode}`);
  const startedAt = performance.now();
  let received = 0;
  for await (const chunk of response) {
    received += chunk.length;
    bytes += chunk.length;
    if (stopped.signal.aborted) return;
    const dueMs = megabits === 0 ? 0 : (received * 8) / (megabits * 1_000);
    const earlyMs = startedAt + dueMs - performance.now();
    if (earlyMs > 1) await wait(earlyMs);
  }
}
