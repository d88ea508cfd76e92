// oxlint-disable unicorn/require-post-message-target-origin -- windows have origins, threads have none
// A worker thread that responds to each message with its thread id. It exits with an error, or closes
// its port, when a message says so.
import { parentPort, threadId } from 'node:worker_threads';

if (!parentPort) throw new Error('thread-id-worker.mjs runs only as a worker thread');
const port = parentPort;
port.on('message', ({ job, ends, close }) => {
  if (ends) process.exit(1);
  if (close) port.close();
  else port.postMessage({ job, threadId });
});
port.postMessage({ ready: true });
