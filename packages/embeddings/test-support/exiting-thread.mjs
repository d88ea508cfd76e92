// oxlint-disable unicorn/require-post-message-target-origin -- windows have origins, threads have none
// A worker thread that responds with its own id. It exits with an error when a request says so.
import { parentPort, threadId } from 'node:worker_threads';

if (!parentPort) throw new Error('exiting-thread.mjs runs only as a worker thread');
const port = parentPort;
port.on('message', ({ job, ends, close }) => {
  if (ends) process.exit(1);
  if (close) port.close();
  else port.postMessage({ job, threadId });
});
port.postMessage({ ready: true });
