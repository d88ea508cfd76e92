// oxlint-disable unicorn/require-post-message-target-origin -- windows have origins, threads have none
// A thread that answers with its own number, and ends when it is told to, as a fault would end it.
import { parentPort, threadId } from 'node:worker_threads';

parentPort.on('message', ({ job, ends, close }) => {
  if (ends) process.exit(1);
  if (close) parentPort.close();
  else parentPort.postMessage({ job, threadId });
});
parentPort.postMessage({ ready: true });
