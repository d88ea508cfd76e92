// A worker thread that sends operations on several connections. In a thread of its own, reading the
// responses delays none of the requests that bench/fairness.mjs measures.
import { parentPort, workerData } from 'node:worker_threads';
import { sendGraphQL } from '../gateway/measure-verses.mjs';

/**
 * @typedef {object} Sending
 * @property {string} origin
 * @property {string[]} tokens
 * @property {string} address for X-Forwarded-For
 * @property {{ query: string, variables: Record<string, unknown> }[]} operations
 * @property {number} connections
 * @property {number} firstDocument the number of the first document, which becomes part of its text
 */

const { origin, tokens, address, operations, connections, firstDocument } = /** @type {Sending} */ (workerData);
let sent = 0;
const stopped = new AbortController();

const connection = async (_, index) => {
  while (!stopped.signal.aborted) {
    const { query, variables } = operations[sent % operations.length];
    // Each request has another text, so each document is new to the gateway.
    const name = ` W${firstDocument + sent}`;
    sent += 1;
    const body = JSON.stringify({ query: query.replaceAll(' W', name), variables });
    await sendGraphQL(origin, tokens[index % tokens.length], body, address);
  }
};

const sending = Promise.all(Array.from({ length: connections }, connection));
// The first message stops the sending. The thread responds with the number of requests, and ends.
parentPort?.once('message', async () => {
  stopped.abort();
  await sending;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- windows have origins, threads have none
  parentPort?.postMessage(sent);
});
