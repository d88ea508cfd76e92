// oxlint-disable unicorn/require-post-message-target-origin -- windows have origins, threads have none
import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';

/**
 * Responds to the requests that createRespawningThread sends to this worker thread.
 * @template {object} Response
 * @param {(request: any) => Promise<{ response: Response, transfer: ArrayBuffer[] }>} compute
 * @param {object} ready the first message, which says that the thread has started
 */
export function serveJobs(compute, ready) {
  if (!parentPort) throw new Error('this file runs only as a worker thread');
  const port = parentPort;
  port.on('message', async ({ job, close, ...request }) => {
    if (close) process.exit();
    try {
      const cpuBefore = threadCpuMs();
      const { response, transfer } = await compute(request);
      port.postMessage({ job, ...response, ms: threadCpuMs() - cpuBefore }, transfer);
    } catch (error) {
      port.postMessage({ job, failed: error instanceof Error ? error.message : String(error) });
    }
  });
  port.postMessage(ready);
}

/**
 * Returns the CPU time of the calling thread in milliseconds, which, unlike the elapsed time, does not grow while other
 * processes use the cores. Reads a file of Linux, because Node.js 20 has no function for this time. On other systems,
 * returns the elapsed time.
 */
function threadCpuMs() {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'latin1').split(' ')[0]) / 1e6;
  } catch {
    return performance.now();
  }
}
